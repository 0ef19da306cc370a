import ProctorBase
import ProctorDocument
import ProctorProgram
import ProctorScenario

typealias StepKey = PlainKey<Assignment.Step>

struct ClientKeys: Sendable {
    let method = StepKey("method", \.method, .init { $1.token($0, "a method", in: "RFC 9110 §9.1") })
    let url = Key<Node>("url")
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"))
    let body = Key("body", Shape<ByteSource>.bytes("a body"))
    let bodyForm = StepKey("bodyForm", \.bodyForm, .choice("a body form"))
    let trailers = Key("trailers", Shape<[ReplyField]>.fields("trailers"))
    let bodyLength = StepKey("bodyLength", \.bodyLength, .integer("bytes", in: Bounds.sourceBytes))
    let bodyFailsAt = StepKey("bodyFailsAt", \.bodyFailsAt, .integer("bytes", in: Bounds.sourceBytes))
    let bodyTurns = StepKey("bodyTurns", \.bodyTurns, .choice("a turn"))
    let bodyAfter = StepKey("bodyAfter", \.bodyAfter, .integer("a step", in: Bounds.stepIndexes))
    let task = StepKey("task", \.task, .choice("a task"))
    let onRedirect = Key<[ClientProgram.RedirectAnswer]>("onRedirect") { node, reader in
        reader.oneOrMore(node, "redirect answers", limit: Bounds.answers).compactMap(reader.redirectAnswer)
    }
    let onChallenge = Key<[ClientProgram.ChallengeAnswer]>("onChallenge") { node, reader in
        reader.oneOrMore(node, "challenge answers", limit: Bounds.answers).compactMap(reader.challengeAnswer)
    }
    let onResponse = StepKey("onResponse", \.onResponse, .choice("a response answer"))
    let onBodyStream = StepKey("onBodyStream", \.onBodyStream, .choice("a body stream answer"))
    let onWillCache = StepKey("onWillCache", \.onWillCache, .init { $1.willCacheAnswer($0) })
    let onCanAuthenticate = StepKey("onCanAuthenticate", \.onCanAuthenticate, .boolean("onCanAuthenticate"))
    let onCredentialStorage = StepKey("onCredentialStorage", \.onCredentialStorage, .boolean("onCredentialStorage"))
    let onShouldDecode = StepKey("onShouldDecode", \.onShouldDecode, .init { $1.decodeAnswer($0) })
    let onCanonicalize = Key<ClientProgram.CanonicalAnswer>("onCanonicalize") { $1.canonicalAnswer($0) }
    let answerAfter = StepKey("answerAfter", \.answerAfter, .milliseconds("a delay"))
    let cancelAt = Key<Node>("cancelAt")
    let cancelAfter = StepKey("cancelAfter", \.cancelAfter, .integer("a step", in: Bounds.stepIndexes))
    let resumeData = StepKey("resumeData", \.producesResumeData, .boolean("resumeData"))
    let download = StepKey(
        "download", \.download,
        .init {
            $1.downloadFile($0)
        })
    let suspendAt = Key<Node>("suspendAt")
    let suspendFor = StepKey("suspendFor", \.suspendFor, .milliseconds("a delay"))
    let suspendUntil = StepKey("suspendUntil", \.suspendUntil, .integer("a step", in: Bounds.stepIndexes))
    let timeout = StepKey("timeout", \.timeout, .milliseconds("a timeout"))
    let resume = Key<Node>("resume")
    let together = StepKey("together", \.isTogether, .boolean("together"))
    let launch = StepKey("launch", \.isLaunch, .boolean("launch"))
    let cachePolicy = StepKey("cachePolicy", \.cachePolicy, .choice("a cache policy"))
    let schedule = StepKey("schedule", \.schedule, .init { $1.schedule($0) })
    let `protocol` = Key<[ProtocolCall]>("protocol") { $1.protocolScript($0) }
    let page = Key<Template>("page") { $1.url($0) }
    let fetch = StepKey("fetch", \.fetch, .init { $1.fetchOptions($0) })
    let form = StepKey("form", \.form, .init { $1.decodedValues($0, "a form") })
    let query = StepKey("query", \.query, .init { $1.decodedValues($0, "a query") })
    let byHand = StepKey("byHand", \.byHand, .init { $1.actsByHand($0) })
    let protocols = StepKey("protocols", \.protocols, .init { $1.offeredProtocols($0) })
    let conversation = StepKey("conversation", \.conversation, .init { $1.conversation($0) })
    let bytes = StepKey("bytes", \.bytes, .init { $1.byteActs($0) })
    let session = Key<Node>("session")
}

