/// What a client under test is told to do, with everything late-bound filled in: what an adapter reads.
///
/// Its JSON is the one object on an adapter's standard input. Bytes are text where they are UTF-8, else base64.
public struct Assignment: Sendable, Equatable, Decodable {
    /// Raised when an old adapter would misread a new assignment.
    public var version: Int
    /// The id of the scenario.
    public var scenario: String
    /// The name of the case.
    public var caseName: String
    /// Of the run, without a slash at its end.
    public var base: String
    /// The run on the control API; nil where there is none.
    public var run: String?
    /// Milliseconds after which the adapter gives up by itself; the watchdog stands behind that.
    public var deadline: Int
    /// How the session is set up.
    public var session: SessionSetup
    /// One after the other, in one session; never empty.
    public var steps: [Step]
    /// Names of events that the scenario waits for, so that the client must report them as they come; nil: none.
    public var awaited: [String]?

    /// The version this module writes and reads.
    public static let currentVersion = 1

    enum CodingKeys: String, CodingKey {
        case version, scenario, caseName = "case", base, run, deadline, session, steps, awaited
    }

    /// A word of an assignment that this version does not know, and the key under which it stands.
    public struct UnknownWord: Sendable, Equatable {
        /// As in `onRedirect` or `onChallenge: persistence`.
        public let key: String
        /// As it was read.
        public let word: String

        /// Parts as they are.
        package init(key: String, word: String) {
            self.key = key
            self.word = word
        }
    }

    /// Every part as given.
    public init(
        scenario: String, caseName: String, base: String, run: String? = nil, deadline: Int = 10_000,
        session: SessionSetup = SessionSetup(), steps: [Step], awaited: [String]? = nil
    ) {
        version = Self.currentVersion
        self.scenario = scenario
        self.caseName = caseName
        self.base = base
        self.run = run
        self.deadline = deadline
        self.session = session
        self.steps = steps
        self.awaited = awaited
    }

    /// The first word that is not known, under its key: `session.queue: long`; nil where all are.
    ///
    /// `joint` stands between a step and its key.
    package func unknownWord(joint: String = ".") -> String? {
        if let unknown = session.unknownWords.first { return "session.\(unknown.key): \(unknown.word)" }
        for (index, step) in steps.enumerated() {
            if let unknown = step.unknownWords.first { return "steps[\(index)]\(joint)\(unknown.key): \(unknown.word)" }
        }
        return nil
    }

    /// One request and the answers to its questions.
    public struct Step: Sendable, Equatable {
        /// A token, in the case it is sent in.
        public var method: String
        /// Absolute, with every port filled in.
        public var url: String
        /// In order, each as name and value.
        public var headers: [[String]]
        /// nil: no content.
        public var body: Bytes?
        /// How the body is handed over.
        public var bodyForm: BodyForm
        /// Which family of callbacks the request brings.
        public var task: TaskKind
        /// One for each redirect in turn, the last stays; never empty.
        public var onRedirect: [RedirectAnswer]
        /// One for each challenge in turn, the last stays; empty: as if the method were not there.
        public var onChallenge: [ChallengeAnswer]
        /// Redirects that a right client meets at most; nil where the case does not say.
        public var redirectCount: Int?
        /// Challenges that a right client meets at most; nil where the case does not say.
        public var challengeCount: Int?
        /// The answer to every response head.
        public var onResponse: ResponseAnswer
        /// The answer when the client is asked for a stream of the body.
        public var onBodyStream: BodyStreamAnswer
        /// The answer when a response could be stored in a cache.
        public var onWillCache: WillCacheAnswer
        /// Milliseconds between a question and its answer, given from another thread; nil: inside the callback.
        public var answerAfter: Int?
        /// When the client cancels the task.
        public var cancelAt: Moment?
        /// When the client suspends the task, to resume it after `suspendFor`.
        public var suspendAt: Moment?
        /// Milliseconds.
        public var suspendFor: Int
        /// Milliseconds without activity; nil: the client's own.
        public var timeout: Int?
        /// The step whose resume data this step continues.
        public var resume: Int?
        /// For a download that is cancelled: by producing resume data.
        public var producesResumeData: Bool
        /// nil: the client's own.
        public var cachePolicy: CachePolicy?
        /// What a scripted URLProtocol tells its client instead of a load over the wire.
        public var protocolScript: [ProtocolCall]?
        /// Words that were read and are not known, and are not written; their properties have the default.
        public package(set) var unknownWords: [UnknownWord] = []

