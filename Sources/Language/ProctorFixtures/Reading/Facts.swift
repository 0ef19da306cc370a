import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// The keys of a fact's value that is not text: another fact, a value that it must not have, or bounds for a number.
struct FactKeys: Sendable {
    let not = Key<Node>("not")
    let same = Key<Node>("same")
    let min = Key<Node>("min")
    let max = Key<Node>("max")
}

extension ScenarioReader {
    static let factTable = Table("a fact's value", FactKeys())

    func facts(_ node: Node, stepCount: Int) -> [Fact] {
        guard let entries = entries(node, "facts", from: "name to value", limit: Bounds.facts) else { return [] }
        return entries.compactMap { entry in
            let name = factName(entry.key, at: entry.keyNode, stepCount: stepCount)
            let expected = expectation(entry.value, stepCount: stepCount)
            guard let name, let expected else { return nil }
            secondPass.later { $0.checkExpectation(expected, of: name, at: entry.value) }
            return Fact(name: name, expected: expected, location: entry.keyNode.location)
        }
    }

    private func factName(_ text: String, at node: Node, stepCount: Int) -> FactName? {
        do throws(FactNameError) {
            let name = try FactName(parsing: text)
            if case .client(let step, _) = name, step >= stepCount {
                return sink.refuse(node, "there is no step \(step); this case has \(stepCount), counted from 0")
            }
            secondPass.later { $0.checkFactName(name, at: node) }
            return name
        } catch {
            return sink.refuse(node, error.sentence, hint: error.hint)
        }
    }

    private func expectation(_ node: Node, stepCount: Int) -> Fact.Expectation? {
        if node.isNull { return .absent }
        if let items = node.items {
            return items.mapAll { item in sink.text(item, "a value").flatMap { expectedText(item, $0) } }.map {
                .list($0)
            }
        }
        if let text = node.text { return expectedText(node, text).map { .text($0) } }
        guard let keys = Self.factTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        if let other = keys[\.not] {
            guard keys.entries.count == 1 else { return sink.refuse(node, "\"not\" stands alone") }
            if other.isNull { return .not(nil) }
            return sink.text(other, "a value").flatMap { expectedText(other, $0) }.map { .not($0) }
        }
        if let same = keys[\.same] {
            guard keys.entries.count == 1 else { return sink.refuse(node, "\"same\" stands alone") }
            guard let text = sink.text(same, "the name of another fact") else { return nil }
            return factName(text, at: same, stepCount: stepCount).map { .same($0) }
        }
        return range(keys)
    }

