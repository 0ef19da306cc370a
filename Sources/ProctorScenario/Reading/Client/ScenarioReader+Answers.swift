import ProctorDocument

/// The answers a client program gives to redirects and challenges.
extension ScenarioReader {
    /// One answer or a list of them in turn.
    func answers<Answer>(_ node: Node, _ what: String, _ read: (Node) -> Answer?) -> [Answer] {
        guard node.items != nil else { return read(node).map { [$0] } ?? [] }
        guard let items = sink.list(node, what, limit: Bounds.answers) else { return [] }
        if items.isEmpty { sink.report(node, "a list of \(what) needs at least one") }
        return items.compactMap(read)
    }

    private static let redirectAnswers: [(name: String, answer: ClientProgram.RedirectAnswer)] = [
        ("follow", .follow), ("refuse", .refuse), ("cancel", .cancel), ("cancel-then-follow", .cancelThenFollow),
        ("cancel-then-refuse", .cancelThenRefuse), ("never", .never), ("twice", .twice),
    ]

    func redirectAnswer(_ node: Node) -> ClientProgram.RedirectAnswer? {
        if node.entries != nil { return change(node) }
        guard let text = sink.text(node, "a redirect answer") else { return nil }
        if let known = Self.redirectAnswers.first(where: { $0.name == text }) { return known.answer }
        let hint =
            text == "change"
            ? "write { change: { url: … } }"
            : DiagnosticSink.hint(for: text, among: Self.redirectAnswers.map(\.name) + ["change"])
        sink.report(node, "unknown redirect answer \(quoted(text))", hint: hint)
        return nil
    }

    private func change(_ node: Node) -> ClientProgram.RedirectAnswer? {
        guard let reader = MappingReader(node, "a redirect answer", keys: ["change"], sink: sink),
            let change = reader.required("change"),
            let parts = MappingReader(change, "a change", keys: ["method", "url", "headers"], sink: sink)
        else { return nil }
        if parts.entries.isEmpty, change.entries?.isEmpty == true {
            sink.report(change, "a change needs \"method\", \"url\" or \"headers\"")
        }
        return .change(
            method: parts["method"].flatMap(method), url: parts["url"].flatMap(url),
            headers: parts["headers"].map { fields($0, "headers", scope: clientScope) } ?? [])
    }

    private static let challengeAnswers: [(name: String, answer: ClientProgram.ChallengeAnswer)] = [
        ("use-none", .useNone), ("default", .performDefault), ("cancel", .cancel), ("cancel-task", .cancelTask),
        ("reject", .reject), ("never", .never), ("trust", .trust),
    ]
    private static let credentialAnswers = ["use", "twice", "cancel-task-then-use"]

    func challengeAnswer(_ node: Node) -> ClientProgram.ChallengeAnswer? {
        if node.entries != nil { return credentialAnswer(node) }
        guard let text = sink.text(node, "a challenge answer") else { return nil }
        if let known = Self.challengeAnswers.first(where: { $0.name == text }) {
            if case .trust = known.answer, !isSecured(text, node) { return nil }
            return known.answer
        }
        let hint =
            text == "identity"
            ? "write { identity: NAME }"
            : Self.credentialAnswers.contains(text)
                ? "write { \(text): \"user:password\" }"
                : text.contains(":")
                    ? "write { use: \(quoted(text)) }"
                    : DiagnosticSink.hint(
                        for: text, among: Self.challengeAnswers.map(\.name) + Self.credentialAnswers + ["identity"])
        sink.report(node, "unknown challenge answer \(quoted(text))", hint: hint)
        return nil
    }

    private func credentialAnswer(_ node: Node) -> ClientProgram.ChallengeAnswer? {
        let keys = Self.credentialAnswers + ["identity", "persistence"]
        guard let reader = MappingReader(node, "a challenge answer", keys: keys, sink: sink) else { return nil }
        if let entry = reader.entry("identity") {
            for other in reader.entries where other.key != "identity" {
                sink.report(other.keyNode, "\(quoted(other.key)) does not go with \"identity\"")
            }
            return identity(entry).map { .identity($0) }
        }
        let given = reader.entries.filter { Self.credentialAnswers.contains($0.key) }
        guard given.count == 1, let entry = given.first else {
            if given.isEmpty {
                _ = reader.required("use")
            } else {
                sink.report(node, "a challenge answer is one of \(Self.credentialAnswers.joined(separator: ", "))")
            }
            return nil
        }
        let persistence: ClientProgram.Credential.Persistence =
            reader["persistence"].flatMap { sink.choice($0, "a persistence") } ?? .none
        guard let credential = credential(entry.value, persistence) else { return nil }
        switch entry.key {
        case "twice": return .twice(credential)
        case "cancel-task-then-use": return .cancelTaskThenUse(credential)
        default: return .use(credential)
        }
    }

    /// `user:password`, `{ user: …, password: … }` for a user with a colon, or `{ token: … }`.
    private func credential(
        _ node: Node, _ persistence: ClientProgram.Credential.Persistence
    ) -> ClientProgram.Credential? {
        guard node.entries == nil else { return credentialParts(node, persistence) }
        guard let text = sink.text(node, "a user and password") else { return nil }
        guard let colon = text.firstIndex(of: ":") else {
            sink.report(
                node, "expected \"user:password\", found \(quoted(text))",
                hint: "write { token: … } for a token of Bearer")
            return nil
        }
        return ClientProgram.Credential(
            user: String(text[..<colon]), password: String(text[text.index(after: colon)...]),
            persistence: persistence)
    }

    private func credentialParts(
        _ node: Node, _ persistence: ClientProgram.Credential.Persistence
    ) -> ClientProgram.Credential? {
        let keys = ["user", "password", "token"]
        guard let reader = MappingReader(node, "a credential", keys: keys, sink: sink) else { return nil }
        if let token = reader["token"] {
            for entry in reader.entries where entry.key != "token" {
                sink.report(entry.keyNode, "\(quoted(entry.key)) does not go with \"token\"")
            }
            let text = sink.nonEmptyText(token, "a token") == nil ? nil : line(token, "a token", hint: nil)
            return text.map {
                ClientProgram.Credential(user: "", password: "", token: $0, persistence: persistence)
            }
        }
        guard !reader.entries.isEmpty else {
            sink.report(node, "a credential needs \"user\" and \"password\", or \"token\"")
            return nil
        }
        let user = reader.required("user").flatMap { sink.text($0, "a user") }
        let password = reader.required("password").flatMap { sink.text($0, "a password") }
        guard let user, let password else { return nil }
        return ClientProgram.Credential(user: user, password: password, persistence: persistence)
    }
}