        /// A plain GET whose redirects are followed.
        public init(method: String = "GET", url: String) {
            self.method = method
            self.url = url
            headers = []
            body = nil
            bodyForm = .data
            task = .data
            onRedirect = [.follow]
            onChallenge = []
            redirectCount = nil
            challengeCount = nil
            onResponse = .allow
            onBodyStream = .fresh
            onWillCache = .store
            answerAfter = nil
            cancelAt = nil
            suspendAt = nil
            suspendFor = 0
            timeout = nil
            resume = nil
            producesResumeData = false
            cachePolicy = nil
            protocolScript = nil
        }
    }

    /// Content, as text or as base64.
    public struct Bytes: Sendable, Equatable, Codable {
        /// UTF-8; nil when `base64` is given.
        public var text: String?
        /// nil when `text` is given.
        public var base64: String?
        /// For a body too long to be spelled out: this many bytes of `text` over and over.
        public var count: Int?

        /// Exactly one of the first two is given.
        public init(text: String? = nil, base64: String? = nil, count: Int? = nil) {
            self.text = text
            self.base64 = base64
            self.count = count
        }
    }

    /// A certificate of the client's own with its private key, as files in the forms that clients want.
    public struct Identity: Sendable, Equatable, Codable {
        /// As the fixture names it.
        public var name: String
        /// Path of the certificate and those between it and its root, PEM.
        public var certificate: String
        /// Path of the private key, PEM, without a passphrase.
        public var key: String
        /// Path of both in one file of PKCS #12.
        public var pkcs12: String
        /// Of the PKCS #12 file.
        public var passphrase: String

        /// Parts as they are; paths are absolute.
        public init(name: String, certificate: String, key: String, pkcs12: String, passphrase: String) {
            self.name = name
            self.certificate = certificate
            self.key = key
            self.pkcs12 = pkcs12
            self.passphrase = passphrase
        }
    }

    /// Where a host stands whose name is in no name server.
    public struct NamedHost: Sendable, Equatable, Codable {
        /// In lower case.
        public var name: String
        /// As URLs say it, or that of their scheme.
        public var port: Int
        /// `127.0.0.1:4711`, `[::1]:4711`, or the absolute path of a Unix socket behind `unix:`.
        public var address: String

        /// Parts as they are.
        public init(name: String, port: Int, address: String) {
            self.name = name
            self.port = port
            self.address = address
        }
    }
}

/// How the session of a client program is set up and ends.
public struct SessionSetup: Sendable, Equatable {
    /// Which objects are told of callbacks.
    public var delegates: Delegates
    /// Where callbacks run.
    public var queue: Queue
    /// nil: the session is left alone until all steps are over, then finished.
    public var end: End?
    /// A moment of the first step; nil: after the last step.
    public var endAt: Assignment.Moment?
    /// Which cookies are accepted and sent.
    public var cookies: Cookies
    /// Bytes of memory for a URLCache; nil: none.
    public var cache: Int?
    /// Milliseconds; nil: the client's own.
    public var requestTimeout: Int?
    /// Milliseconds; nil: the client's own.
    public var resourceTimeout: Int?
    /// Authority of a proxy for http and https, for every host; nil: none that the program asks for.
    public var proxy: String?
    /// The names that URLs of this assignment, and of its redirects, may use, and where each stands; nil: none.
    ///
    /// A client connects to the address in place of resolving the name, or comes by ``namesProxy``; where ``proxy`` is
    /// there, it comes by that one alone.
    public var names: [Assignment.NamedHost]?
    /// Authority of a proxy that leads to all of ``names``, for clients that can't be told addresses.
    public var namesProxy: String?
    /// A scheme by which `http` URLs of this assignment are called; nil: `http`.
    public var ownScheme: String?
    /// Path of a PEM file: the one authority by which servers are to be judged; nil: the client's own.
    public var trust: String?
    /// What the client may show of itself without being asked; nil: nothing.
    public var identity: Assignment.Identity?
    /// Words that were read and are not known, and are not written; their properties have the default.
    public package(set) var unknownWords: [Assignment.UnknownWord] = []

    /// Which objects implement delegate methods: the session's delegate, a delegate of each task, both or none.
    public enum Delegates: String, Sendable, CaseIterable { case session, task, both, none }
    /// The delegate queue; `default` gives the session none.
    public enum Queue: String, Sendable, CaseIterable { case serial, `default`, main, concurrent }
    /// The ways to end a session: when its tasks are over, or by cancelling them.
    public enum End: String, Sendable, CaseIterable { case finish, invalidate }
    /// When cookies are accepted.
    public enum Cookies: String, Sendable, CaseIterable {
        case always, never
        case mainDocument = "main-document"
    }

    /// One delegate on a serial queue, nothing kept.
    public init() {
        delegates = .session
        queue = .serial
        end = nil
        endAt = nil
        cookies = .always
        cache = nil
        requestTimeout = nil
        resourceTimeout = nil
        proxy = nil
        names = nil
        namesProxy = nil
        ownScheme = nil
        trust = nil
        identity = nil
    }
}
