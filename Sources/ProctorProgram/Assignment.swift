/// The instructions for a client under test, with late-bound parts filled in.
///
/// Its JSON is the one object on an adapter's standard input; bytes are text when they are UTF-8, else base64.
public struct Assignment: Sendable, Equatable, Decodable {
    /// Raised when an old adapter would misread a new assignment.
    public var version: Int
    /// The id of the scenario.
    public var scenario: String
    /// The name of the case.
    public var caseName: String
    /// The URL of the run, without a trailing slash.
    public var base: String
    /// The run's id on the control API; nil when there is none.
    public var run: String?
    /// Milliseconds after which the adapter must give up; then a watchdog ends it.
    public var deadline: Int
    /// How the session is set up.
    public var session: SessionSetup
    /// Performed one after the other in one session, but those that begin together; never empty.
    public var steps: [Step]
    /// Names of events that the client must report at once, since replies wait for them; nil: none.
    public var awaited: [String]?
    /// Words of the abilities that the case needs, sorted; nil: none.
    public var needs: [String]?
    /// The ALPN name of the protocol that the client must speak to every origin: `h2`; nil: what it speaks by itself.
    public var protocolName: String?

    /// The version this module writes and reads.
    public static let currentVersion = 1

    enum CodingKeys: String, CodingKey {
        case version, scenario, caseName = "case", base, run, deadline, session, steps, awaited, needs
        case protocolName = "protocol"
    }

    /// A word of an assignment that this version does not know.
    public struct UnknownWord: Sendable, Equatable {
        /// Its key, as in `onRedirect` or `onChallenge: persistence`.
        public let key: String
        /// The word as it was read.
        public let word: String

        package init(key: String, word: String) {
            self.key = key
            self.word = word
        }
    }

    /// Makes an assignment of these parts.
    public init(
        scenario: String, caseName: String, base: String, run: String? = nil, deadline: Int = 10_000,
        session: SessionSetup = SessionSetup(), steps: [Step], awaited: [String]? = nil, needs: [String]? = nil,
        protocolName: String? = nil
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
        self.needs = needs
        self.protocolName = protocolName
    }

    /// The first unknown word with its key, `session.queue: long`; nil when all are known.
    ///
    /// `joint` separates step and key.
    package func unknownWord(joint: String = ".") -> String? {
        if let protocolName, protocolName != "h2" { return "protocol: \(protocolName)" }
        if let unknown = session.unknownWords.first { return "session.\(unknown.key): \(unknown.word)" }
        for (index, step) in steps.enumerated() {
            if let unknown = step.unknownWords.first { return "steps[\(index)]\(joint)\(unknown.key): \(unknown.word)" }
        }
        return nil
    }

    /// One request and the answers to the client's questions.
    public struct Step: Sendable, Equatable {
        /// A token, in the letter case that is sent.
        public var method: String
        /// Absolute, with every port filled in.
        public var url: String
        /// In order, each as `[name, value]`.
        public var headers: [[String]] = []
        /// nil: no content.
        public var body: Bytes?
        /// How the body is handed over.
        public var bodyForm = BodyForm.data
        /// Which family of callbacks the request brings.
        public var task = TaskKind.data
        /// One for each redirect; the last one repeats.
        ///
        /// Never empty.
        public var onRedirect: [RedirectAnswer] = [.follow]
        /// One for each challenge; the last one repeats.
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
        /// What an old delegate says when it is asked whether it can authenticate; nil: yes.
        public var onCanAuthenticate: Bool?
        /// What an old delegate says when it is asked whether stored credentials may be used; nil: yes.
        public var onCredentialStorage: Bool?
        /// The answer when a download asks whether its file is decoded; nil: yes.
        public var onShouldDecode: DecodeAnswer?
        /// The answer to the canonical form of a request; nil: accepted.
        public var onCanonicalize: CanonicalAnswer?
        /// Milliseconds until an answer from another thread; nil: answer inside the callback.
        public var answerAfter: Int?
        /// When the client cancels the task.
        public var cancelAt: Moment?
        /// When the client suspends the task, to resume it after `suspendFor`.
        public var suspendAt: Moment?
        /// Milliseconds.
        public var suspendFor = 0
        /// Milliseconds without activity; nil: the client's default.
        public var timeout: Int?
        /// The step whose resume data this step continues.
        public var resume: Int?
        /// Whether it begins right after the step before has begun, and not when that has ended.
        public var isTogether = false
        /// For a download that is cancelled: by producing resume data.
        public var producesResumeData = false
        /// What the app says of a download's file; nil: nothing.
        public var download: DownloadFileProgram?
        /// nil: the client's default.
        public var cachePolicy: CachePolicy?
        /// When the load starts and where its callbacks come; nil: the client's default.
        public var schedule: Schedule?
        /// The acts of a scripted URLProtocol instead of a load over the wire; nil: none.
        public var protocolScript: [ProtocolCall]?
        /// Names of header fields that the client looks up in the response and in those of redirects, spelled so.
        public var fieldNames: [String] = []
        /// The values of a form that the client encodes as the content, in order, each as `[name, value]`; nil: none.
        public var form: [[String]]?
        /// The values of a query that the client encodes and appends to the URL; nil: none.
        public var query: [[String]]?
        /// What the application does before the task is made, in order.
        public var byHand: [ActByHand] = []
        /// The stores that are read after the step's end.
        public var reads: [StoreToRead] = []
        /// Unknown words that were read; their properties have the default, and they are not written.
        public package(set) var unknownWords: [UnknownWord] = []

