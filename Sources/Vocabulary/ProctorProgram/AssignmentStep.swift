package import ProctorEvents

extension Assignment {
    /// One request and the answers to the client's questions.
    public struct Step: Sendable, Equatable {
        /// A token (RFC 9110 §9.1), in the letter case in which it is sent.
        public var method: String
        /// An absolute URL with every port written.
        public var url: String
        /// What the client is given in place of ``url``, and resolves against ``SessionSetup/baseURL``; nil: ``url``.
        package var reference: String?
        /// Field lines in order, each as `[name, value]`.
        public var headers: [[String]] = []
        /// nil: no content.
        public var body: Bytes?
        /// Field lines behind the content, each as `[name, value]` (RFC 9110 §6.5); empty: none.
        package var trailers: [[String]] = []
        /// The length that the source of the content tells beforehand, in bytes; nil: it tells none.
        package var bodyLength: Int?
        /// How many bytes of the content its source gives before it fails; nil: it does not fail.
        package var bodyFailsAt: Int?
        /// What has to come before the source gives its next piece; nil: nothing.
        package var bodyTurns: BodyTurns?
        /// The index of the step whose end the second half of the content waits for.
        package var bodyAfter: Int?
        /// The form in which the client gets the body.
        public var bodyForm = BodyForm.data
        /// The kind of task, which decides which callbacks the request has.
        public var task = TaskKind.data
        /// The answers to redirects, one for each redirect; the last one repeats.
        ///
        /// Never empty.
        public var onRedirect: [RedirectAnswer] = [.follow]
        /// The answers to challenges, one for each challenge; the last one repeats.
        ///
        /// Empty: the delegate method is not implemented.
        public var onChallenge: [ChallengeAnswer] = []
        /// The most redirects of a correct client; nil when the case does not say.
        public var redirectCount: Int?
        /// The most challenges of a correct client; nil when the case does not say.
        public var challengeCount: Int?
        /// The answer to every response head.
        public var onResponse = ResponseAnswer.allow
        /// The answer when the client is asked for a stream of the body.
        public var onBodyStream = BodyStreamAnswer.fresh
        /// The answer when a response could be stored in a cache.
        public var onWillCache = WillCacheAnswer.store
        /// The old delegate's answer to the question whether it can authenticate; nil: yes.
        package var onCanAuthenticate: Bool?
        /// The old delegate's answer to the question whether stored credentials may be used; nil: yes.
        package var onCredentialStorage: Bool?
        /// The answer when a download asks whether to decode its file; nil: yes.
        package var onShouldDecode: DecodeAnswer?
        /// The answer to the canonical form of a request; nil: accepted.
        package var onCanonicalize: CanonicalAnswer?
        /// Milliseconds until an answer from another thread; nil: answer inside the callback.
        public var answerAfter: Int?
        /// When the client cancels the task.
        public var cancelAt: Moment?
        /// The index of the step at whose end the client cancels this task.
        package var cancelAfter: Int?
        /// The index of the step at whose end the client resumes this task, in place of `suspendFor`.
        package var suspendUntil: Int?
        /// When the client suspends the task, which it resumes after `suspendFor`.
        public var suspendAt: Moment?
        /// How long the task stays suspended, in milliseconds.
        public var suspendFor = 0
        /// Milliseconds without activity after which the load fails; nil: the client's default.
        public var timeout: Int?
        /// The index of the step whose resume data this step uses.
        public var resume: Int?
        /// Whether the step begins directly after the beginning of the step before, instead of after its end.
        public var isTogether = false
        /// Whether the client's process ends before this step, and a new one begins with it; `proctor exam` gives each
        /// process its own steps, without this.
        package var isLaunch = false
        /// Whether a download is cancelled by producing resume data.
        public var producesResumeData = false
        /// The application's settings for a download's file; nil: none.
        package var download: DownloadFileProgram?
        /// nil: the client's default.
        public var cachePolicy: CachePolicy?
        /// When the load starts and where its callbacks run; nil: the client's default.
        package var schedule: Schedule?
        /// The acts of a scripted URLProtocol instead of a load over the wire; nil: none.
        public var protocolScript: [ProtocolCall]?
        /// Names of header fields that the client looks up in the response and in redirect responses, in this spelling.
        public var fieldNames: [String] = []
        /// Names of fields that the client looks up behind the content of the response, in this spelling.
        package var trailerNames: [String] = []
        /// The URL of the page from which the request is made, and whose origin CORS goes by; nil: there is no page.
        package var page: String?
        /// What the page says to `fetch`; nil: nothing.
        package var fetch: FetchOptions?
        /// The values of a form that the client encodes as the content, in order, each as `[name, value]`; nil: none.
        public var form: [[String]]?
        /// The values of a query that the client encodes and appends to the URL; nil: none.
        public var query: [[String]]?
        /// What the application does before the task is made, in order.
        public var byHand: [ActByHand] = []
        /// The stores that are read after the step's end.
        public var reads: [StoreToRead] = []
        /// The protocols that a WebSocket task offers, in the order of preference (RFC 6455 §1.9).
        package var protocols: [String] = []
        /// The ways and the trust of this step in place of those of the session; nil: those of the session.
        package var session: SessionChange?
        /// What the client does over its WebSocket, in order.
        package var conversation: [ConversationAct] = []
        /// What is sent byte by byte over connections of the step's own, in place of a load; empty: the step is a load.
        package var bytes: [ByteAct] = []
        /// Unknown words in the JSON that was read; their properties have the default value, and the words are not
        /// written again.
        package var unknownWords: [UnknownWord] = []

