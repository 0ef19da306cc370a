import ProctorBase
import ProctorDocument
import ProctorProgram

struct ClientKeys: Sendable {
    let method = Key(
        "method", Shape<String>.method, leftOut: "`GET`", says: "The request's method.")
    let url = Key(
        "url", Shape<Node>.node(.ref("url"), takes: "a URL, or `{ verbatim: TEXT }`"),
        says:
            "The URL of the request. It begins with `/` (below `{{base}}`), `{{base}}`, `{{origin}}` or "
            + "`{{origin.NAME}}`; or it is a whole URL with a late-bound host, as "
            + "`http://user:password@{{authority}}/`, or with a host that is [in no DNS](#names). Spaces and "
            + "controls may stand before it. No URL leads off this machine. `{ verbatim: TEXT }` gives the client a "
            + "text that is no URL by itself: an empty one, or one that begins with one `/`, with `?` or with `#`, so "
            + "that no client can find a host in it. Required, except beside `resume`."
    )
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"), says: "Fields the client adds, in this order.")
    let body = Key("body", Shape<ByteSource>.bytes("a body"), says: "The request's content.")
    let bodyForm = UsualKey(
        "bodyForm", Shape<ClientProgram.BodyForm>.choice("a body form"), usual: .data,
        says:
            "How the body is handed over: `data` in memory, a `file`, a `stream` when it is asked for one, "
            + "`http-body-stream` (with the request, so that no question comes) or `bound-pair` (a stream whose "
            + "other end the test writes to). `http-body-file-stream` and `http-bound-pair` go with the request too: a "
            + "stream that reads a file, and a pair into whose other end the test writes the second half 300 ms later."
    )
    let task = UsualKey(
        "task", Shape<ClientProgram.TaskKind>.choice("a task"), usual: .data,
        says:
            "Which kind of task the client uses; `handler` has a completion handler, `async` uses `await`, "
            + "`synchronous` and `queued` are the requests of NSURLConnection without a delegate.")
    let onRedirect = Key(
        "onRedirect",
        Shape<[ClientProgram.RedirectAnswer]>.answers("redirect answers", .ref("redirectAnswer")) {
            $1.redirectAnswer($0)
        }, leftOut: "`follow`",
        says:
            "The answer to each redirect in turn; the last one stays. `follow`, `refuse`, `{ change: { method, url, "
            + "headers } }`; `cancel` cancels the task and gives no answer, `cancel-then-follow` and "
            + "`cancel-then-refuse` give one after it; `never`; `twice` follows and says so again."
    )
    let onChallenge = Key(
        "onChallenge",
        Shape<[ClientProgram.ChallengeAnswer]>.answers("challenge answers", .ref("challengeAnswer")) {
            $1.challengeAnswer($0)
        }, leftOut: "as if the method were not implemented",
        says:
            "The answer to each credential question in turn; the last one stays. `{ use: \"user:password\" }`, `{ "
            + "use: { user: \"a:b\", password: c } }` for a name with a colon, `{ use: { token: T } }` for "
            + "Bearer; `use-none`, `default`, `cancel`, `reject`; `cancel-task` (the task, without an answer), "
            + "`{ cancel-task-then-use: \"user:password\" }`, `never`, `{ twice: \"user:password\" }`. "
            + "`persistence: none` (the default), `session` or `permanent` stands beside a credential. To the "
            + "challenges of [TLS](#trust-and-identities) `trust` and `{ identity: NAME }` are answers too."
    )
    let onResponse = UsualKey(
        "onResponse", Shape<ClientProgram.ResponseAnswer>.choice("a response answer"), usual: .allow,
        says: "The answer when the response head has come.")
    let onBodyStream = UsualKey(
        "onBodyStream", Shape<ClientProgram.BodyStreamAnswer>.choice("a body stream answer"), usual: .fresh,
        says: "The answer when a fresh body stream is wanted.")
    let onWillCache = UsualKey(
        "onWillCache",
        Shape<ClientProgram.WillCacheAnswer>(
            .ref("willCacheAnswer"), takes: "`store`, `none` or `{ change: … }`"
        ) { $1.willCacheAnswer($0) }, usual: .store, leftOut: "`store`",
        says:
            "The answer when a response could be stored in a cache. `{ change: { body, storage, notes } }` stores it "
            + "with another content, with another storage policy (`allowed`, `memory`, `not-allowed`) or with notes.")
    let onCanAuthenticate = Key(
        "onCanAuthenticate", Shape<Bool>.boolean("onCanAuthenticate"), leftOut: "`true`",
        says:
            "What the delegate of a connection or a download says when it is asked whether it can answer a challenge "
            + "(R19): with `false` there is none. Needs `session: { challengeMethods: old }`."
    )
    let onCredentialStorage = Key(
        "onCredentialStorage", Shape<Bool>.boolean("onCredentialStorage"), leftOut: "`true`",
        says:
            "What the delegate of a connection or a download says when it is asked whether stored credentials may be "
            + "used (R19)."
    )
    let onShouldDecode = Key(
        "onShouldDecode",
        Shape<ClientProgram.DecodeAnswer>(
            ["oneOf": [.words(["decode", "leave"]), ScenarioReader.decodedTypesSchema]],
            takes: "`decode`, `leave`, or `{ TYPE: decode, … }`"
        ) { $1.decodeAnswer($0) }, leftOut: "`decode`",
        says:
            "The answer when NSURLDownload asks whether a file in MacBinary, BinHex or gzip is decoded (R37); in a "
            + "mapping, types that are not named are left.")
    let onCanonicalize = Key(
        "onCanonicalize",
        Shape<ClientProgram.CanonicalAnswer>(
            ["oneOf": [.words(["accept", "refuse"]), ScenarioReader.redirectAnswerTable.schema]],
            takes: "`accept`, `refuse`, or `{ change: … }`"
        ) { $1.canonicalAnswer($0) }, leftOut: "`accept`",
        says:
            "The answer of a connection's or a download's delegate to a request that the client rewrote by itself, "
            + "before it is sent (R7).")
    let answerAfter = Key(
        "answerAfter", Shape<Duration>.duration("a delay"), leftOut: "inside the callback",
        says: "How long after a question its answer comes, from outside the callback.")
    let cancelAt = Key(
        "cancelAt", Shape<Node>.node(.ref("eventMoment"), takes: "a [moment](#moments)"),
        says: "When the client cancels: in the callback of an event, before or right after it resumes the task.")
    let resumeData = Key(
        "resumeData", Shape<Bool>.boolean("resumeData"), leftOut: "`false`",
        says: "Whether a download is cancelled by producing resume data.")
    let download = Key(
        "download",
        Shape<Assignment.DownloadFileProgram>(ScenarioReader.downloadFileTable.schema, takes: "a [mapping](#the-file)")
        {
            $1.downloadFile($0)
        },
        says: "What the app of an NSURLDownload says of the file.")
    let suspendAt = Key(
        "suspendAt",
        Shape<Node>.node(
            (["allOf": [.ref("eventMoment")]] as Schema).adding([
                "not": [
                    "anyOf": [
                        ["enum": ["complete"]],
                        ["type": "object", "required": ["event"], "properties": ["event": ["enum": ["complete"]]]],
                    ]
                ]
            ]),
            takes: "a [moment](#moments)"), says: "When the client suspends the task.")
    let suspendFor = UsualKey(
        "suspendFor", Shape<Duration>.duration("a delay"), usual: .milliseconds(100), leftOut: "100ms",
        says: "How long it stays suspended.")
    let timeout = Key(
        "timeout", Shape<Duration>.duration("a timeout"),
        says: "The client's own limit of time without activity, at most 10m.", example: "500ms")
    let resume = Key(
        "resume", Shape<Node>.node(.number(0...99), takes: "a step"),
        says: "The earlier step, counted from 0, whose resume data this step continues; it needs no `url`.")
    let together = Key(
        "together", Shape<Bool>.boolean("together"), leftOut: "`false`",
        says: "Whether the step begins right after the step before has begun, and not when that has ended.")
    let cachePolicy = Key(
        "cachePolicy", Shape<ClientProgram.CachePolicy>.choice("a cache policy"), leftOut: "the client's own",
        says: "The request's cache policy.")
    let schedule = Key(
        "schedule",
        Shape<ClientProgram.Schedule>(.ref("schedule"), takes: "a [mapping](#schedules)") { $1.schedule($0) },
        leftOut: "it starts when it is made, and calls back where the client likes",
        says: "When a connection starts, and where its callbacks come.")
    let `protocol` = Key(
        "protocol",
        Shape<[ProtocolCall]>(
            .items(.ref("protocolCall"), ["maxItems": .integer(Bounds.protocolCalls)]), takes: "a list of calls"
        ) { $1.protocolScript($0) }, says: "What a scripted URLProtocol does in place of a load over the wire.")
    let form = Key(
        "form", Shape<[[String]]>.decodedValues("a form"),
        says:
            "Names and values that the client encodes itself as its content, in application/x-www-form-urlencoded; a "
            + "list gives a name several values. In place of `body`.")
    let query = Key(
        "query", Shape<[[String]]>.decodedValues("a query"),
        says: "Names and values that the client encodes itself into the query of the URL.")
    let byHand = Key(
        "byHand",
        Shape<[ActByHand]>(
            .oneOrMore(.ref("actByHand"), ["maxItems": .integer(Bounds.actsByHand)]), takes: "an act, or a list"
        ) { $1.actsByHand($0) },
        says:
            "What the application does itself before the task is made, with what its session keeps for this URL: "
            + "`{ set-cookie: TEXT }`, `{ delete-cookie: NAME }`, `delete-cookies`, `remove-cached`.")
    let session = Key(
        "session", Shape<Node>.node(.ref("sessionSetup"), takes: "a [mapping](#the-session)"),
        says: "How the session is set up and ends; said by the first step for all.")
}

