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
        (self.item, self.record) = (item, record)
        self.base = base.map { EventText.printable(String(decoding: $0, as: UTF8.self), limit: 200) }
    }

    /// Gives each finding its sentence in plain words.
    func addPlainWords(to findings: inout [Finding]) {
        let refused = findings.first(where: \.isOfWireExpression)?.sequence
        for index in findings.indices {
            findings[index].plain = plain(findings[index], refused) ?? findings[index].plain
            guard let stub = stub(of: findings[index]) else { continue }
            findings[index].plain = "\(findings[index].plain ?? findings[index].sentence) (\(stub.exchangeName))"
            findings[index].location = findings[index].location ?? stub
        }
    }

    /// Where the test has the stub that answered the request, or that is nearest to one that none answered.
    private func stub(of finding: Finding) -> SourceLocation? {
        guard !item.exchangePlaces.isEmpty else { return nil }
        var position = finding.request.flatMap { record?.exchanges[$0.number].chosen?.exchange }
        if case .miss(let miss) = finding.subject {
            let exchange = finding.request.flatMap { record?.exchanges[$0.number] }
            // One that was used is not what the request came for.
            let hasCome = exchange.flatMap { record?.hasCome(miss.nearestExchange, before: $0) } ?? false
            position = hasCome ? nil : miss.nearestExchange
        }
        return position.flatMap { item.exchangePlaces[$0] }
    }

    /// The root of the failures in words, with the section that requires it; nil when nothing failed.
    func first(of findings: [Finding]) -> String? {
        guard let root = findings.root else { return nil }
        let sentence = root.plain ?? root.sentence
        let sections = root.sections.isEmpty ? (item.spec.isEmpty ? item.scenarioSpec : item.spec) : root.sections
        guard let section = sections.first, !section.hasPrefix("callback rule"), !sentence.contains(text: section),
            sentence != noConnection
        else {
            return sentence
        }
        return "\(sentence)\(Self.sectionMark)\(section)"
    }

    /// Stands before the section behind the sentence of a verdict.
    static let sectionMark = ", by "

    /// A sentence when the client made no connection; nil when it made one.
    var noConnection: String? {
        guard let record, record.connections.isEmpty else { return nil }
        guard let base, let scheme = base.firstRange(ofText: "://") else { return "the client made no connection" }
        let address = base[scheme.upperBound...]
        // A run with a path of its own shares its port with others, so its journal lacks connections without a request.
        return address.contains("/") ? "no request came to \(base)" : "the client made no connection to \(address)"
    }

    /// The finding in plain words; nil when its own sentence is in plain words already.
    ///
    /// `refused` is the place in the journal of the request that the case did not want: from there on only the case
    /// says what is wanted, and not the exchanges.
    private func plain(_ finding: Finding, _ refused: UInt64?) -> String? {
        let exchange = finding.request.flatMap { request in record.map { $0.exchanges[request.number] } }
        switch finding.subject {
        case .miss(let miss):
            guard let exchange else { return nil }
            let words = MissWords(
                owner: Self.owner(exchange.number), method: WireText.escaped(exchange.head.methodBytes),
                target: WireText.escaped(exchange.target), miss: miss,
                hasCome: record?.hasCome(miss.nearestExchange, before: exchange) ?? false)
            return refused.map { $0 <= exchange.sequence } ?? false ? words.sentence : words.sentenceByExchange
        case .caught(let mistake):
            return exchange.map { "\(Self.owner($0.number)), \(EventText.printable($0.name, limit: 500)): \(mistake)" }
        case .expression(let diagnosis):
            guard diagnosis.overflow == nil else { return nil }
            return finding.laneKey.map { lane($0, diagnosis) } ?? wire(diagnosis, at: exchange)
        case .fact(let name):
            if case .run("wire.count") = name, let noConnection { return noConnection }
            if case .client(let step, "error") = name { return error(ofStep: step, finding) }
            return self.fact(name, finding)
        case .cookies(let verdict):
            guard !verdict.differences.isEmpty, let exchange else { return nil }
            return "\(Self.named(exchange)) had \(CookieText.sent(verdict)); wanted \(CookieText.expected(verdict))"
        case .credential(let verdict):
            guard let exchange, let fault = verdict.faults.first else { return nil }
            let refused = verdict.outcome == .admitted ? "whose form is wrong" : "that was refused"
            return "\(Self.named(exchange)) had a credential \(refused): "
                + EventText.printable("\(fault.sentence) (\(fault.section))", limit: 1_000)
        case .violation(let violation):
            let rest = "\(violation.sentence) (\(violation.section))"
            guard let exchange else { return "a request \(place(of: finding)) is wrong: \(rest)" }
            return "\(Self.named(exchange)) is wrong: \(rest)"
        case .frameViolation(let violation):
            let rest = FrameText.text("\(violation.sentence) (\(violation.section))", limit: 1_000)
            let stream = violation.stream == 0 ? "" : ", stream \(violation.stream),"
            return "\(place(of: finding))\(stream) came a wrong frame: \(rest)"
        case .opaque:
            guard let wanted = finding.wanted, let got = finding.got else { return nil }
            return
                "behind the reply\(exchange.map { " to \(Self.owner($0.number))" } ?? "") came \(got); wanted \(wanted)"
        case .gathered(let departure):
            let owner = exchange.map { " of \(Self.owner($0.number))" } ?? ""
            return "\(departure.place)\(owner): \(EventText.printable(departure.sentence, limit: 1_000))"
        default: return nil
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

    /// Whether the noun of `the field names of request 1` is a plural.
    private static func isPlural(_ words: String) -> Bool {
        let ends: Set<Substring> = ["of", "that", "in", "on", "from", "behind", "before", "for", "to"]
        let noun = words.split(separator: " ").prefix { !ends.contains($0) }
        // `the field Accept-Features of request 1`.
        guard noun.count > 1, let last = noun.last, !noun.dropFirst().dropLast().contains("field") else { return false }
        return last.hasSuffix("s") && !last.hasSuffix("ss") && last != "status"
    }

    /// `on connection c1`, as the timeline calls it, for the entry that shows the finding.
    private func place(of finding: Finding) -> String {
        let seen = record.flatMap { record in
            (record.violations.first { $0.sequence == finding.sequence }?.connection)
                ?? record.frameViolations.first { $0.sequence == finding.sequence }?.connection
        }
        return record.flatMap { record in seen.map { "on connection c\(record.connections[$0].number)" } }
            ?? "on a connection"
    }

    /// `the second request, GET /a, is wrong`.
    private func owner(ofFault name: FactName) -> String {
        func request(_ index: Int) -> String {
            record.map { Self.named($0.exchanges[index]) } ?? Self.owner(index)
        }
        switch name {
        case .wire(let index, "violations"): return "\(request(index)) is wrong"
        case .wire(let index, _): return "\(request(index)) had a wrong credential"
        case .guarding: return "a credential was wrong"
        case .grouped(let group, let index?, _):
            guard let words = record?.gatherer(of: group)?.words else { return name.words }
            return words.wrong.replacing(text: "$", with: words.owner.replacing(text: "$", with: "\(index + 1)"))
        default: return name.words
        }
    }

    private func fact(_ name: FactName, _ finding: Finding) -> String? {
        guard let wanted = finding.wanted, let got = finding.got else { return nil }
        if let fault = finding.fault {
            let rest = EventText.printable(fault.words, limit: 1_000)
            let other = wanted == "nothing" || wanted == "[]" ? "" : "; wanted \(wanted)"
            return "\(owner(ofFault: name)): \(rest)\(other)"
        }
        let verb = Self.isPlural(name.words) ? "were" : "was"
        // A reason may follow: `nothing; its Authorization has no qop`.
        let came = got == "nothing" ? "absent" : got.hasPrefix("nothing; ") ? "absent (\(got.dropFirst(9)))" : got
        return "\(name.words) \(verb) \(came); wanted \(wanted == "nothing" ? "it absent" : wanted)"
    }

    /// `the client reported no error after the first request, GET /a; wanted an error`.
    private func error(ofStep step: Int, _ finding: Finding) -> String? {
        guard let wanted = finding.wanted, let got = finding.got else { return nil }
        let place = item.client.count > 1 ? "in step \(step + 1) " : ""
        let last = item.client.count > 1 ? nil : record?.exchanges.last
        let after = last.map { " after \(Self.owner($0.number)), \(EventText.printable($0.name, limit: 500))" } ?? ""
        let came = "\(place)the client reported \(EndWords.words(ofFact: got))\(after)"
        return "\(came); wanted \(EndWords.words(ofFact: wanted))"
    }

    // MARK: Expressions

    private func wire(_ diagnosis: NotationDiagnosis, at exchange: SeenExchange?) -> String {
        let wanted = Self.wanted(diagnosis)
        guard let got = diagnosis.got else { return missing(wanted, diagnosis) }
        let words = NotationSymbol(got).words
        guard got.name == EventName.request.rawValue, let exchange else {
            return "\(EventText.printable(words, limit: 500)) came; wanted \(wanted)"
        }
        let name = EventText.printable(got.argument ?? "", limit: 500)
        return "\(Self.owner(exchange.number)) was \(name); wanted \(wanted)"
    }

    /// A request that did not arrive, with the reason when the handshake or the connection shows it.
    private func missing(_ wanted: String, _ diagnosis: NotationDiagnosis) -> String {
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
        let isOfRequests = diagnosis.wanted.allSatisfy {
            $0.symbol.map { $0.name == EventName.request.rawValue } ?? false
        }
        return isOfRequests
            ? "\(Self.owner(record.exchanges.count)) never came; wanted \(wanted)"
            : "nothing more came behind \(Self.owner(record.exchanges.count - 1)); wanted \(wanted)"
    }

    /// `GET /a or GET /b`.
    static func wanted(_ diagnosis: NotationDiagnosis) -> String {
        var words = diagnosis.wanted.prefix(4).map { wanted -> String in
            guard let symbol = wanted.symbol else { return "any event" }
            let isRequest = symbol.name == EventName.request.rawValue && symbol.arguments.count == 1
            return isRequest ? String(symbol.words.dropFirst(EventName.request.words.count + 1)) : symbol.words
        }
        if diagnosis.wanted.count > 4 { words.append("\(diagnosis.wanted.count - 4) more") }
        if diagnosis.endIsWanted, let got = diagnosis.got {
            words.append(got.name == EventName.request.rawValue ? "no more requests" : "nothing more")
        }
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
        return "callback \(diagnosis.position) of \(key) was \(words); wanted \(wanted)"
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
