import ProctorBase
import ProctorDocument
import ProctorTrace

extension ScenarioReader {
    private static let sessionKeys = [
        "delegates", "queue", "end", "endAt", "cookies", "cache", "requestTimeout", "resourceTimeout", "proxy",
        "scheme", "trust", "identity",
    ]

    /// `session:` of a client program, whose own task tells the moment of its end.
    func session(
        _ node: Node, task: ClientProgram.TaskKind, onResponse: ClientProgram.ResponseAnswer
    ) -> SessionProgram? {
        guard let reader = MappingReader(node, "a session", keys: Self.sessionKeys, sink: sink) else { return nil }
        if let key = reader.entry("endAt")?.keyNode, reader["end"] == nil {
            sink.report(key, "\"endAt\" needs \"end\"", hint: "write end: finish or end: invalidate")
        }
        return SessionProgram(
            delegates: reader["delegates"].flatMap { sink.choice($0, "delegates") } ?? .session,
            queue: reader["queue"].flatMap { sink.choice($0, "a queue") } ?? .serial,
            end: reader["end"].flatMap { sink.choice($0, "an end") },
            endAt: reader["endAt"].flatMap { moment($0, "end the session", task: task, onResponse: onResponse) },
            cookies: reader["cookies"].flatMap { sink.choice($0, "a cookie policy") } ?? .always,
            cache: reader["cache"].flatMap { sink.integer($0, "bytes of cache", in: 0...(1 << 30)) },
            requestTimeout: reader["requestTimeout"].flatMap { duration($0, "a timeout") },
            resourceTimeout: reader["resourceTimeout"].flatMap { duration($0, "a timeout") },
            proxy: reader["proxy"].flatMap(proxyIndex), scheme: reader["scheme"].flatMap(ownScheme),
            trust: trust(reader) ?? .authority,
            identity: reader.entry("identity").flatMap(identity))
    }

    /// Schemes that clients do something else with.
    private static let takenSchemes = [
        "http", "https", "ws", "wss", "file", "ftp", "data", "about", "blob", "javascript", "mailto",
    ]

    /// In lower case, as schemes are compared (RFC 3986 §3.1).
    private func ownScheme(_ node: Node) -> String? {
        guard let text = sink.nonEmptyText(node, "a scheme") else { return nil }
        let isScheme =
            text.utf8.first.map(\.isASCIILetter) == true && text.utf8.count <= 32
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
        guard isScheme else {
            sink.report(
                node, "\(quoted(text)) is no scheme (RFC 3986 §3.1)",
                hint: "write a letter, then letters, digits, '+', '-' and '.', at most 32, like app")
            return nil
        }
        guard text == text.lowercased() else {
            sink.report(
                node, "a scheme of one's own is written in lower case", hint: "write \(quoted(text.lowercased()))")
            return nil
        }
        guard !Self.takenSchemes.contains(text) else {
            sink.report(
                node, "\(quoted(text)) means something to clients already",
                hint: "take a name that nobody has, like app")
            return nil
        }
        return text
    }

    private func trust(_ reader: MappingReader) -> SessionProgram.Trust? {
        guard let entry = reader.entry("trust"), isSecured("trust", entry.keyNode) else { return nil }
        return sink.choice(entry.value, "a trust")
    }

    /// `identity:` of a session or of an answer.
    func identity(_ entry: Node.Entry) -> String? {
        guard isSecured("identity", entry.keyNode),
            let name = name(entry.value, "the name of a client identity", "a client identity")
        else { return nil }
        identities.add(Scenario.Mention(name: name, location: entry.value.location))
        return name
    }

    /// Whether an origin speaks TLS; reports that none does.
    func isSecured(_ word: String, _ node: Node) -> Bool {
        guard plainOrigin != nil else { return true }
        sink.report(
            node, "\(quoted(word)) is about TLS, which no origin of this scenario speaks",
            hint: "write scheme: https at an origin")
        return false
    }

    private func proxyIndex(_ node: Node) -> Int? {
        guard let name = sink.text(node, "the name of an origin") else { return nil }
        guard let index = origins.firstIndex(of: name) else {
            sink.report(node, "unknown origin \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: origins))
            return nil
        }
        return index
    }
}