struct VerbatimKeys: Sendable {
    let verbatim = Key(
        "verbatim",
        Shape<Node>.node(
            ["type": "string", "pattern": "^(/(?![/\\\\])|[?#]|(?![\\s\\S]))[^\\x00-\\x20]*(?![\\s\\S])"], takes: "text"
        ), leftOut: "required",
        says: "Handed to the client as it is: what is no URL by itself and names no host.")
}

extension Shape {
    /// One answer, or a list in turn; `what` is the noun of messages.
    fileprivate static func answers<Answer>(
        _ what: String, _ schema: Schema, read: @escaping @Sendable (Node, ScenarioReader) -> Answer?
    ) -> Shape where Value == [Answer] {
        Shape(
            .oneOrMore(schema, ["minItems": 1, "maxItems": .integer(Bounds.answers)]), takes: "an answer, or a list"
        ) { node, reader in
            reader.oneOrMore(node, what, limit: Bounds.answers).compactMap { read($0, reader) }
        }
    }
}

extension Shape where Value == [[String]] {
    /// Pairs in the order of the file; `what` is the noun of messages.
    fileprivate static func decodedValues(_ what: String) -> Shape {
        Shape(
            [
                "type": "object", "maxProperties": .integer(Bounds.values),
                "additionalProperties": .oneOrMore(.ref("text"), ["minItems": 1]),
            ], takes: "values by name"
        ) { node, reader in reader.decodedValues(node, what) }
    }
}

