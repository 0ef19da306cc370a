/// The instructions for a client under test, with the values of late-bound parts.
///
/// Its JSON is the one object on an adapter's standard input; bytes are written as text when they are UTF-8, else in
/// base64.
public struct Assignment: Sendable, Equatable, Decodable {
    /// The version of the format; a new one means that an old adapter would misread the assignment.
    public var version: Int
    /// The id of the scenario.
    public var scenario: String
    /// The name of the case.
    public var caseName: String
    /// The URL of the run, without a trailing slash.
    public var base: String
    /// The run's id on the control API; nil when there is none.
    public var run: String?
    /// Milliseconds after which the adapter must give up; after more time a watchdog ends it.
    public var deadline: Int
    /// How the session is set up.
    public var session: SessionSetup
    /// The steps, performed in one session, each after the end of the one before unless ``Step/isTogether``; never
    /// empty.
    public var steps: [Step]
    /// Names of events that the client must report at once, since replies wait for them; nil: none.
    public var awaited: [String]?
    /// Names of the abilities that the case needs, sorted; nil: none.
    public var needs: [String]?
    /// The ALPN name of the protocol that the client must use with every origin: `h2`; nil: the client chooses.
    public var protocolName: String?

    /// The version this module writes and reads.
    public static let currentVersion = 1

    /// A word of an assignment that this version does not know.
    public struct UnknownWord: Sendable, Equatable {
        /// The key at which the word stands, as in `onRedirect` or `onChallenge: persistence`.
        public let key: String
        /// The word as it was read.
        public let word: String

        package init(key: String, word: String) {
            (self.key, self.word) = (key, word)
        }
    }

    /// The absolute path of the folder that is the same in all processes of one program with launches; nil: the client
    /// keeps nothing.
    package var storage: String?
    /// How many steps earlier processes of the program have performed, which `resume` of a step counts too; nil: none.
    package var earlierSteps: Int?

    /// Makes an assignment of these parts.
    public init(
        scenario: String, caseName: String, base: String, run: String? = nil, deadline: Int = 10_000,
        session: SessionSetup = SessionSetup(), steps: [Step], awaited: [String]? = nil, needs: [String]? = nil,
        protocolName: String? = nil
    ) {
        version = Self.currentVersion
        (self.scenario, self.caseName, self.base, self.run, self.deadline) = (scenario, caseName, base, run, deadline)
        (self.session, self.steps, self.awaited, self.needs) = (session, steps, awaited, needs)
        self.protocolName = protocolName
    }

    /// The first unknown word with its key, `session.queue: long`; nil when all words are known.
    ///
    /// `joint` is written between step and key.
    package func unknownWord(joint: String = ".") -> String? {
        if let protocolName, protocolName != "h2", protocolName != "h3" { return "protocol: \(protocolName)" }
        if let unknown = session.unknownWords.first { return "session.\(unknown.key): \(unknown.word)" }
        for (index, step) in steps.enumerated() {
            if let unknown = step.unknownWords.first { return "steps[\(index)]\(joint)\(unknown.key): \(unknown.word)" }
        }
        return nil
    }

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
        public var onCanAuthenticate: Bool?
        /// The old delegate's answer to the question whether stored credentials may be used; nil: yes.
        public var onCredentialStorage: Bool?
        /// The answer when a download asks whether to decode its file; nil: yes.
        public var onShouldDecode: DecodeAnswer?
        /// The answer to the canonical form of a request; nil: accepted.
        public var onCanonicalize: CanonicalAnswer?
        /// Milliseconds until an answer from another thread; nil: answer inside the callback.
        public var answerAfter: Int?
        /// When the client cancels the task.
        public var cancelAt: Moment?
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
        public var download: DownloadFileProgram?
        /// nil: the client's default.
        public var cachePolicy: CachePolicy?
        /// When the load starts and where its callbacks run; nil: the client's default.
        public var schedule: Schedule?
        /// The acts of a scripted URLProtocol instead of a load over the wire; nil: none.
        public var protocolScript: [ProtocolCall]?
        /// Names of header fields that the client looks up in the response and in redirect responses, in this spelling.
        public var fieldNames: [String] = []
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
        /// Unknown words in the JSON that was read; their properties have the default value, and the words are not
        /// written again.
        public package(set) var unknownWords: [UnknownWord] = []

