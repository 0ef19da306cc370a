/// What a client under test is told to do, with everything late-bound filled in: what an adapter reads.
///
/// Its JSON is the one object on an adapter's standard input. Bytes are text where they are UTF-8, else base64.
public struct Assignment: Sendable, Equatable, Codable {
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

    private enum CodingKeys: String, CodingKey {
        case version, scenario, caseName = "case", base, run, deadline, session, steps, awaited
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

    /// One request and the answers to its questions.
    public struct Step: Sendable, Equatable, Codable {
        /// A token, in the case it is sent in.
        public var method: String
        /// Absolute, with every port filled in.
        public var url: String
        /// In order, each as name and value.
        public var headers: [[String]]
        /// nil: no content.
        public var body: Bytes?
        /// `data`, `file`, `stream` (handed over when asked), `http-body-stream` or `bound-pair`.
        public var bodyForm: String
        /// `data`, `upload`, `download`, `handler` or `async`.
        public var task: String
        /// One for each redirect in turn, the last stays; never empty.
        public var onRedirect: [RedirectAnswer]
        /// One for each challenge in turn, the last stays; empty: as if the method were not there.
        public var onChallenge: [ChallengeAnswer]
        /// Redirects that a right client meets at most; nil where the case does not say.
        public var redirectCount: Int?
        /// Challenges that a right client meets at most; nil where the case does not say.
        public var challengeCount: Int?
        /// `allow`, `cancel`, `becomeDownload`, `becomeStream` or `never`.
        public var onResponse: String
        /// `fresh`, `none` or `never`.
        public var onBodyStream: String
        /// `store` or `none`.
        public var onWillCache: String
        /// Milliseconds between a question and its answer, given from another thread; nil: inside the callback.
        public var answerAfter: Int?
        /// Where it cancels: `before-resume`, `after-resume`, or in the callback of an event.
        public var cancelAt: Moment?
        /// Where it suspends, to resume after `suspendFor`.
        public var suspendAt: Moment?
        /// Milliseconds.
        public var suspendFor: Int
        /// Milliseconds without activity; nil: the client's own.
        public var timeout: Int?
        /// The step whose resume data this step continues.
        public var resume: Int?
        /// For a download that is cancelled: by producing resume data.
        public var producesResumeData: Bool
        /// `protocol`, `reload`, `cache-else-load` or `cache-only`; nil: the client's own.
        public var cachePolicy: String?
        /// What a scripted URLProtocol tells its client instead of a load over the wire.
        public var protocolScript: [ProtocolCall]?

        /// A plain GET whose redirects are followed.
        public init(method: String = "GET", url: String) {
            self.method = method
            self.url = url
            headers = []
            body = nil
            bodyForm = "data"
            task = "data"
            onRedirect = [RedirectAnswer("follow")]
            onChallenge = []
            redirectCount = nil
            challengeCount = nil
            onResponse = "allow"
            onBodyStream = "fresh"
            onWillCache = "store"
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

    /// A moment in the life of a task: an event of its lane, and which one of them, from 1.
    public struct Moment: Sendable, Equatable, Codable {
        /// A neutral event, or `before-resume` or `after-resume`.
        public var event: String
        /// The how many-eth.
        public var count: Int

        /// The first one, where nothing else is said.
        public init(_ event: String, count: Int = 1) {
            self.event = event
            self.count = count
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

    /// What the client says to a redirect.
    public struct RedirectAnswer: Sendable, Equatable, Codable {
        /// `follow`, `refuse`, `change`, `cancel` (the task, without an answer), `cancel-then-follow`,
        /// `cancel-then-refuse`, `never` or `twice`.
        public var answer: String
        /// For `change`.
        public var method: String?
        /// For `change`.
        public var url: String?
        /// For `change`.
        public var headers: [[String]]?

        /// The last three are for `change`.
        public init(_ answer: String, method: String? = nil, url: String? = nil, headers: [[String]]? = nil) {
            self.answer = answer
            self.method = method
            self.url = url
            self.headers = headers
        }
    }

    /// What the client says to a challenge.
    public struct ChallengeAnswer: Sendable, Equatable, Codable {
        /// `use`, `use-none`, `default`, `cancel`, `cancel-task` (without an answer), `cancel-task-then-use`, `reject`,
        /// `never` or `twice`; of TLS `trust` (the server, whatever its certificate) and `identity`.
        public var answer: String
        /// For `use` and `twice`.
        public var user: String?
        /// For `use` and `twice`.
        public var password: String?
        /// For `use` and `twice`, in the place of user and password: a token of the Bearer scheme.
        public var token: String?
        /// `none`, `session` or `permanent`; nil: `none`.
        public var persistence: String?
        /// For `identity`.
        public var identity: Identity?

        /// All but the first and the last are for `use` and `twice`.
        public init(
            _ answer: String, user: String? = nil, password: String? = nil, token: String? = nil,
            persistence: String? = nil, identity: Identity? = nil
        ) {
            self.identity = identity
            self.answer = answer
            self.user = user
            self.password = password
            self.token = token
            self.persistence = persistence
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

    /// Where a name that nobody resolves stands.
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

    /// One act of a scripted URLProtocol.
    public struct ProtocolCall: Sendable, Equatable, Codable {
        /// `redirect`, `response`, `data`, `finish`, `fail`, `challenge`, `cancel-challenge`, `cached-response-valid`,
        /// `wait` (milliseconds of run loop), `block` (milliseconds of a thread that does nothing else), `await-answer`
        /// or `await-stop`.
        public var call: String
        /// Of `response` a status, then a content type and `allowed`, `memory` or `not-allowed`; of `redirect` a URL, after a
        /// status other than 302; of `fail` a code of NSURLErrorDomain or `DOMAIN#CODE`; the kind of a challenge; the text of
        /// `data`; milliseconds.
        public var argument: String?
        /// From a thread that is not the client thread.
        public var isOnOtherThread: Bool

        /// On the client thread, where nothing else is said.
        public init(_ call: String, _ argument: String? = nil, isOnOtherThread: Bool = false) {
            self.call = call
            self.argument = argument
            self.isOnOtherThread = isOnOtherThread
        }
    }
}

/// How the session of a client program is set up and ends.
public struct SessionSetup: Sendable, Equatable, Codable {
    /// `session` (one delegate of the session), `task` (only task delegates), `both` or `none`.
    public var delegates: String
    /// `serial`, `default` (no queue given), `main` or `concurrent`.
    public var queue: String
    /// `finish` or `invalidate`; nil: the session is left alone until all steps are over, then finished.
    public var end: String?
    /// When it ends: an event of the first step, `after-resume` or `before-resume`; nil: after the last step.
    public var endAt: Assignment.Moment?
    /// `always`, `never` or `main-document`.
    public var cookies: String
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

    /// One delegate on a serial queue, nothing kept.
    public init() {
        delegates = "session"
        queue = "serial"
        end = nil
        endAt = nil
        cookies = "always"
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