extension Template {
    fileprivate var holdsFragment: Bool {
        parts.contains { if case .literal(let bytes) = $0 { bytes.contains(UInt8(ascii: "#")) } else { false } }
    }
}

extension ScenarioReader {
    fileprivate func decodedValues(_ node: Node, _ what: String) -> [[String]] {
        let entries = entries(node, what, from: "name to value", limit: Bounds.values) ?? []
        return entries.flatMap { entry in
            (entry.value.items ?? [entry.value]).compactMap { item in
                sink.text(item, "a value").map { [entry.key, $0] }
            }
        }
    }
}

extension Shape where Value == String {
    static var method: Shape {
        Shape(.scalar(["pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"]), takes: "a method") { $1.method($0) }
    }
}

extension ScenarioReader {
    static let clientTable = Table(
        "a client program", ClientKeys(),
        rules: [
            "anyOf": .requiring("url", "resume"),
            "dependencies": ["bodyForm": ["body"], "suspendFor": ["suspendAt"], "resumeData": ["cancelAt"]],
        ])
    static let verbatimTable = Table("a URL", VerbatimKeys())
    static let urlSchema: Schema = [
        "anyOf": [
            [
                "type": "string",
                "pattern": """
                ^[\\x00-\\x20]*(/(?!/)|\\{\\{ *(base|origin)|[Hh][Tt][Tt][Pp][Ss]?://([^/?#]*@)?\\{\\{ \
                *authority|[Hh][Tt][Tt][Pp][Ss]?://([^/?#\\\\@]*@)?([^/?#\\\\@:]*%[^/?#\\\\@:]*|\
                ([^/?#\\\\@:]*([.。．｡]|%2[Ee]))?[Ee][Xx][Aa][Mm][Pp][Ll][Ee]([.。．｡]|%2[Ee])([Oo][Rr][Gg]|\
                [Cc][Oo][Mm]|[Nn][Ee][Tt])([.。．｡]|%2[Ee])?|[^/?#\\\\@:]*([.。．｡]|%2[Ee])([Tt][Ee][Ss][Tt]|\
                [Ee][Xx][Aa][Mm][Pp][Ll][Ee]|[Ii][Nn][Vv][Aa][Ll][Ii][Dd]|\
                [Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt])([.。．｡]|%2[Ee])?)(:[A-Za-z0-9+-]*)?([/?#\\\\]|$)|/?$)
                """,
            ], verbatimTable.schema,
        ]
    ]