        /// Whether other content than the received one is stored.
        package var changesStoredContent: Bool { onWillCache.word == "change" }

        /// The steps for whose end this one waits.
        package var awaitedSteps: [Int] { [bodyAfter, cancelAfter, suspendUntil].compactMap(\.self) }

        /// Makes a GET without content that follows redirects.
        public init(method: String = "GET", url: String) {
            (self.method, self.url) = (method, url)
        }
    }
}

extension Assignment.Step: AssignmentObject, KeyedProgram {
    package static let tellingKeys = keys.filter { $0.traits != KeyTraits() }

    package static let keys: [AssignmentKey<Assignment.Step>] = [
        .always("method", \.method),
        .always("url", \.url),
        .optional("reference", \.reference),
        .computed("address") { step, session in session.address(of: step.url) },
        .always("headers", \.headers),
        .optional("body", \.body),
        .always("bodyForm", \.bodyForm),
        .unless([], "trailers", \.trailers),
        .optional("bodyLength", \.bodyLength),
        .optional("bodyFailsAt", \.bodyFailsAt),
        .optional("bodyTurns", \.bodyTurns),
        .optional("bodyAfter", \.bodyAfter),
        .always("task", \.task),
        .always("onRedirect", \.onRedirect),
        .always("onChallenge", \.onChallenge),
        .computed("beforehand") { step, session in
            let setup = session.changed(by: step.session)
            return Beforehand(
                step, hasProxy: setup.proxy != nil || setup.httpsProxy != nil, judgesServers: setup.trust != nil)
        },
        .optional("redirectCount", \.redirectCount),
        .optional("challengeCount", \.challengeCount),
        .always("onResponse", \.onResponse, usually: .allow, KeyTraits(answers: .response)),
        .always("onBodyStream", \.onBodyStream, usually: .fresh, KeyTraits(answers: .needBodyStream)),
        .always("onWillCache", \.onWillCache, usually: .store, KeyTraits(answers: .willCache)),
        .optional("onCanAuthenticate", \.onCanAuthenticate, KeyTraits(answers: .askCanAuth)),
        .optional("onCredentialStorage", \.onCredentialStorage, KeyTraits(answers: .askCredStore)),
        .optional("onShouldDecode", \.onShouldDecode, KeyTraits(answers: .shouldDecode)),
        .optional("onCanonicalize", \.onCanonicalize),
        .optional(
            "answerAfter", \.answerAfter,
            KeyTraits(delays: true, obstacles: [.curl: "curl answers at once"])),
        .optional("cancelAt", \.cancelAt, KeyTraits(endsLoad: true, isMoment: true)),
        .optional("cancelAfter", \.cancelAfter, KeyTraits(endsLoad: true)),
        .optional("suspendAt", \.suspendAt, KeyTraits(isMoment: true)),
        .optional("suspendUntil", \.suspendUntil),
        .always("suspendFor", \.suspendFor, usually: 0, KeyTraits(delays: true)),
        .optional("timeout", \.timeout, KeyTraits(limits: .timeLimitSilence, endsLoad: true, delays: true)),
        .optional("resume", \.resume),
        .unless(false, "together", \.isTogether),
        .unless(false, "launch", \.isLaunch),
        .always("producesResumeData", \.producesResumeData),
        .optional("download", \.download),
        .optional("cachePolicy", \.cachePolicy),
        .optional("schedule", \.schedule),
        .optional("protocolScript", \.protocolScript),
        .unless([], "fieldNames", \.fieldNames),
        .unless([], "trailerNames", \.trailerNames),
        .optional("page", \.page),
        .optional("fetch", \.fetch),
        .optional("form", \.form),
        .optional("query", \.query),
        .unless([], "byHand", \.byHand),
        .unless([], "reads", \.reads),
        .unless([], "protocols", \.protocols),
        .unless([], "conversation", \.conversation),
        .unless(
            [], "bytes", \.bytes,
            KeyTraits(
                endsLoad: true,
                obstacles: [.http2: "its bytes are those of HTTP/1.1", .curl: "curl makes its requests itself"])),
        .optional("session", \.session),
    ]