struct VerbatimKeys: Sendable {
    let verbatim = Key<Node>("verbatim")
    let reference = Key<Template>("reference") { $1.reference($0) }
}

extension Template {
    /// A reference that begins with an authority (RFC 3986 §4.2), as a URL of http; any other as it is.
    fileprivate var withScheme: Template {
        guard case .literal(let bytes)? = parts.first, bytes.starts(with: "//".utf8) else { return self }
        return Template(parts: [.literal(Array("http:".utf8) + bytes)] + parts.dropFirst())
    }

    fileprivate var holdsFragment: Bool {
        parts.contains { if case .literal(let bytes) = $0 { bytes.contains(UInt8(ascii: "#")) } else { false } }
    }
}

extension ScenarioReader {
    fileprivate func decodedValues(_ node: Node, _ what: String) -> [[String]] {
        let entries = entries(node, what, from: "name to value", limit: Bounds.values) ?? []
        return entries.flatMap { entry in
            oneOrMore(entry.value, "values", limit: Bounds.values).compactMap { item in
                sink.text(item, "a value").map { [entry.key, $0] }
            }
        }
    }
}

extension ScenarioReader {
    static let clientTable = Table("a client program", ClientKeys())

    private static let plainClientKeys = clientTable.plainKeys(of: Assignment.Step.self)
    static let verbatimTable = Table("a URL", VerbatimKeys())

    /// `client:` as one program or a list of steps; a step that can't be read is reported and left out.
    func clientPrograms(_ node: Node) -> [ClientProgram] {
        var reader = self
        reader.goesThroughProxy = (node.items?.first ?? node).namesProxy
        var programs: [ClientProgram] = []
        for (index, step) in oneOrMore(node, "steps", limit: Bounds.steps).enumerated() {
            let first = index == 0 ? nil : programs.first?.session ?? SessionProgram()
            if let program = reader.clientProgram(step, step: index, of: first) { programs.append(program) }
        }
        checkWaits(programs, at: node)
        if programs.count(where: \.isLaunch) > Bounds.launches {
            sink.report(node, "a program starts the client again at most \(Bounds.launches) times")
        }
        return programs
    }

    /// Reports steps that wait for the end of a step that does not run beside them.
    private func checkWaits(_ programs: [ClientProgram], at node: Node) {
        for (index, program) in programs.enumerated() {
            for awaited in program.step.awaitedSteps
            where awaited == index || !programs.indices.contains(awaited)
                || !programs[(min(index, awaited) + 1)...max(index, awaited)].allSatisfy(\.isTogether)
            {
                sink.report(
                    node, "step \(index) waits for the end of step \(awaited), which does not run beside it",
                    hint: "name another step, and write together: true at the later ones")
            }
        }
    }

    /// The step; `session` is that of the first step, nil for the first itself.
    private func clientProgram(_ node: Node, step: Int, of session: SessionProgram?) -> ClientProgram? {
        guard let keys = Self.clientTable.open(node, self) else { return nil }
        let resume = keys[\.resume].flatMap { self.resume($0, step: step) }
        // A step with resume data repeats the request of the earlier step.
        let urlNode = keys.has(\.resume) || keys.has(\.bytes) ? keys[\.url] : keys.raw.required("url")
        let isReference = urlNode?.entries?.contains { $0.key == "reference" } == true
        let isURLVerbatim = urlNode?.entries != nil && !isReference
        let url = urlNode.flatMap(isURLVerbatim ? verbatimURL : isReference ? baseReference : self.url)
        var program = ClientProgram(url: url ?? Template(parts: []), location: node.location)
        program.step.suspendFor = ClientProgram.usualPause
        keys.read(Self.plainClientKeys, into: &program.step)
        (program.isURLVerbatim, program.isReference) = (isURLVerbatim, isReference)
        program.body = keys[\.body]
        if let headers = keys[\.headers] { program.headers = headers }
        if let trailers = keys[\.trailers] { program.trailers = trailers }
        if let onRedirect = keys[\.onRedirect] { program.onRedirect = onRedirect }
        if let onChallenge = keys[\.onChallenge] { program.onChallenge = onChallenge }
        program.onCanonicalize = keys[\.onCanonicalize]
        program.protocolScript = keys[\.protocol]
        program.page = keys[\.page]
        program.step.resume = resume
        let moments = MomentReader(reader: self, task: program.task, onResponse: program.onResponse)
        program.step.cancelAt = keys[\.cancelAt].flatMap { moments.moment($0, to: "cancel") }
        program.step.suspendAt = keys[\.suspendAt].flatMap { moments.moment($0, to: "suspend") }
        if program.suspendAt == nil || program.step.suspendUntil != nil { program.step.suspendFor = 0 }
        program.session = keys[\.session].flatMap { self.session($0, moments, changing: session) }
        if let urlNode, isReference, (program.session ?? session)?.baseURL == nil {
            sink.report(
                urlNode, "a reference is resolved against the base URL of the session, which has none",
                hint: "write session: { baseURL: URL }")
        }
        check(keys, program, step: step)
        return program
    }