        /// A plain GET whose redirects are followed.
        public init(method: String = "GET", url: String) {
            self.method = method
            self.url = url
        }
    }

    /// What the app of an NSURLDownload says of the file; nil parts are left to the client.
    public struct DownloadFileProgram: Sendable, Equatable, Codable {
        /// Whether the file goes when the download fails or is cancelled, and with it what could be resumed.
        public var deletesFileUponFailure: Bool?
        /// The name of the file, set before the start; nil: the delegate takes the suggested name when it is asked.
        public var destination: String?
        /// Whether a file that is there may be replaced.
        public var overwrites: Bool?

        /// Says nothing.
        public init() {}
    }

    /// Content, as text or as base64.
    public struct Bytes: Sendable, Equatable, Codable {
        /// UTF-8; nil when `base64` is given.
        public var text: String?
        /// nil when `text` is given.
        public var base64: String?
        /// Repeats `text` to this many bytes, for a long body.
        public var count: Int?

        /// Give exactly one of `text` and `base64`.
        public init(text: String? = nil, base64: String? = nil, count: Int? = nil) {
            self.text = text
            self.base64 = base64
            self.count = count
        }
    }

    /// A client certificate with its private key, as files.
    public struct Identity: Sendable, Equatable, Codable {
        /// As the fixture names it.
        public var name: String
        /// Path of the certificate and its intermediates, PEM.
        public var certificate: String
        /// Path of the private key, PEM, without a passphrase.
        public var key: String
        /// Path of both in one file of PKCS #12.
        public var pkcs12: String
        /// The passphrase of the PKCS #12 file.
        public var passphrase: String

        /// Makes an identity; paths must be absolute.
        public init(name: String, certificate: String, key: String, pkcs12: String, passphrase: String) {
            self.name = name
            self.certificate = certificate
            self.key = key
            self.pkcs12 = pkcs12
            self.passphrase = passphrase
        }
    }

    /// The address of a host name that no name server knows.
    public struct NamedHost: Sendable, Equatable, Codable {
        /// In lower case.
        public var name: String
        /// The port in URLs, or the scheme's default.
        public var port: Int
        /// `127.0.0.1:4711`, `[::1]:4711`, or `unix:` with the absolute path of a Unix socket.
        public var address: String

        /// Makes a name with its address.
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
    public var delegates = Delegates.session
    /// The methods that the delegate lacks; with `both`, that of the task lacks them.
    public var without: [DelegateMethod] = []
    /// The methods for challenges of an old delegate; nil: the new one of a connection, the old ones of a download.
    public var challengeMethods: ChallengeMethods?
    /// Where callbacks run.
    public var queue = Queue.serial
    /// nil: finished after all steps.
    public var end: End?
    /// A moment of the first step; nil: after the last step.
    public var endAt: Assignment.Moment?
    /// Which cookies are accepted and sent.
    public var cookies = Cookies.always
    /// Bytes of memory for a URLCache; nil: none.
    public var cache: Int?
    /// Milliseconds; nil: the client's default.
    public var requestTimeout: Int?
    /// Milliseconds; nil: the client's default.
    public var resourceTimeout: Int?
    /// The most connections to one host at a time; nil: the client's default.
    public var connectionsPerHost: Int?
    /// Authority of a proxy for http and https to every host; nil: none.
    public var proxy: String?
    /// What is spoken to ``proxy``; nil: HTTP/1.1.
    public var proxyProtocol: ProxyProtocol?
    /// The host names in URLs of this assignment and its redirects, with their addresses; nil: none.
    ///
    /// A client connects to the address instead of resolving the name, or uses ``namesProxy``; with ``proxy`` it uses
    /// only that one.
    public var names: [Assignment.NamedHost]?
    /// Authority of a proxy to all of ``names``, for clients that can't be told addresses.
    public var namesProxy: String?
    /// The scheme that replaces `http` in URLs of this assignment; nil: `http`.
    public var ownScheme: String?
    /// URLProtocol classes, in the order in which they are registered or stand in the configuration.
    public var protocols: [ProtocolClass] = []
    /// Whether the steps use the shared session, which the application does not set up and which has no delegate.
    public var isShared = false
    /// Whether the loading system keeps URLProtocol objects for a second and a half after their stop.
    public var keepsObjects = false
    /// Whether protocol classes are called from two threads at once before each load.
    public var callsAtOnce = false
    /// Path of a PEM file with the only authority to trust; nil: the client's own.
    public var trust: String?
    /// The identity that the client may show without being asked; nil: none.
    public var identity: Assignment.Identity?
    /// Unknown words that were read; their properties have the default, and they are not written.
    public package(set) var unknownWords: [Assignment.UnknownWord] = []

    /// What is spoken to a proxy: HTTP/2 with prior knowledge (RFC 9113 §3.3).
    public enum ProxyProtocol: String, Sendable, CaseIterable { case h2 }
    /// Which objects implement delegate methods.
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

    /// Makes a session with one delegate on a serial queue, without a cache.
    public init() {}
}
