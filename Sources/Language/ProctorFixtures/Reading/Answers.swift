import ProctorBase
import ProctorDocument
import ProctorProgram
import ProctorScenario

struct RedirectAnswerKeys: Sendable {
    let change = Key<Node>("change", isRequired: true)
}

struct ChangeKeys: Sendable {
    let method = Key<String>("method") { $1.token($0, "a method", in: "RFC 9110 §9.1") }
    let url = Key<Template>("url") { $1.url($0) }
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"))
}

struct WillCacheAnswerKeys: Sendable {
    let change = Key<Node>("change", isRequired: true)
}

struct CachedChangeKeys: Sendable {
    let body = Key("body", Shape<String>.text("a body"))
    let storage = Key("storage", Shape<ScriptedStorage>.choice("a storage policy"))
    let notes = Key<[String: String]>("notes") { $1.notes($0) }
}

struct ChallengeAnswerKeys: Sendable {
    let use = Key<Node>("use")
    let twice = Key<Node>("twice")
    let cancelTaskThenUse = Key<Node>("cancel-task-then-use")
    let identity = Key<Node>("identity")
    let persistence = UsualKey(
        "persistence", Shape<ClientProgram.Credential.Persistence>.choice("a persistence"), usual: .none)
}

/// The keys of a credential: a user name with a colon, or a Bearer token.
struct CredentialKeys: Sendable {
    let user = Key("user", Shape<String>.text("a user"))
    let password = Key("password", Shape<String>.text("a password"))
    let token = Key<String>("token") { node, reader in
        reader.sink.nonEmptyText(node, "a token") == nil ? nil : reader.line(node, "a token", hint: nil)
    }
}

extension ScenarioReader {
    static let redirectAnswerTable = Table("a redirect answer", RedirectAnswerKeys())
    static let changeTable = Table("a change", ChangeKeys())
    static let willCacheAnswerTable = Table("a cache answer", WillCacheAnswerKeys())
    static let cachedChangeTable = Table("a change", CachedChangeKeys())
    static let challengeAnswerTable = Table("a challenge answer", ChallengeAnswerKeys())
    static let credentialTable = Table("a credential", CredentialKeys())

    private static let redirectAnswers: [(word: String, value: ClientProgram.RedirectAnswer)] = [
        ("follow", .follow), ("refuse", .refuse), ("cancel", .cancel), ("cancel-then-follow", .cancelThenFollow),
        ("cancel-then-refuse", .cancelThenRefuse), ("never", .never), ("twice", .twice),
    ]

    func redirectAnswer(_ node: Node) -> ClientProgram.RedirectAnswer? {
        if node.entries != nil { return change(node) }
        return sink.word(
            node, "a redirect answer", among: Self.redirectAnswers,
            mappings: [("change", "write { change: { url: … } }")])
    }

    func willCacheAnswer(_ node: Node) -> ClientProgram.WillCacheAnswer? {
        guard node.entries != nil else {
            return sink.word(
                node, "a cache answer", among: ClientProgram.WillCacheAnswer.plain.map { ($0.word, $0) },
                mappings: [("change", "write { change: { body: … } }")])
        }
        guard let change = Self.willCacheAnswerTable.open(node, self)?[\.change],
            let keys = Self.cachedChangeTable.open(change, self)
        else { return nil }
        if change.entries?.isEmpty == true {
            sink.report(change, "a change needs \"body\", \"storage\" or \"notes\"")
        }
        return .change(
            Assignment.CachedChange(body: keys[\.body], storage: keys[\.storage], notes: keys[\.notes]))
    }

    func notes(_ node: Node) -> [String: String] {
        let entries = entries(node, "notes", from: "name to text", limit: Bounds.notes) ?? []
        let notes = entries.compactMap { entry in sink.text(entry.value, "a note").map { (entry.key, $0) } }
        return Dictionary(notes, uniquingKeysWith: { $1 })
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

    func canonicalAnswer(_ node: Node) -> ClientProgram.CanonicalAnswer? {
        if node.entries != nil {
            guard case .change(let method, let url, let headers)? = change(node) else { return nil }
            return .change(method: method, url: url, headers: headers)
        }
        guard let text = sink.text(node, "an answer to a rewritten request") else { return nil }
        if let known = ClientProgram.CanonicalAnswer(word: text) { return known }
        let hint =
            text == "change"
            ? "write { change: { url: … } }" : DiagnosticSink.hint(for: text, among: ["accept", "refuse", "change"])
        return sink.refuse(node, "unknown answer \(quoted(text)) to a rewritten request", hint: hint)
    }

    /// `decode`, `leave`, or a mapping from media types to these words.
    func decodeAnswer(_ node: Node) -> ClientProgram.DecodeAnswer? {
        guard let entries = node.entries else {
            guard let text = sink.text(node, "an answer to shouldDecode") else { return nil }
            if let known = ClientProgram.DecodeAnswer(word: text) { return known }
            return sink.refuse(
                node, "unknown answer \(quoted(text)) to shouldDecode",
                hint: DiagnosticSink.hint(for: text, among: ["decode", "leave"]))
        }
        guard !entries.isEmpty, entries.count <= Bounds.answers else {
            return sink.refuse(node, "expected 1 to \(Bounds.answers) types, found \(entries.count)")
        }
        let types = entries.compactMap { entry -> Assignment.DecodedType? in
            guard Self.isPlainType(entry.key) else {
                return sink.refuse(
                    entry.keyNode, "\(quoted(entry.key)) is no media type in lower case without parameters",
                    hint: "write application/macbinary")
            }
            guard let text = sink.text(entry.value, "decode or leave") else { return nil }
            guard text == "decode" || text == "leave" else {
                return sink.refuse(
                    entry.value, "unknown answer \(quoted(text)) to shouldDecode",
                    hint: DiagnosticSink.hint(for: text, among: ["decode", "leave"]))
            }
            return Assignment.DecodedType(type: entry.key, isDecoded: text == "decode")
        }
        return .byType(types.sorted { $0.type < $1.type })
    }

    /// Whether the text is `type/subtype` (RFC 6838 §4.2), in lower case.
    private static func isPlainType(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && text == text.lowercased()
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        $0.isASCIILetter || $0.isASCIIDigit || "!#$&^_.+-".utf8.contains($0)
                    }
            }
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
