import ProctorDocument
import ProctorTrace

extension ScenarioReader {
    private static let clientKeys = [
        "method", "url", "headers", "body", "bodyForm", "task", "onRedirect", "onChallenge", "onResponse",
        "onBodyStream", "cancelAt", "timeout", "resume",
    ]

    private var clientScope: TemplateScope { TemplateScope(origins: origins, captures: nil, allowsNow: true) }

    /// `client:` as one program or a list of steps; as many as the file has, unless one cannot be read.
    func clientPrograms(_ node: Node) -> [ClientProgram] {
        guard node.items != nil else { return clientProgram(node, step: 0).map { [$0] } ?? [] }
        guard let items = sink.list(node, "steps", limit: Bounds.steps) else { return [] }
        if items.isEmpty { sink.report(node, "a list of steps needs at least one") }
        return items.enumerated().compactMap { clientProgram($0.element, step: $0.offset) }
    }

    private func clientProgram(_ node: Node, step: Int) -> ClientProgram? {
        guard let reader = MappingReader(node, "a client program", keys: Self.clientKeys, sink: sink) else {
            return nil
        }
        let resume = reader["resume"].flatMap { self.resume($0, step: step) }
        // A step that resumes goes on with the earlier step's request.
        let urlNode = reader["resume"] == nil ? reader.required("url") : reader["url"]
        let url = urlNode.flatMap(self.url)
        let body = reader["body"].flatMap { bytes($0, "a body", scope: clientScope) }
        if let form = reader.entry("bodyForm")?.keyNode, reader["body"] == nil {
            sink.report(form, "\"bodyForm\" needs a body")
        }
        return ClientProgram(
            method: reader["method"].flatMap(method) ?? "GET", url: url ?? Template(parts: []),
            headers: reader["headers"].map { fields($0, "headers", scope: clientScope) } ?? [], body: body,
            bodyForm: reader["bodyForm"].flatMap { sink.choice($0, "a body form") } ?? .data,
            task: reader["task"].flatMap { sink.choice($0, "a task") } ?? .data,
            onRedirect: reader["onRedirect"].map { answers($0, "redirect answers", redirectAnswer) } ?? [.follow],
            onChallenge: reader["onChallenge"].map { answers($0, "challenge answers", challengeAnswer) } ?? [],
            onResponse: reader["onResponse"].flatMap { sink.choice($0, "a response answer") } ?? .allow,
            onBodyStream: reader["onBodyStream"].flatMap { sink.choice($0, "a body stream answer") } ?? .fresh,
            cancelAt: reader["cancelAt"].flatMap(cancelEvent), timeout: reader["timeout"].flatMap(timeout),
            resume: resume, location: node.location)
    }

    private func method(_ node: Node) -> String? {
        guard let text = sink.text(node, "a method") else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isTokenByte) { return text }
        sink.report(node, "expected a method as a token (RFC 9110 §9.1), found \(quoted(text))")
        return nil
    }

    /// Nothing is ever dialled outside the machine, so a host can only come from late-bound text.
    private func url(_ node: Node) -> Template? {
        guard let text = sink.text(node, "a URL"),
            let url = TemplateParser(scope: clientScope, sink: sink).parse(ScalarText(node, text))
        else { return nil }
        let hint = "begin with /, {{base}}, {{origin}} or {{origin.NAME}}"
        switch ClientURL.place(of: url) {
        case .local: return url
        case .relative: sink.report(node, "the URL \(quoted(text)) is relative to nothing", hint: hint)
        case .elsewhere: sink.report(node, "the URL \(quoted(text)) would leave this machine", hint: hint)
        }
        return nil
    }

    private func resume(_ node: Node, step: Int) -> Int? {
        guard step > 0 else {
            sink.report(node, "the first step has nothing to resume", hint: "write client: as a list of steps")
            return nil
        }
        return sink.integer(node, "resume", in: 0...(step - 1))
    }

    private func timeout(_ node: Node) -> Duration? {
        guard let text = sink.text(node, "a timeout") else { return nil }
        guard let nanoseconds = DurationText.nanoseconds(text), nanoseconds > 0,
            nanoseconds <= Bounds.waitNanoseconds
        else {
            sink.report(node, "expected \(DurationText.expected), more than 0 and at most 10m, found \(quoted(text))")
            return nil
        }
        return .nanoseconds(nanoseconds)
    }

    private func cancelEvent(_ node: Node) -> String? {
        guard let text = sink.text(node, "the name of an event") else { return nil }
        let ends = EventVocabulary.terminalNames
        let names = EventVocabulary.names(in: .task).filter { !ends.contains($0) }
        if names.contains(text) { return text }
        if ends.contains(text) {
            sink.report(node, "\(quoted(text)) is too late to cancel")
        } else {
            sink.report(node, "unknown event \(quoted(text))", hint: DiagnosticSink.hint(for: text, among: names))
        }
        return nil
    }

    /// One answer or a list of them in turn.
    private func answers<Answer>(_ node: Node, _ what: String, _ read: (Node) -> Answer?) -> [Answer] {
        guard node.items != nil else { return read(node).map { [$0] } ?? [] }
        guard let items = sink.list(node, what, limit: Bounds.answers) else { return [] }
        if items.isEmpty { sink.report(node, "a list of \(what) needs at least one") }
        return items.compactMap(read)
    }

    private func redirectAnswer(_ node: Node) -> ClientProgram.RedirectAnswer? {
        if node.entries != nil {
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
        guard let text = sink.text(node, "a redirect answer") else { return nil }
        switch text {
        case "follow": return .follow
        case "refuse": return .refuse
        case "cancel": return .cancel
        default:
            let hint =
                text == "change"
                ? "write { change: { url: … } }"
                : DiagnosticSink.hint(for: text, among: ["follow", "refuse", "cancel", "change"])
            sink.report(node, "unknown redirect answer \(quoted(text))", hint: hint)
            return nil
        }
    }

    private func challengeAnswer(_ node: Node) -> ClientProgram.ChallengeAnswer? {
        if node.entries != nil {
            guard let reader = MappingReader(node, "a challenge answer", keys: ["use"], sink: sink),
                let use = reader.required("use"), let text = sink.text(use, "a user and password")
            else { return nil }
            guard let colon = text.firstIndex(of: ":") else {
                sink.report(use, "expected \"user:password\", found \(quoted(text))")
                return nil
            }
            return .use(user: String(text[..<colon]), password: String(text[text.index(after: colon)...]))
        }
        guard let text = sink.text(node, "a challenge answer") else { return nil }
        switch text {
        case "use-none": return .useNone
        case "default": return .performDefault
        case "cancel": return .cancel
        case "reject": return .reject
        case "never": return .never
        default:
            let names = ["use-none", "default", "cancel", "reject", "never"]
            let hint = text == "use" ? "write { use: \"user:password\" }" : DiagnosticSink.hint(for: text, among: names)
            sink.report(node, "unknown challenge answer \(quoted(text))", hint: hint)
            return nil
        }
    }
}