        /// Makes a GET without content that follows redirects.
        public init(method: String = "GET", url: String) {
            (self.method, self.url) = (method, url)
        }
    }

    /// What a step says in place of the same keys of the session; nil: none, whatever the session says.
    package struct SessionChange: Sendable, Equatable {
        package var proxy: String?
        package var httpsProxy: String?
        package var proxyProtocol: SessionSetup.ProxyProtocol?
        package var proxyUser: String?
        package var proxyPassword: String?
        package var noProxy: [String]?
        package var baseURL: String?
        package var trust: String?
        package var identity: Identity?

        package init() {}

        package init(_ setup: SessionSetup) {
            (proxy, httpsProxy, proxyProtocol) = (setup.proxy, setup.httpsProxy, setup.proxyProtocol)
            (proxyUser, proxyPassword) = (setup.proxyUser, setup.proxyPassword)
            (noProxy, baseURL) = (setup.noProxy, setup.baseURL)
            (trust, identity) = (setup.trust, setup.identity)
        }
    }

    /// The application's settings for the file of an NSURLDownload; nil: the client's default.
    public struct DownloadFileProgram: Sendable, Equatable, Codable {
        /// Whether the file is deleted when the download fails or is cancelled, so that the download can't be resumed.
        public var deletesFileUponFailure: Bool?
        /// The name of the file, set before the start; nil: the delegate accepts the suggested name when it is asked.
        public var destination: String?
        /// Whether an existing file may be replaced.
        public var overwrites: Bool?

        /// Makes settings that leave every choice to the client.
        public init() {}
    }

    /// Content, as text or as base64.
    public struct Bytes: Sendable, Equatable, Codable {
        /// The content as UTF-8; nil when `base64` is given.
        public var text: String?
        /// The content in base64; nil when `text` is given.
        public var base64: String?
        /// The byte count of the content, to which `text` is repeated; for long content.
        public var count: Int?

        /// Makes content from exactly one of `text` and `base64`.
        public init(text: String? = nil, base64: String? = nil, count: Int? = nil) {
            (self.text, self.base64, self.count) = (text, base64, count)
        }
    }

    /// A client certificate with its private key, as files.
    public struct Identity: Sendable, Equatable, Codable {
        /// The identity's name in the fixture.
        public var name: String
        /// Path of a PEM file with the certificate and its intermediate certificates.
        public var certificate: String
        /// Path of a PEM file with the private key, without a passphrase.
        public var key: String
        /// Path of a PKCS #12 file with certificate and key.
        public var pkcs12: String
        /// The passphrase of the PKCS #12 file.
        public var passphrase: String

        /// Makes an identity; paths must be absolute.
        public init(name: String, certificate: String, key: String, pkcs12: String, passphrase: String) {
            (self.name, self.certificate, self.key, self.pkcs12) = (name, certificate, key, pkcs12)
            self.passphrase = passphrase
        }
    }

    /// The address of a host name that no name server has.
    public struct NamedHost: Sendable, Equatable, Codable {
        /// The host name, in lower case.
        public var name: String
        /// The port in URLs with that name; the scheme's default when they have none.
        public var port: Int
        /// `127.0.0.1:4711`, `[::1]:4711`, or `unix:` with the absolute path of a Unix socket.
        public var address: String
        /// All addresses in the order in which they are to be tried, of one port; nil: ``address`` alone.
        package var addresses: [String]?

        /// Makes a host name with its address.
        public init(name: String, port: Int, address: String) {
            (self.name, self.port, self.address) = (name, port, address)
        }
    }
}

