import ProctorDocument
import ProctorTrace

extension ScenarioReader {
    private static let clientKeys = [
        "method", "url", "headers", "body", "bodyForm", "task", "onRedirect", "onChallenge", "onResponse",
        "onBodyStream", "onWillCache", "answerAfter", "cancelAt", "resumeData", "suspendAt", "suspendFor", "timeout",
        "resume", "cachePolicy", "protocol", "session",
    ]

    var clientScope: TemplateScope { TemplateScope(origins: origins, captures: nil, allowsNow: true) }

    /// `client:` as one program or a list of steps; as many as the file has, unless one cannot be read.
    func clientPrograms(_ node: Node) -> [ClientProgram] {
        var reader = self
        reader.goesThroughProxy = (node.items?.first ?? node).namesProxy
        guard node.items != nil else { return reader.clientProgram(node, step: 0).map { [$0] } ?? [] }
        guard let items = sink.list(node, "steps", limit: Bounds.steps) else { return [] }
        if items.isEmpty { sink.report(node, "a list of steps needs at least one") }
        return items.enumerated().compactMap { reader.clientProgram($0.element, step: $0.offset) }
    }

    private func clientProgram(_ node: Node, step: Int) -> ClientProgram? {
        guard let reader = MappingReader(node, "a client program", keys: Self.clientKeys, sink: sink) else {
            return nil
        }
        let resume = reader["resume"].flatMap { self.resume($0, step: step) }
        // A step that resumes goes on with the earlier step's request.
        let urlNode = reader["resume"] == nil ? reader.required("url") : reader["url"]
        let isURLVerbatim = urlNode?.entries != nil
        let url = urlNode.flatMap(isURLVerbatim ? verbatimURL : self.url)
        let body = reader["body"].flatMap { bytes($0, "a body", scope: clientScope) }
        if let form = reader.entry("bodyForm")?.keyNode, reader["body"] == nil {
            sink.report(form, "\"bodyForm\" needs a body")
        }
        let task = reader["task"].flatMap { sink.choice($0, "a task", among: ClientProgram.TaskKind.self) } ?? .data
        let onResponse =
            reader["onResponse"].flatMap {
                sink.choice($0, "a response answer", among: ClientProgram.ResponseAnswer.self)
            } ?? .allow
        let moment = { [self] (node: Node, act: String) in
            self.moment(node, act, task: task, onResponse: onResponse)
        }
        checkSuspension(reader)
        if let session = reader.entry("session")?.keyNode, step > 0 {
            sink.report(session, "the session is set up by the first step, for all steps")
        }
        return ClientProgram(
            method: reader["method"].flatMap(method) ?? "GET", url: url ?? Template(parts: []),
            headers: reader["headers"].map { fields($0, "headers", scope: clientScope) } ?? [], body: body,
            bodyForm: reader["bodyForm"].flatMap { sink.choice($0, "a body form") } ?? .data, task: task,
            onRedirect: reader["onRedirect"].map { answers($0, "redirect answers", redirectAnswer) } ?? [.follow],
            onChallenge: reader["onChallenge"].map { answers($0, "challenge answers", challengeAnswer) } ?? [],
            onResponse: onResponse,
            onBodyStream: reader["onBodyStream"].flatMap { sink.choice($0, "a body stream answer") } ?? .fresh,
            onWillCache: reader["onWillCache"].flatMap { sink.choice($0, "a cache answer") } ?? .store,
            answerAfter: reader["answerAfter"].flatMap { duration($0, "a delay") },
            cancelAt: reader["cancelAt"].flatMap { moment($0, "cancel") },
            producesResumeData: resumeData(reader, task),
            suspendAt: reader["suspendAt"].flatMap { moment($0, "suspend") },
            suspendFor: reader["suspendFor"].flatMap { duration($0, "a delay") } ?? .milliseconds(100),
            timeout: reader["timeout"].flatMap { duration($0, "a timeout") }, resume: resume,
            cachePolicy: reader["cachePolicy"].flatMap { sink.choice($0, "a cache policy") },
            protocolScript: reader["protocol"].map(protocolScript),
            session: reader["session"].flatMap { session($0, task: task, onResponse: onResponse) },
            location: node.location, isURLVerbatim: isURLVerbatim)
    }