    /// Reports keys that contradict each other.
    private func check(_ keys: Mapping<ClientKeys>, _ program: ClientProgram, step: Int) {
        func require(_ isRight: Bool, _ entry: Node.Entry?, _ sentence: String, hint: String? = nil) {
            if let entry, !isRight { sink.report(entry.keyNode, sentence, hint: hint) }
        }
        if keys.has(\.bytes), let other = keys.entries.first(where: { $0.key != "bytes" }) {
            sink.report(other.keyNode, "a step that sends bytes is no load, so that \(quoted(other.key)) says nothing")
        }
        let task = program.task
        let form = keys.entry(\.form)
        require(keys.has(\.body), keys.entry(\.bodyForm), "\"bodyForm\" needs a body")
        require(!keys.has(\.body), form, "a request has \"form\" or \"body\", not both")
        require(
            !["GET", "HEAD"].contains(program.method), form, "a form is the content of a request",
            hint: "write method: POST")
        require(
            !program.isURLVerbatim && !program.url.holdsFragment, keys.entry(\.query),
            "\"query\" stands beside a URL without a fragment, which is not verbatim")
        require(
            keys.has(\.page), keys.entry(\.fetch), "only a page says something to \"fetch\"", hint: "write page: URL")
        require(
            task == .data, keys.entry(\.page),
            "a page makes its request with fetch, and task: \(task.rawValue) is another")
        require(keys.has(\.suspendAt), keys.entry(\.suspendFor), "\"suspendFor\" needs \"suspendAt\"")
        for entry in [
            keys.entry(\.trailers), keys.entry(\.bodyLength), keys.entry(\.bodyFailsAt), keys.entry(\.bodyTurns),
            keys.entry(\.bodyAfter),
        ] {
            require(
                keys.has(\.body) && program.bodyForm == .requestStream, entry,
                "only a stream that goes with the request has \(quoted(entry?.key ?? ""))",
                hint: "write body: and bodyForm: http-body-stream")
        }
        require(
            !keys.has(\.bodyLength), keys.entry(\.trailers),
            "only content of unknown length has trailers behind it", hint: "leave bodyLength out")
        require(!keys.has(\.cancelAt), keys.entry(\.cancelAfter), "a load is cancelled once: \"cancelAt\" says when")
        require(keys.has(\.suspendAt), keys.entry(\.suspendUntil), "\"suspendUntil\" needs \"suspendAt\"")
        require(
            !keys.has(\.suspendFor), keys.entry(\.suspendUntil),
            "a load is suspended for a time or until a step ends, not both")
        require(step > 0, keys.entry(\.together), "the first step has none before it to begin with")
        require(step > 0, keys.entry(\.launch), "the first step is the first launch, and none ends before it")
        require(
            !program.isTogether, keys.entry(\.launch), "a step of a new process begins with none of the process before",
            hint: "leave out together: or launch:")
        // Only a cancelled download produces resume data.
        require(keys.has(\.cancelAt), keys.entry(\.resumeData), "\"resumeData\" needs \"cancelAt\"")
        require(
            task == .download || !keys.has(\.cancelAt), keys.entry(\.resumeData),
            "only a download task produces resume data", hint: "write task: download")
        require(
            [.data, .upload, .download].contains(task), keys.entry(\.schedule),
            "only a connection with a delegate is scheduled, and task: \(task.rawValue) has none")
        for entry in [keys.entry(\.protocols), keys.entry(\.conversation)] {
            require(
                task == .websocket, entry, "only a WebSocket has \(quoted(entry?.key ?? ""))",
                hint: "write task: websocket")
        }
        require(
            task == .download, keys.entry(\.download), "only a download task has a file", hint: "write task: download")
    }

