import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorScenario

/// Findings in words for a person: what the client did first, then what was wanted.
struct PlainSentences {
    private let item: Case
    private let record: WireRecord?
    private let base: String?
    /// Requests by the sequences of entries that findings are about.
    private var requests: [UInt64: Int] = [:]

    /// `base` is the address of the run, where it is known.
    init(_ item: Case, record: WireRecord?, base: [UInt8]?) {
        self.item = item
        self.record = record
        self.base = base.map { EventText.printable(String(decoding: $0, as: UTF8.self), limit: 200) }
        guard let record else { return }
        for (index, request) in record.requests.enumerated() { requests[request.sequence] = index }
        for miss in record.misses { requests[miss.sequence] = miss.request }
        for verdict in record.cookieVerdicts { requests[verdict.sequence] = verdict.request }
        for verdict in record.verdicts { requests[verdict.sequence] = verdict.request }
        for violation in record.violations { requests[violation.sequence] = violation.request }
    }

    /// The root of the failures, with the section that asks for it; nil where nothing failed.
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

    /// That the client came nowhere; nil where it made a connection.
    var noConnection: String? {
        guard let record, record.connections.isEmpty else { return nil }
        guard let base, let scheme = base.firstRange(ofText: "://") else { return "the client made no connection" }
        let address = base[scheme.upperBound...]
        // A run with a path of its own shares its port with others, whose connections are not seen here.
        return address.contains("/") ? "no request came to \(base)" : "the client made no connection to \(address)"
    }

    /// nil where the finding's own sentence is in words.
    func plain(_ finding: Finding) -> String? {
        let request = finding.sequence.flatMap { requests[$0] }
        switch finding.subject {
        case .miss(let miss):
            guard let record, let request else { return nil }
            let seen = record.requests[request]
            return MissWords(
                owner: Self.owner(request), method: WireText.of(seen.head.methodBytes),
                target: WireText.of(seen.target),
                miss: miss
            ).sentence
        case .expression(let diagnosis):
            guard diagnosis.overflow == nil else { return nil }
            return finding.laneKey.map { lane($0, diagnosis) } ?? wire(diagnosis, at: finding.sequence)
        case .fact(let name):
            guard let wanted = finding.wanted, let got = finding.got else { return nil }
            if case .requestCount = name, let noConnection { return noConnection }
            return "\(name.words) was \(got); wanted \(wanted)"
        case .cookies(let verdict):
            guard !verdict.differences.isEmpty, let request else { return nil }
            return "\(named(request)) had \(CookieText.sent(verdict)); wanted \(CookieText.expected(verdict))"
        case .credential(let verdict):
            guard let request, let fault = verdict.faults.first else { return nil }
            let refused = verdict.outcome == .admitted ? "whose form is wrong" : "that was refused"
            return "\(named(request)) had a credential \(refused): "
                + EventText.printable("\(fault.sentence) (\(fault.section))", limit: 1_000)
        case .violation(let violation):
            guard let request else { return nil }
            return "\(named(request)) is malformed: \(violation.sentence) (\(violation.section))"
        case .result(let step):
            guard let wanted = finding.wanted, let got = finding.got else { return nil }
            let load = item.client.count == 1 ? "the load" : "the load of step \(step + 1)"
            return "\(load) gave \(Self.words(of: got)); wanted \(Self.words(of: wanted))"
        case .frameViolation, .opaque, .rule, .grammar, .content, .edge, .ending, .unreportedRule, .slices, .bound,
            .state, .reply, .tolerated, .unasked:
            return nil
        }
    }

    /// `the second request`, `request 12`.
    static func owner(_ index: Int) -> String {
        let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
        return words.indices.contains(index) ? "the \(words[index]) request" : "request \(index + 1)"
    }

    private func named(_ request: Int) -> String {
        let name = record?.requests[request].symbol.argument ?? ""
        return "\(Self.owner(request)), \(EventText.printable(name, limit: 500)),"
    }

    // MARK: Expressions

    private func wire(_ diagnosis: NotationDiagnosis, at sequence: UInt64?) -> String {
        let wanted = Self.wanted(diagnosis)
        guard let got = diagnosis.got else { return missing(wanted) }
        let words = NotationSymbol(got).words
        guard got.name == EventName.request.rawValue, let request = sequence.flatMap({ requests[$0] }) else {
            return "the connection had \(EventText.printable(words, limit: 500)); wanted \(wanted)"
        }
        let name = EventText.printable(got.argument ?? "", limit: 500)
        return "\(Self.owner(request)) was \(name); wanted \(wanted == "the end" ? "no more requests" : wanted)"
    }

    /// What did not come over the wire, and why where the handshake or the connection shows it.
    private func missing(_ wanted: String) -> String {
        guard let record else { return "\(wanted) never came" }
        if let noConnection { return noConnection }
        if record.requests.isEmpty {
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
        return "\(Self.owner(record.requests.count)) never came; wanted \(wanted)"
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
                // A part of requests stands in `wire` alone.
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

    /// An expression in words, where it is a plain sequence of a few events; else as it is written.
    private static func words(of expression: String, lane: Lane = .task) -> String {
        guard let notation = try? Notation(parsing: expression, lane: lane), case let parts = notation.inWords,
            parts.count <= 6,
            parts.allSatisfy({ $0.parts.isEmpty })
        else { return EventText.printable(expression, limit: 500) }
        return parts.map(\.text).joined(separator: ", then ")
    }
}
