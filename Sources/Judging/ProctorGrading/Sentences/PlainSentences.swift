import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorScenario

/// Describes findings in plain words: first what the client did, then what was wanted.
struct PlainSentences {
    private let item: Case
    private let record: WireRecord?
    private let base: String?

    /// `base` is the address of the run, where it is known.
    init(_ item: Case, record: WireRecord?, base: [UInt8]?) {
        self.item = item
        self.record = record
        self.base = base.map { EventText.printable(String(decoding: $0, as: UTF8.self), limit: 200) }
    }

    /// The root of the failures in words, with the section that requires it; nil when nothing failed.
    func first(of findings: [Finding]) -> String? {
        guard let root = findings.root else { return nil }
        let sentence = plain(root) ?? root.sentence
        let sections = root.sections.isEmpty ? (item.spec.isEmpty ? item.scenarioSpec : item.spec) : root.sections
        guard let section = sections.first, !section.hasPrefix("callback rule"), !sentence.contains(text: section),
            sentence != noConnection
        else {
            return sentence
        }
        return "\(sentence), by \(section)"
    }

    /// A sentence when the client made no connection; nil when it made one.
    var noConnection: String? {
        guard let record, record.connections.isEmpty else { return nil }
        guard let base, let scheme = base.firstRange(ofText: "://") else { return "the client made no connection" }
        let address = base[scheme.upperBound...]
        // A run with a path of its own shares its port with others, so its journal lacks connections without a request.
        return address.contains("/") ? "no request came to \(base)" : "the client made no connection to \(address)"
    }

    /// The finding in plain words; nil when its own sentence is in plain words already.
    func plain(_ finding: Finding) -> String? {
        let exchange = finding.request.flatMap { request in record.map { $0.exchanges[request.number] } }
        switch finding.subject {
        case .miss(let miss):
            guard let exchange else { return nil }
            return MissWords(
                owner: Self.owner(exchange.number), method: WireText.escaped(exchange.head.methodBytes),
                target: WireText.escaped(exchange.target), miss: miss
            ).sentence
        case .caught(let mistake):
            return exchange.map { "\(Self.owner($0.number)), \(EventText.printable($0.name, limit: 500)): \(mistake)" }
        case .expression(let diagnosis):
            guard diagnosis.overflow == nil else { return nil }
            return finding.laneKey.map { lane($0, diagnosis) } ?? wire(diagnosis, at: exchange)
        case .fact(let name):
            guard let wanted = finding.wanted, let got = finding.got else { return nil }
            if case .requestCount = name, let noConnection { return noConnection }
            return "\(name.words) was \(got); wanted \(wanted)"
        case .cookies(let verdict):
            guard !verdict.differences.isEmpty, let exchange else { return nil }
            return "\(Self.named(exchange)) had \(CookieText.sent(verdict)); wanted \(CookieText.expected(verdict))"
        case .credential(let verdict):
            guard let exchange, let fault = verdict.faults.first else { return nil }
            let refused = verdict.outcome == .admitted ? "whose form is wrong" : "that was refused"
            return "\(Self.named(exchange)) had a credential \(refused): "
                + EventText.printable("\(fault.sentence) (\(fault.section))", limit: 1_000)
        case .violation(let violation):
            guard let exchange else { return nil }
            return "\(Self.named(exchange)) is malformed: \(violation.sentence) (\(violation.section))"
        case .result(let step):
            guard let wanted = finding.wanted, let got = finding.got else { return nil }
            let load = item.client.count == 1 ? "the load" : "the load of step \(step + 1)"
            return "\(load) gave \(Self.words(of: got)); wanted \(Self.words(of: wanted))"
        case .frameViolation, .opaque, .webSocket, .rule, .grammar, .content, .edge, .ending, .unreportedRule, .slices,
            .bound, .state, .reply, .description, .tolerated, .unasked:
            return nil
        }
    }

    /// `the second request`, `request 12`.
    static func owner(_ index: Int) -> String {
        let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
        return words.indices.contains(index) ? "the \(words[index]) request" : "request \(index + 1)"
    }

    private static func named(_ exchange: SeenExchange) -> String {
        "\(owner(exchange.number)), \(EventText.printable(exchange.name, limit: 500)),"
    }

    // MARK: Expressions

    private func wire(_ diagnosis: NotationDiagnosis, at exchange: SeenExchange?) -> String {
        let wanted = Self.wanted(diagnosis)
        guard let got = diagnosis.got else { return missing(wanted) }
        let words = NotationSymbol(got).words
        guard got.name == EventName.request.rawValue, let exchange else {
            return "the connection had \(EventText.printable(words, limit: 500)); wanted \(wanted)"
        }
        let name = EventText.printable(got.argument ?? "", limit: 500)
        return "\(Self.owner(exchange.number)) was \(name); wanted \(wanted == "the end" ? "no more requests" : wanted)"
    }

    /// A request that did not arrive, with the reason when the handshake or the connection shows it.
    private func missing(_ wanted: String) -> String {
        guard let record else { return "\(wanted) never came" }
        if let noConnection { return noConnection }
        if record.exchanges.isEmpty {
            if let failed = record.handshakes.map({ record.connections[$0].tls }).first(where: \.hasFailed) {
                if let alert = failed.fatalAlert {
                    return "the client ended the TLS handshake with the alert "
                        + "\(EventText.printable(alert.name, limit: 100)); wanted \(wanted)"
                }
                return "the TLS handshake failed: \(EventText.printable(failed.failure?.reason ?? "", limit: 200)); "
                    + "wanted \(wanted)"
            }
            return "the client opened a connection and sent no request; wanted \(wanted)"
        }
        return "\(Self.owner(record.exchanges.count)) never came; wanted \(wanted)"
    }

    /// `GET /a or GET /b`.
    static func wanted(_ diagnosis: NotationDiagnosis) -> String {
        var words = diagnosis.wanted.prefix(4).map { wanted -> String in
            guard let symbol = wanted.symbol else { return "any event" }
            let isRequest = symbol.name == EventName.request.rawValue && symbol.arguments.count == 1
            return isRequest ? String(symbol.words.dropFirst(EventName.request.words.count + 1)) : symbol.words
        }
        if diagnosis.wanted.count > 4 { words.append("\(diagnosis.wanted.count - 4) more") }
        if diagnosis.endIsWanted, diagnosis.got != nil { words.append("the end") }
        if words.isEmpty {
            words = diagnosis.missing.prefix(3).map { part in
                // Only lane `wire` contains requests.
                part.text.contains(text: "request(")
                    ? self.words(of: part.description, lane: .wire) : self.words(of: part.description)
            }
        }
        return words.isEmpty ? "nothing" : words.joined(separator: " or ")
    }

    private func lane(_ key: String, _ diagnosis: NotationDiagnosis) -> String {
        let wanted = Self.wanted(diagnosis)
        guard let got = diagnosis.got else { return "the callbacks of \(key) ended too early; wanted \(wanted)" }
        let words = EventText.printable(NotationSymbol(got).words, limit: 300)
        return
            "callback \(diagnosis.position) of \(key) was \(words); wanted \(wanted == "the end" ? "no more" : wanted)"
    }

    /// An expression in words when it is a sequence of a few events, else as it is written.
    private static func words(of expression: String, lane: Lane = .task) -> String {
        guard let notation = try? Notation(parsing: expression, lane: lane), case let parts = notation.inWords,
            parts.count <= 6,
            parts.allSatisfy({ $0.parts.isEmpty })
        else { return EventText.printable(expression, limit: 500) }
        return parts.map(\.text).joined(separator: ", then ")
    }
}