    private func checkSuspension(_ reader: MappingReader) {
        if let key = reader.entry("suspendFor")?.keyNode, reader["suspendAt"] == nil {
            sink.report(key, "\"suspendFor\" needs \"suspendAt\"")
        }
    }

    /// Only a download produces resume data, and only when it is cancelled.
    private func resumeData(_ reader: MappingReader, _ task: ClientProgram.TaskKind) -> Bool {
        guard let entry = reader.entry("resumeData") else { return false }
        if reader["cancelAt"] == nil {
            sink.report(entry.keyNode, "\"resumeData\" needs \"cancelAt\"")
        } else if task != .download {
            sink.report(entry.keyNode, "only a download task produces resume data", hint: "write task: download")
        }
        return sink.boolean(entry.value, "resumeData") ?? false
    }

    func method(_ node: Node) -> String? {
        guard let text = sink.text(node, "a method") else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isTokenByte) { return text }
        sink.report(node, "expected a method as a token (RFC 9110 §9.1), found \(quoted(text))")
        return nil
    }

    /// Nothing is ever dialled outside the machine, so a host can only come from late-bound text.
    func url(_ node: Node) -> Template? {
        guard let text = sink.text(node, "a URL"),
            let url = TemplateParser(scope: clientScope, sink: sink).parse(ScalarText(node, text))
        else { return nil }
        switch ClientURL.place(of: url, hosts: hosts) {
        case .local: return url
        case .relative: sink.report(node, "the URL \(quoted(text)) is relative to nothing", hint: hostHint)
        case .elsewhere:
            let host = ClientURL.host(of: url).flatMap { try? HostName(parsing: $0).text }
            let declaring = host.map { "write host: \($0) at an origin, and no one looks for it elsewhere" }
            let otherwise = hosts == .none ? "\(hostHint), or say session: { proxy: NAME }" : hostHint
            sink.report(
                node, "the URL \(quoted(text)) would leave this machine",
                hint: hosts == .kept ? otherwise : declaring ?? otherwise)
        }
        return nil
    }

    /// `{ verbatim: TEXT }`: what is no URL by itself and names nobody, for clients to refuse.
    private func verbatimURL(_ node: Node) -> Template? {
        guard let reader = MappingReader(node, "a URL", keys: ["verbatim"], sink: sink),
            let value = reader.required("verbatim"), let text = sink.text(value, "a text in place of a URL")
        else { return nil }
        if ClientURL.namesNobody(Array(text.utf8)) { return Template(parts: [.literal(Array(text.utf8))]) }
        sink.report(
            value, "the text \(quoted(text)) may name a host, and a client might ask it",
            hint: "leave it empty, or begin with one /, ? or #, and write no space or control")
        return nil
    }

    /// Which hosts a URL of the program that is read now may spell out.
    var hosts: ClientURL.Hosts { hasNames ? .kept : goesThroughProxy ? .ofProxy : .none }

    var hostHint: String {
        let start = "begin with /, {{base}}, {{origin}} or {{origin.NAME}}"
        switch hosts {
        case .none: return start
        case .ofProxy: return "\(start), or name a host in .test or .invalid"
        case .kept: return "\(start), or name a host in \(HostName.domainText)"
        }
    }

    private func resume(_ node: Node, step: Int) -> Int? {
        guard step > 0 else {
            sink.report(node, "the first step has nothing to resume", hint: "write client: as a list of steps")
            return nil
        }
        return sink.integer(node, "resume", in: 0...(step - 1))
    }
}

extension Node {
    /// Whether a client program, the first of its case, sets up a session with a proxy.
    fileprivate var namesProxy: Bool {
        let session = entries?.first { $0.key == "session" }?.value
        return session?.entries?.contains { $0.key == "proxy" } == true
    }
}