/// How the session of a client program is configured, and how it ends.
public struct SessionSetup: Sendable, Equatable {
    /// Which objects are delegates.
    public var delegates = Delegates.session
    /// The methods that the delegate does not implement; with `both`, the task's delegate.
    public var without: [DelegateMethod] = []
    /// Which methods for challenges an old delegate implements; nil: the new method for a connection, the old methods
    /// for a download.
    public var challengeMethods: ChallengeMethods?
    /// The queue on which callbacks run.
    public var queue = Queue.serial
    /// How the session ends; nil: finished after all steps.
    public var end: End?
    /// A moment of the first step at which the session ends; nil: after the last step.
    public var endAt: Assignment.Moment?
    /// Which cookies the session accepts and sends.
    public var cookies = Cookies.always
    /// The memory capacity of a URLCache in bytes; nil: no cache.
    public var cache: Int?
    /// The timeout of requests in milliseconds; nil: the client's default.
    public var requestTimeout: Int?
    /// The timeout of resources in milliseconds; nil: the client's default.
    public var resourceTimeout: Int?
    /// The most connections to one host at a time; nil: the client's default.
    public var connectionsPerHost: Int?
    /// Authority of a proxy for http and https to every host; nil: none.
    public var proxy: String?
    /// Authority of a proxy for https to every host, in place of ``proxy``; nil: that is for https too.
    package var httpsProxy: String?
    /// The protocol between client and ``proxy``; nil: HTTP/1.1.
    public var proxyProtocol: ProxyProtocol?
    /// The user for a proxy of SOCKS: of RFC 1929, or the user of SOCKS 4; nil: none is said.
    public var proxyUser: String?
    /// The password for ``proxyUser``.
    public var proxyPassword: String?
    /// The hosts that are reached without ``proxy``, each as an entry of `no_proxy` is written; nil: none.
    package var noProxy: [String]?
    /// Absolute URL against which the client resolves the ``Assignment/Step/reference`` of a step; nil: none.
    package var baseURL: String?
    /// URL of a proxy auto-configuration file, which says the proxies of each URL; nil: none, and ``proxy`` decides.
    package var pac: String?
    /// The host names in URLs of this assignment and its redirects, with their addresses; nil: none.
    ///
    /// A client connects to the address instead of resolving the name, or uses ``namesProxy``. A client with a
    /// ``proxy`` uses that one for all hosts.
    public var names: [Assignment.NamedHost]?
    /// Authority of a proxy for all of ``names``, for clients that can't be given addresses.
    public var namesProxy: String?
    /// Address of a server of DNS, over UDP and TCP, that is asked for every name; nil: no name is looked up.
    ///
    /// An entry of ``names`` then says the port alone, to which a client connects in place of that of the URL.
    package var resolver: String?
    /// The scheme that stands in place of `http` in URLs of this assignment; nil: `http`.
    public var ownScheme: String?
    /// The URLProtocol classes, in the order in which they are registered or listed in the configuration.
    public var protocols: [ProtocolClass] = []
    /// Whether the steps use the shared session, which the application does not configure and which has no delegate.
    public var isShared = false
    /// Whether the loading system keeps URLProtocol objects for 1.5 seconds after they were stopped.
    public var keepsObjects = false
    /// Whether two threads call the protocol classes at the same time before each load.
    public var callsAtOnce = false
    /// Path of a PEM file with the only authority to trust; nil: the client's own authorities.
    public var trust: String?
    /// Whether the client judges servers by ``trust`` without a question to its delegate, since the case knows no TLS.
    package var evaluatesTrust = false
    /// The identity that the client may present without being asked; nil: none.
    public var identity: Assignment.Identity?
    /// Unknown words in the JSON that was read; their properties have the default value, and the words are not written
    /// again.
    public package(set) var unknownWords: [Assignment.UnknownWord] = []

    /// The setup with the ways and the trust of a step; nil: the same setup.
    package func changed(by change: Assignment.SessionChange?) -> SessionSetup {
        guard let change else { return self }
        var setup = self
        (setup.proxy, setup.httpsProxy) = (change.proxy, change.httpsProxy)
        setup.proxyProtocol = change.proxyProtocol
        (setup.proxyUser, setup.proxyPassword) = (change.proxyUser, change.proxyPassword)
        (setup.noProxy, setup.baseURL) = (change.noProxy, change.baseURL)
        (setup.trust, setup.identity) = (change.trust, change.identity)
        return setup
    }

    /// What client and proxy speak: HTTP/2 with prior knowledge (RFC 9113 §3.3), over TLS HTTP/1.1 or HTTP/2, or SOCKS.
    ///
    /// With `socks5` and `socks4` the client looks names up; with `socks5h` and `socks4a` the proxy does.
    public enum ProxyProtocol: String, Sendable, CaseIterable {
        case h2, https
        case httpsH2 = "https-h2"
        case socks5, socks5h, socks4, socks4a

        /// Whether TLS is spoken to the proxy.
        package var isSecured: Bool { self == .https || self == .httpsH2 }

        package var isSOCKS: Bool { Self.ofSOCKS.contains(self) }

        /// Whether the client looks names up, and asks the proxy for addresses.
        package var asksForAddresses: Bool { self == .socks5 || self == .socks4 }

        package static let ofSOCKS: [ProxyProtocol] = [.socks5, .socks5h, .socks4, .socks4a]

        /// The scheme of the proxy's URL, as curl and others have it.
        package var urlScheme: String { isSOCKS ? rawValue : isSecured ? "https" : "http" }
    }
    /// Which objects implement delegate methods.
    public enum Delegates: String, Sendable, CaseIterable { case session, task, both, none }
    /// The delegate queue; `default` gives the session none.
    public enum Queue: String, Sendable, CaseIterable { case serial, `default`, main, concurrent }
    /// How a session ends: after its tasks have ended (`finishTasksAndInvalidate`), or by cancelling them
    /// (`invalidateAndCancel`).
    public enum End: String, Sendable, CaseIterable { case finish, invalidate }
    /// When cookies are accepted.
    public enum Cookies: String, Sendable, CaseIterable {
        case always, never
        case mainDocument = "main-document"
    }

    /// Makes a session with one delegate on a serial queue, without a cache.
    public init() {}
}