    /// `client:` as one program or a list of steps; a step that can't be read is reported and missing here.
    func clientPrograms(_ node: Node) -> [ClientProgram] {
        var reader = self
        reader.goesThroughProxy = (node.items?.first ?? node).namesProxy
        return oneOrMore(node, "steps", limit: Bounds.steps).enumerated()
            .compactMap { reader.clientProgram($0.element, step: $0.offset) }
    }

    private func clientProgram(_ node: Node, step: Int) -> ClientProgram? {
        guard let keys = Self.clientTable.open(node, self) else { return nil }
        let resume = keys[\.resume].flatMap { self.resume($0, step: step) }
        // A step that resumes continues the earlier step's request.
        let urlNode = keys.has(\.resume) ? keys[\.url] : keys.raw.required("url")
        let isURLVerbatim = urlNode?.entries != nil
        let url = urlNode.flatMap(isURLVerbatim ? verbatimURL : self.url)
        let body = keys[\.body]
        if let form = keys.entry(\.bodyForm)?.keyNode, !keys.has(\.body) {
            sink.report(form, "\"bodyForm\" needs a body")
        }
        let form = keys[\.form]
        if let key = keys.entry(\.form)?.keyNode {
            if keys.has(\.body) { sink.report(key, "a request has \"form\" or \"body\", not both") }
            if ["GET", "HEAD"].contains(keys[\.method] ?? "GET") {
                sink.report(key, "a form is the content of a request", hint: "write method: POST")
            }
        }
        let query = keys[\.query]
        if let key = keys.entry(\.query)?.keyNode, isURLVerbatim || url?.holdsFragment == true {
            sink.report(key, "\"query\" stands beside a URL without a fragment, which is not verbatim")
        }
        let task = keys[\.task]
        let onResponse = keys[\.onResponse]
        if let key = keys.entry(\.suspendFor)?.keyNode, !keys.has(\.suspendAt) {
            sink.report(key, "\"suspendFor\" needs \"suspendAt\"")
        }
        if let session = keys.entry(\.session)?.keyNode, step > 0 {
            sink.report(session, "the session is set up by the first step, for all steps")
        }
        if let together = keys.entry(\.together)?.keyNode, step == 0 {
            sink.report(together, "the first step has none before it to begin with")
        }
        let moments = MomentReader(reader: self, task: task, onResponse: onResponse)
        return ClientProgram(
            method: keys[\.method] ?? "GET", url: url ?? Template(parts: []), isURLVerbatim: isURLVerbatim,
            headers: keys[\.headers] ?? [], body: body, bodyForm: keys[\.bodyForm], task: task,
            onRedirect: keys[\.onRedirect] ?? [.follow],
            onChallenge: keys[\.onChallenge] ?? [], onResponse: onResponse, onBodyStream: keys[\.onBodyStream],
            onWillCache: keys[\.onWillCache], onCanAuthenticate: keys[\.onCanAuthenticate],
            onCredentialStorage: keys[\.onCredentialStorage], onShouldDecode: keys[\.onShouldDecode],
            onCanonicalize: keys[\.onCanonicalize], answerAfter: keys[\.answerAfter],
            cancelAt: keys[\.cancelAt].flatMap { moments.moment($0, to: "cancel") },
            producesResumeData: resumeData(keys, task), download: download(keys, task),
            suspendAt: keys[\.suspendAt].flatMap { moments.moment($0, to: "suspend") },
            suspendFor: keys[\.suspendFor], timeout: keys[\.timeout], resume: resume,
            isTogether: keys[\.together] ?? false,
            cachePolicy: keys[\.cachePolicy], schedule: schedule(keys, task), protocolScript: keys[\.protocol],
            form: form, query: query,
            byHand: keys[\.byHand] ?? [],
            session: keys[\.session].flatMap { session($0, moments) }, location: node.location)
    }