    /// What a client must be able to do by these keys alone.
    ///
    /// Each case of each fixture that is read asks for it, so it goes by no rows.
    package var neededAbilities: Set<Ability> {
        var needs: Set<Ability> = []
        if onResponse != .allow { needs.insert(.responseAnswers) }
        if onBodyStream != .fresh { needs.insert(.uploadStreamQuestion) }
        if onWillCache != .store { needs.insert(.cache) }
        if onCanAuthenticate != nil || onCredentialStorage != nil || onShouldDecode != nil { needs.insert(.callbacks) }
        if answerAfter != nil { needs.insert(.answerLater) }
        if cancelAt != nil { needs.insert(.cancel) }
        if suspendAt != nil { needs.insert(.suspend) }
        if timeout != nil { needs.insert(.timeLimitSilence) }
        if resume != nil || producesResumeData { needs.insert(.resume) }
        if isTogether { needs.insert(.severalLoads) }
        if isLaunch { needs.insert(.secondLaunch) }
        if schedule != nil { needs.insert(.scheduling) }
        if form != nil || query != nil { needs.insert(.encodesValues) }
        if !byHand.isEmpty { needs.insert(.storeAccess) }
        if !bytes.isEmpty { needs.insert(.rawBytes) }
        if !trailers.isEmpty { needs.insert(.requestTrailers) }
        if bodyLength != nil || bodyFailsAt != nil || bodyAfter != nil { needs.insert(.bodySource) }
        if bodyTurns != nil { needs.insert(.fullDuplex) }
        if cancelAfter != nil { needs.insert(.cancelAnywhere) }
        if suspendUntil != nil { needs.insert(.backPressure) }
        return needs
    }

    init() { self.init(url: "") }

    static func read(from decoder: any Decoder, key _: String, _: inout [Assignment.UnknownWord]) throws -> Self? {
        var unknown: [Assignment.UnknownWord] = []
        var step = try object(from: decoder, &unknown)
        step.unknownWords = unknown
        return step
    }
}