    private func expectedText(_ node: Node, _ text: String) -> Template? {
        let scope = TemplateScope(origins: originNames, captures: nil, allowsNow: false)
        return TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text))
    }

    private func range(_ keys: Mapping<FactKeys>) -> Fact.Expectation? {
        guard !keys.entries.isEmpty else {
            return sink.refuse(
                keys.node,
                "expected a value, { not: VALUE }, { same: FACT } or { min: N, max: N }, found an empty mapping")
        }
        var bounds: [String: Double] = [:]
        for entry in keys.entries {
            guard let text = entry.value.plainText, let number = Self.number(text) else {
                return sink.refuse(entry.value, "expected \(entry.key) as a number, found \(entry.value.found)")
            }
            bounds[entry.key] = number
        }
        if let minimum = bounds["min"], let maximum = bounds["max"], minimum > maximum {
            return sink.refuse(keys.node, "min is greater than max")
        }
        return .range(minimum: bounds["min"], maximum: bounds["max"])
    }

    /// Decimal, with an optional fraction and exponent.
    fileprivate static func number(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
        guard isDecimal, let first = text.utf8.first, first.isASCIIDigit || first == 0x2D else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// Checks of facts that need other parts of the file.
extension Resolver {
    /// Reports a value that the fact can never have.
    fileprivate func checkExpectation(_ expected: Fact.Expectation, of name: FactName, at node: Node) {
        switch expected {
        case .absent, .same, .not(nil): return
        case .list(let items):
            guard name.holdsList else {
                sink.report(node, "\(quoted(name.text)) is one value, not a list")
                return
            }
            for (item, template) in zip(node.items ?? [], items) {
                guard let bytes = template.literalBytes else { continue }
                checkWord(String(decoding: bytes, as: UTF8.self), of: name, at: item)
            }
        case .range:
            guard !name.isNumber else { return }
            sink.report(node, "\(quoted(name.text)) is no number; min and max mean nothing")
        case .text(let template), .not(let template?):
            guard let bytes = template.literalBytes else { return }
            checkWord(String(decoding: bytes, as: UTF8.self), of: name, at: node)
        }
    }

    /// Reports facts about things that the scenario does not have.
    fileprivate func checkFactName(_ name: FactName, at node: Node) {
        checkGuard(of: name, at: node)
        checkMessageFact(name, at: node)
        guard let technology = name.row.technology else { return }
        let (has, hint): (Bool, String) =
            switch technology {
            case .tls: (speaksTLS, "origins: { main: { scheme: https } }")
            case .socks: (origins.contains { $0.socks != nil }, "origins: { p: { role: proxy, socks: {} } }")
            case .dns: (asksDNS || origins.contains { $0.addresses != nil }, "dns: [], with host: NAME at an origin")
            case .http2: (origins.contains(where: \.speaksHTTP2), "origins: { main: { protocols: [h2] } }")
            case .http3:
                (origins.contains(where: \.speaksHTTP3), "origins: { main: { scheme: https, protocols: [h3] } }")
            }
        guard !has else { return }
        let reason = technology == .dns ? "this scenario has no server of it" : "no origin of this scenario speaks it"
        sink.report(
            node, "\(quoted(name.text)) is about \(technology.rawValue), and \(reason)", hint: "write \(hint)")
    }

    /// Reports a name that begins as the facts of messages do and is none of them.
    private func checkMessageFact(_ name: FactName, at node: Node) {
        guard case .wire(_, let fact) = name, fact.row.hasSuffix("credentials.NAME"), let field = fact.word else {
            return
        }
        if MessageFactNames.all.contains(field) {
            _ = sink.has(TokenSchemes.slot, at: node)
            return
        }
        guard let scheme = ["ntlm", "negotiate"].first(where: { field.hasPrefix("\($0)-") }) else { return }
        let names = scheme == "ntlm" ? MessageFactNames.ntlm : MessageFactNames.negotiate
        sink.report(
            node, "no message of \(scheme) has a fact \(quoted(field))",
            hint: DiagnosticSink.hint(for: field, among: names))
    }

    /// Reports facts about guards that can't be measured.
    private func checkGuard(of name: FactName, at node: Node) {
        switch name {
        case .guarding(let guardName?, _) where !guards.names.contains(guardName) && !guards.names.isEmpty:
            sink.report(
                node, "unknown guard \(quoted(guardName))",
                hint: DiagnosticSink.hint(for: guardName, among: guards.names))
        case .guarding where guards.names.isEmpty, .wire(_, "auth") where guards.names.isEmpty,
            .wire(_, "auth.faults") where guards.names.isEmpty:
            sink.report(
                node, "\(quoted(name.text)) is about guards, and this scenario has none",
                hint: "write guards: or auth:")
        default: return
        }
    }

    private func checkWord(_ word: String, of name: FactName, at node: Node) {
        if name.isNumber, ScenarioReader.number(word) == nil {
            sink.report(node, "\(quoted(name.text)) is a number, found \(quoted(word))")
        }
        switch name.row.values {
        case .word(let words), .words(let words), .kinds(let words): checkName(word, among: words, at: node)
        case .text, .number, .flag, .list: checkForm(of: word, name, at: node)
        }
    }

    private func checkForm(of word: String, _ name: FactName, at node: Node) {
        switch name {
        case .connection(_, "closedBy") where JournalEvent.Party(rawValue: word) == nil:
            sink.report(node, "\(quoted(word)) closes no connection", hint: "permitted: client, server")
        case .wire(_, "withheld") where word != "true" && word != "false":
            sink.report(node, "a body is withheld or it is not: true or false, found \(quoted(word))")
        case .wire(_, "chunks") where ScenarioReader.number(word) == nil:
            sink.report(node, "the chunks of a request are numbers of bytes, expected \(quoted(word))")
        case .guarding(_, "nc") where UInt64(word).map(String.init) != word:
            sink.report(
                node, "nonce counts are told as decimal numbers, found \(quoted(word))",
                hint: "write a number, or a list of numbers: \(UInt64(word) ?? 1)")
        case .guarding(_, "scheme") where word != word.lowercased():
            sink.report(
                node, "the scheme is told in lower case, found \(quoted(word))",
                hint: "did you mean \(quoted(word.lowercased()))?")
        case .tls(_, let fact) where fact != "resumed": checkTLSWord(word, fact, at: node)
        default:
            guard case .flag = name.row.values else { return }
            checkName(word, among: ["true", "false"], "word for \(quoted(name.text))", at: node)
        }
    }

    // MARK: TLS

    /// Reports a word that the value of a TLS fact can't be.
    private func checkTLSWord(_ word: String, _ fact: NamedFact, at node: Node) {
        switch fact {
        case "version":
            let versions = ["1.0", "1.1", "1.2", "1.3"]
            guard !versions.contains(word) else { return }
            sink.report(
                node, "unknown version of TLS: \(quoted(word))", hint: "permitted: \(versions.joined(separator: ", "))")
        case "end": checkName(word, among: ["secured", "failed"], "end of a handshake", at: node)
        case "alert":
            let spelled = String(word.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
            guard spelled != word else { return }
            sink.report(
                node, "alerts have the names of RFC 8446, found \(quoted(word))",
                hint: "did you mean \(quoted(spelled))?")
        case "certificate" where !certificates.contains(word):
            sink.report(
                node, "no origin of this scenario shows the certificate \(quoted(word))",
                hint: DiagnosticSink.hint(for: word, among: certificates))
        default: return
        }
    }

    private func checkName(_ word: String, among words: FactWords, at node: Node) {
        let all = words.all?() ?? origins.map(\.name)
        guard !all.contains(word) else { return }
        sink.report(
            node, "unknown \(words.noun) \(quoted(word))\(words.owner)",
            hint: DiagnosticSink.hint(for: word, among: all))
    }

    private func checkName(_ word: String, among words: [String], _ noun: String, at node: Node) {
        guard !words.contains(word) else { return }
        sink.report(node, "unknown \(noun): \(quoted(word))", hint: DiagnosticSink.hint(for: word, among: words))
    }
}
