import ProctorBase
import ProctorDocument

/// One guard, whatever its schemes are.
extension ScenarioReader {
    private static let guardKeys = [
        "realm", "users", "tokens", "proxy", "layout", "schemes", "refuse", "gives-up",
    ]

    private static let guardHints = ["says": "says stands in a scheme: { basic: { says: … } }"]

    /// A guard under `guards:`, or written where it is used; `realm` is what it says when the file says nothing.
    func readGuard(_ node: Node, index: Int, name: String, realm: String) -> Guard? {
        let errorCount = sink.diagnostics.count
        guard
            let reader = MappingReader(node, "a guard", keys: Self.guardKeys, hints: Self.guardHints, sink: sink)
        else { return nil }
        let proxy = reader["proxy"].map { sink.boolean($0, "proxy") } ?? false
        let isProxy = proxy ?? false
        let realms = reader["realm"].map(realms) ?? [realm]
        let accounts = reader["users"].map(accounts) ?? []
        let tokens = reader["tokens"].map(tokens) ?? []
        let schemes = reader.required("schemes", hint: "write schemes: [basic]").map(schemes) ?? []
        // What is missed, or seems to stand there twice, may be what could not be read.
        if sink.diagnostics.count == errorCount {
            checkOffer(schemes)
            checkMeans(schemes, tokens, reader)
        }
        if schemes.contains(where: { $0.name == .basic }) { checkAccountsOfBasic(reader["users"]?.entries ?? []) }
        let refusals = reader["refuse"].map { node in
            replies(node, scope: guardScope, kind: .guarding(status: isProxy ? 407 : 401, takesRaw: false))
        }
        if let node = reader["refuse"], let proxy { checkRefusals(node, isProxy: proxy) }
        let end = reader["gives-up"].flatMap(end)
        return Guard(
            index: index, name: name, isProxy: isProxy, schemes: schemes.compactMap(\.value), realms: realms,
            accounts: accounts, tokens: tokens,
            layout: reader["layout"].flatMap { sink.choice($0, "a layout", among: Guard.Layout.self) } ?? .lines,
            refusals: refusals ?? [], end: end, location: node.location)
    }

    /// A guard stands before requests of many patterns, so that none of their captures is there.
    var guardScope: TemplateScope {
        TemplateScope(origins: origins, captures: nil, captureless: "a guard answers requests of any pattern")
    }

    private func realms(_ node: Node) -> [String] {
        if node.items?.isEmpty == true { sink.report(node, "a list of realms needs at least one") }
        return sink.texts(node, "a realm", limit: Bounds.replies).compactMap { headText($0.node, "a realm") }
    }

    private func end(_ node: Node) -> Guard.End? {
        let keys = ["after", "reply"]
        let shape = node.text.flatMap { Int($0) }.map { "write { after: \($0) }" }
        guard let reader = MappingReader(node, "gives-up", keys: keys, shape: shape, sink: sink) else { return nil }
        let count = reader.required("after").flatMap {
            sink.integer($0, "a number of refused credentials", in: Bounds.failures)
        }
        let reply = reader["reply"].flatMap {
            self.reply($0, scope: guardScope, kind: .guarding(status: 403, takesRaw: true))
        }
        return count.map { Guard.End(failureCount: $0, reply: reply) }
    }

    /// Text that goes into a field of the head; `what` is the noun of the message: `a realm`.
    func headText(_ node: Node, _ what: String) -> String? {
        line(node, what, hint: "it would end the field") == nil ? nil : boundedText(node, what)
    }

    /// Text that a guard keeps.
    func boundedText(_ node: Node, _ what: String) -> String? {
        guard let text = sink.text(node, what) else { return nil }
        guard text.utf8.count <= Bounds.guardTextByteCount else {
            sink.report(
                node,
                "\(what) has \(text.utf8.count) bytes; at most \(Bounds.guardTextByteCount) are permitted")
            return nil
        }
        return text
    }
}