    /// Only a cancelled download produces resume data.
    private func resumeData(_ keys: Mapping<ClientKeys>, _ task: ClientProgram.TaskKind) -> Bool {
        guard let entry = keys.entry(\.resumeData) else { return false }
        if !keys.has(\.cancelAt) {
            sink.report(entry.keyNode, "\"resumeData\" needs \"cancelAt\"")
        } else if task != .download {
            sink.report(entry.keyNode, "only a download task produces resume data", hint: "write task: download")
        }
        return keys[\.resumeData] ?? false
    }

    private func schedule(_ keys: Mapping<ClientKeys>, _ task: ClientProgram.TaskKind) -> ClientProgram.Schedule? {
        guard let entry = keys.entry(\.schedule) else { return nil }
        if task != .data, task != .upload, task != .download {
            sink.report(
                entry.keyNode, "only a connection with a delegate is scheduled, and task: \(task.rawValue) has none")
        }
        return keys[\.schedule]
    }

    private func download(
        _ keys: Mapping<ClientKeys>, _ task: ClientProgram.TaskKind
    ) -> Assignment.DownloadFileProgram? {
        if let entry = keys.entry(\.download), task != .download {
            sink.report(entry.keyNode, "only a download task has a file", hint: "write task: download")
        }
        return keys[\.download]
    }

    func method(_ node: Node) -> String? {
        guard let text = sink.text(node, "a method") else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isTokenByte) { return text }
        return sink.refuse(node, "expected a method as a token (RFC 9110 §9.1), found \(quoted(text))")
    }

    /// A host must be late-bound, so that no client connects to another machine.
    func url(_ node: Node) -> Template? {
        guard let text = sink.text(node, "a URL"),
            let url = TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text))
        else { return nil }
        secondPass.later { [goesThroughProxy] resolver in
            resolver.check(url, text, hosts: resolver.hosts(throughProxy: goesThroughProxy), at: node)
        }
        return url
    }

    /// `{ verbatim: TEXT }`: text that is no URL and names no host, for clients to refuse.
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

    private func resume(_ node: Node, step: Int) -> Int? {
        guard step > 0 else {
            return sink.refuse(node, "the first step has nothing to resume", hint: "write client: as a list of steps")
        }
        return sink.integer(node, "resume", in: 0...(step - 1))
    }
}

extension Resolver {
    /// Reports a URL that leads to another machine.
    fileprivate func check(_ url: Template, _ text: String, hosts: TargetPlace.Hosts, at node: Node) {
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
    /// How a URL may begin.
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
        return session?.entries?.contains { $0.key == "proxy" } == true
    }
}