    fileprivate func offeredProtocols(_ node: Node) -> [String] {
        oneOrMore(node, "protocols", limit: Bounds.values).compactMap {
            token($0, "a protocol", in: "RFC 6455 §4.1")
        }
    }

    /// A URL, whose host must be late-bound so that no client connects to another machine.
    func url(_ node: Node) -> Template? {
        guard let text = sink.text(node, "a URL"),
            let url = TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text))
        else { return nil }
        secondPass.later { [goesThroughProxy] resolver in
            resolver.checkURL(url, text, hosts: resolver.hosts(throughProxy: goesThroughProxy), at: node)
        }
        return url
    }

    /// `{ verbatim: TEXT }`: text that is no URL and contains no host, which clients should refuse.
    private func verbatimURL(_ node: Node) -> Template? {
        guard let keys = Self.verbatimTable.open(node, self),
            let entry = keys.entry(\.verbatim)?.value ?? keys.raw.required("verbatim"),
            let text = sink.text(entry, "a text in place of a URL")
        else { return nil }
        if TargetPlace.namesNoHost(Array(text.utf8)) { return Template(parts: [.literal(Array(text.utf8))]) }
        return sink.refuse(
            entry, "the text \(quoted(text)) may name a host, and a client might ask it",
            hint: "leave it empty, or begin with one /, ? or #, and write no space or control")
    }

    /// `{ reference: TEXT }`.
    private func baseReference(_ node: Node) -> Template? {
        guard let keys = Self.verbatimTable.open(node, self) else { return nil }
        if let entry = keys.entry(\.verbatim) {
            sink.report(entry.keyNode, "a URL is \"verbatim\" or \"reference\", not both")
        }
        return keys[\.reference]
    }

    /// A reference (RFC 3986 §4.1), which leads to no other machine.
    fileprivate func reference(_ node: Node) -> Template? {
        guard let text = sink.nonEmptyText(node, "a reference"),
            let reference = TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text))
        else { return nil }
        secondPass.later { [goesThroughProxy] resolver in
            let hosts = resolver.hosts(throughProxy: goesThroughProxy)
            guard !TargetPlace.staysOnMachine(reference.withScheme, hosts: hosts) else { return }
            resolver.sink.report(
                node, "the reference \(quoted(text)) would leave this machine",
                hint: "write a path, //{{authority.NAME}} or {{origin.NAME}}")
        }
        return reference
    }

    private func resume(_ node: Node, step: Int) -> Int? {
        guard step > 0 else {
            return sink.refuse(node, "the first step has nothing to resume", hint: "write client: as a list of steps")
        }
        return sink.integer(node, "resume", in: 0...(step - 1))
    }
}

extension Resolver {
    /// Reports a URL whose host is another machine.
    fileprivate func checkURL(_ url: Template, _ text: String, hosts: TargetPlace.Hosts, at node: Node) {
        switch TargetPlace(of: url, hosts: hosts) {
        case .local: return
        case .relative: sink.report(node, "the URL \(quoted(text)) is relative to nothing", hint: hosts.hint)
        case .elsewhere:
            let host = TargetPlace.host(of: url).flatMap { try? HostName(parsing: $0).text }
            let declaring = host.map { "write host: \($0) at an origin, and no one looks for it elsewhere" }
            let otherwise = hosts == .none ? "\(hosts.hint), or say session: { proxy: NAME }" : hosts.hint
            sink.report(
                node, "the URL \(quoted(text)) would leave this machine",
                hint: hosts == .kept ? otherwise : declaring ?? otherwise)
        }
    }
}

extension TargetPlace.Hosts {
    /// The permitted beginnings of a URL.
    var hint: String {
        let start = "begin with /, {{base}}, {{origin}} or {{origin.NAME}}"
        switch self {
        case .none: return start
        case .ofProxy: return "\(start), or name a host in .test or .invalid"
        case .kept: return "\(start), or name a host in \(HostName.domainText)"
        }
    }
}

extension Node {
    /// Whether the first program of the case sets up a session with a proxy.
    fileprivate var namesProxy: Bool {
        let session = entries?.first { $0.key == "session" }?.value
        return session?.entries?.contains { $0.key == "proxy" || $0.key == "pac" } == true
    }
}
