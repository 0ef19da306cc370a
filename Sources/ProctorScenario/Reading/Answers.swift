import ProctorDocument
import ProctorProgram

struct RedirectAnswerKeys: Sendable {
    let change = Key(
        "change", Shape<Node>.node(ScenarioReader.changeTable.schema, takes: "a mapping"), leftOut: "required",
        says: "Another request in place of the offered one.")
}

struct ChangeKeys: Sendable {
    let method = Key("method", Shape<String>.method, says: "The request's method.")
    let url = Key("url", Shape<Template>(.ref("url"), takes: "a URL") { $1.url($0) }, says: "Where the request goes.")
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"), says: "Fields the client adds, in this order.")
}

struct ChallengeAnswerKeys: Sendable {
    let use = Key(
        "use", Shape<Node>.node(.ref("credential"), takes: "a credential"),
        says: "`user:password`, `{ user: …, password: … }` or `{ token: … }`.")
    let twice = Key(
        "twice", Shape<Node>.node(.ref("credential"), takes: "a credential"), says: "The credential, given twice.")
    let cancelTaskThenUse = Key(
        "cancel-task-then-use", Shape<Node>.node(.ref("credential"), takes: "a credential"),
        says: "The credential, given after the task was cancelled.")
    let identity = Key(
        "identity", Shape<Node>.node(["type": "string", "allOf": [.ref("identifier")]], takes: "a name"),
        says: "The client identity to show.")
    let persistence = UsualKey(
        "persistence", Shape<ClientProgram.Credential.Persistence>.choice("a persistence"), usual: .none,
        says: "How long the client is to remember it.")
}

/// A user name with a colon, or a Bearer token.
struct CredentialKeys: Sendable {
    let user = Key("user", Shape<String>.text("a user"), says: "May hold a colon.")
    let password = Key("password", Shape<String>.text("a password"), says: "May hold colons.")
    let token = Key(
        "token",
        Shape<String>(.scalar(["minLength": 1, "pattern": "^[^\\r\\n]*$"]), takes: "text") { node, reader in
            reader.sink.nonEmptyText(node, "a token") == nil ? nil : reader.line(node, "a token", hint: nil)
        }, says: "A token of Bearer.")
}

extension ScenarioReader {
    static let redirectAnswerTable = Table("a redirect answer", RedirectAnswerKeys())
    static let changeTable = Table("a change", ChangeKeys(), rules: ["minProperties": 1])
    static let challengeAnswerTable = Table("a challenge answer", ChallengeAnswerKeys())
    static let credentialTable = Table("a credential", CredentialKeys())

    static let redirectAnswerSchema: Schema = [
        "oneOf": [.words(redirectAnswers.map(\.name)), redirectAnswerTable.schema]
    ]
    static let challengeAnswerSchema: Schema = [
        "oneOf": [
            .words(challengeAnswers.map(\.name)),
            challengeAnswerTable.form([], optional: credentialAnswers + ["persistence"])
                .adding(["oneOf": .list(credentialAnswers.map { .required($0) })]),
            challengeAnswerTable.form(["identity"]),
        ]
    ]
    static let credentialSchema: Schema = [
        "oneOf": [
            ["description": "user:password", "type": "string", "pattern": ":"],
            credentialTable.form(["user", "password"]), credentialTable.form(["token"]),
        ]
    ]

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
        return sink.refuse(node, "unknown redirect answer \(quoted(text))", hint: hint)
    }

    private func change(_ node: Node) -> ClientProgram.RedirectAnswer? {
        guard let change = Self.redirectAnswerTable.open(node, self)?[\.change],
            let keys = Self.changeTable.open(change, self)
        else { return nil }
        if keys.entries.isEmpty, change.entries?.isEmpty == true {
            sink.report(change, "a change needs \"method\", \"url\" or \"headers\"")
        }
        return .change(method: keys[\.method], url: keys[\.url], headers: keys[\.headers] ?? [])
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
            if case .trust = known.answer { secondPass.later { _ = $0.isSecured(text, node) } }
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
        return sink.refuse(node, "unknown challenge answer \(quoted(text))", hint: hint)
    }

    private func credentialAnswer(_ node: Node) -> ClientProgram.ChallengeAnswer? {
        guard let keys = Self.challengeAnswerTable.open(node, self) else { return nil }
        if let entry = keys.entry(\.identity) {
            for other in keys.entries where other.key != "identity" {
                sink.report(other.keyNode, "\(quoted(other.key)) does not go with \"identity\"")
            }
            return identity(entry).map { .identity($0) }
        }
        let given = keys.entries.filter { Self.credentialAnswers.contains($0.key) }
        guard given.count == 1, let entry = given.first else {
            if given.isEmpty {
                _ = keys.raw.required("use")
            } else {
                sink.report(node, "a challenge answer is one of \(Self.credentialAnswers.joined(separator: ", "))")
            }
            return nil
        }
        guard let credential = credential(entry.value, keys[\.persistence]) else { return nil }
        switch entry.key {
        case "twice": return .twice(credential)
        case "cancel-task-then-use": return .cancelTaskThenUse(credential)
        default: return .use(credential)
        }
    }

    /// `user:password`, `{ user: …, password: … }` for a user name with a colon, or `{ token: … }`.
    private func credential(
        _ node: Node, _ persistence: ClientProgram.Credential.Persistence
    ) -> ClientProgram.Credential? {
        guard node.entries == nil else { return credentialParts(node, persistence) }
        guard let text = sink.text(node, "a user and password") else { return nil }
        guard let colon = text.firstIndex(of: ":") else {
            return sink.refuse(
                node, "expected \"user:password\", found \(quoted(text))",
                hint: "write { token: … } for a token of Bearer")
        }
        return ClientProgram.Credential(
            user: String(text[..<colon]), password: String(text[text.index(after: colon)...]),
            persistence: persistence)
    }

    private func credentialParts(
        _ node: Node, _ persistence: ClientProgram.Credential.Persistence
    ) -> ClientProgram.Credential? {
        guard let keys = Self.credentialTable.open(node, self) else { return nil }
        if keys.has(\.token) {
            for entry in keys.entries where entry.key != "token" {
                sink.report(entry.keyNode, "\(quoted(entry.key)) does not go with \"token\"")
            }
            return keys[\.token].map {
                ClientProgram.Credential(user: "", password: "", token: $0, persistence: persistence)
            }
        }
        guard !keys.entries.isEmpty else {
            return sink.refuse(node, "a credential needs \"user\" and \"password\", or \"token\"")
        }
        _ = keys.raw.required("user")
        let user = keys[\.user]
        _ = keys.raw.required("password")
        let password = keys[\.password]
        guard let user, let password else { return nil }
        return ClientProgram.Credential(user: user, password: password, persistence: persistence)
    }
}
