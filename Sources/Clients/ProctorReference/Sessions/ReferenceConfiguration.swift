internal import ProctorBase
public import ProctorDialling
public import ProctorHTTP
internal import ProctorLoop
package import ProctorNegotiate
package import ProctorSOCKS

/// The settings of a session; the defaults are those of URLSession, where it has one.
public struct ReferenceConfiguration: Sendable {
    /// The time without activity after which a load fails with `timedOut` (R45); nil: no limit.
    ///
    /// It does not run while a question has no answer: a load whose delegate never answers ends only by
    /// ``resourceTimeout``.
    public var requestTimeout: Duration? = .seconds(60)
    /// The time from the start of a task to its end; nil: no limit, where URLSession has seven days.
    public var resourceTimeout: Duration?
    /// The most redirects of one task; the next one fails the load (R9).
    public var redirectLimit = 20
    /// Whether a redirect to a URL that the task has asked before fails it.
    package var refusesCycles = false
    /// Whether each part of multipart/x-mixed-replace is a response of its own (R26).
    package var splitsParts = true
    /// The statuses, of 301 and 302, whose redirects keep the method and the content of a POST.
    package var keptMethods: Set<Int> = []
    /// The most bytes of decoded content, and the most for each coded byte, over which a load fails; nil: no limit.
    package var decodedByteLimit: Int?
    package var decodedRatio: Int?
    /// The time for making a connection, its handshake of TLS included; nil: ``requestTimeout`` alone.
    package var connectTimeout: Duration?
    /// How long a connection is kept unused.
    package var idleTime: Duration?
    /// The most requests on a connection of HTTP/1.1; nil: any number.
    package var usesOfConnection: Int?
    /// The most connections to one origin at a time, at least 1; further requests wait in a queue.
    public var connectionsPerHost = 6
    /// The cache for responses, stored after `willCache` (R32, R33); nil: no cache.
    ///
    /// A download may be answered from it and is never stored. Sessions may share a cache.
    public var cache: ReferenceCache?
    /// The store of credentials; sessions may share one, nil gives the session its own.
    ///
    /// Credentials with permanent persistence are in ``ReferenceCredentialStore/process`` too.
    public var credentialStore: ReferenceCredentialStore?
    /// The store of cookies; sessions may share one, nil gives the session its own for its lifetime.
    ///
    /// The owner of a shared store calls ``ReferenceCookieStore/endSession()`` to remove session cookies.
    public var cookieStore: ReferenceCookieStore?
    /// The hosts that are asked by https alone (RFC 6797); sessions may share a store, nil gives the session its own.
    package var strictHosts: StrictHosts?
    /// The cookies that are accepted.
    public var cookiePolicy = CookiePolicy.always
    /// Whether the client speaks HTTP/2 (RFC 9113) besides HTTP/1.1.
    ///
    /// To `https` servers it is offered by ALPN, before HTTP/1.1; to `http` servers it is spoken with prior knowledge
    /// (§3.3), so that a server without HTTP/2 fails the load. ``proxySpeaksHTTP2`` is for proxies.
    public var speaksHTTP2 = false
    /// Whether `https` servers are asked over HTTP/3 alone (RFC 9114 §3.1), at the UDP port with the number of their port; without a
    /// proxy, and by the library that ``QUICLibrary/register(_:)`` was given.
    package var speaksHTTP3 = false
    /// The TLS settings for `https`: trusted anchors and the client's identity.
    public var security = ReferenceSecurity()
    /// The proxy for every request, as the origin of a URL, whose scheme says whether TLS is spoken to it; nil: no proxy.
    ///
    /// It receives `http` requests with the whole URL; for `https` it makes a tunnel by CONNECT and can't read the
    /// content. The proxy resolves the host name, and only it receives Proxy-Authorization.
    public var proxy: Origin?
    /// The proxy for `https` requests, in place of ``proxy``; nil: that is for them too.
    package var httpsProxy: Origin?
    /// The proxy of SOCKS for every request, in place of ``proxy``; nil: none.
    package var socksProxy: SOCKSProxy?
    /// The hosts whose requests use neither proxy.
    package var proxyExceptions = ProxyExceptions([])
    /// Finds the ways to a URL in place of a proxy, on the thread of the loads, which wait for it.
    package var findRoutes: RouteFinding?
    package var hasProxy: Bool { proxy != nil || httpsProxy != nil || socksProxy != nil }
    /// Whether the protocol between client and ``proxy`` is HTTP/2, without TLS with prior knowledge (RFC 9113 §3.3); else
    /// HTTP/1.1.
    public var proxySpeaksHTTP2 = false
    /// Whether requests to loopback addresses and `localhost` do not use the proxy.
    public var sparesLoopback = false
    /// The addresses of host names; without a proxy, a name that is missing here fails with `cannotFindHost`.
    public var names = HostTable()
    /// Header fields for every request that has no field of the same name.
    public var additionalFields: [HTTPField] = []
    /// Default header fields, for requests that have no field of the same name, additional fields included.
    ///
    /// Accept, Accept-Language, User-Agent, and Accept-Encoding with the codings that this client decodes.
    ///
    /// Content is decoded whatever Accept-Encoding a request has, as in URLSession.
    public var defaultFields: [HTTPField] = DefaultFields.list
    /// The most bytes of content for completion handlers and `async` methods; more fails the load.
    public var collectedByteLimit = 1 << 30
    /// The greatest size of a downloaded file in bytes; a longer one fails the download.
    public var fileByteLimit = 1 << 40
    /// The folder for downloads: `TMPDIR`, or `/tmp`.
    public var temporaryFolder: String
    /// The number of unprocessed bytes of a task at which its reading stops.
    package var backlogByteLimit = 1 << 20

    /// Whether sessions and loads keep their delegates for ever, a deliberate fault.
    package var keepsDelegate = false
    /// What is offered within Negotiate, the preferred one first; never empty.
    package var mechanisms: [NegotiateMechanism] = [.ntlm]
    /// Whether the last token of Negotiate proves any server, a deliberate fault.
    package var believesAnyServer = false
    /// A deliberate fault with cookies.
    package var cookieFault: CookieFault?
    /// A deliberate fault of the cache.
    package var cacheFault: CacheFault?
    /// Whether safe requests are sent on a connection in use before the replies to those before have come (RFC 9112
    /// §9.3.2).
    package var pipelines = false
    /// Makes the client nonces of Digest; nil: random ones.
    package var makeClientNonce: (@Sendable () -> String)?
    /// A deliberate fault of the transport; nil: none.
    package var transportFault: TransportFault?
    /// A deliberate fault of NSURLConnection and NSURLDownload; nil: none.
    package var legacyFault: LegacyFault?
    /// A deliberate fault with the files of downloads; nil: none.
    package var downloadFault: DownloadFault?
    /// Makes a filter for the actions of each load.
    package var makeActionFilter: (@Sendable () -> any ActionFilter)?
    /// Makes a filter for the calls of each task, and one for the session's own calls.
    package var makeCallFilter: (@Sendable () -> any CallFilter)?

    /// Makes a configuration with the defaults.
    public init() { temporaryFolder = TemporaryFolder.path }

    var transportLimits: TransportLimits {
        var limits = TransportLimits()
        switch transportFault {
        case .wire(.usesOneConnection): limits.connectionsPerOrigin = 1
        case .wire(.ignoresConnectionLimit): break
        case .wire(.hasNoBounds): limits.replies = Excess.limits
        default: limits.connectionsPerOrigin = max(1, connectionsPerHost)
        }
        limits.pipelines = pipelines
        (limits.usesOfConnection, limits.connectTime) = (usesOfConnection, connectTimeout)
        (limits.decodedByteCount, limits.decodedRatio) = (decodedByteLimit, decodedRatio)
        if let idleTime { limits.idleTime = idleTime }
        limits.permitsMoreAfterLoss = transportFault == .storm(.permitsMoreAfterLoss)
        limits.countsFailures = limits.permitsMoreAfterLoss || transportFault == .storm(.givesUpOrigins)
        return limits
    }

    func makeFile() throws(LoadError) -> DownloadFile { try DownloadFile(in: temporaryFolder, limit: fileByteLimit) }
}

/// The configuration of a load's client, with what else the client sets for one load.
@dynamicMemberLookup
struct LoadOptions: Sendable {
    private var configuration: ReferenceConfiguration
    var policy: LoaderPolicy
    /// Nanoseconds without activity; `.max`: no limit.
    var idleLimit: UInt64
    /// Nanoseconds from start to end; nil: no limit.
    var resourceLimit: UInt64? { configuration.resourceTimeout?.wholeNanoseconds }
    /// nil: no cookies.
    var cookies: CookieHandling?
    /// The TLS settings; nil: loads of `https` fail.
    var security: ConnectionSecurity?
    /// The hosts that are asked by https alone; nil: none are known.
    var strictHosts: StrictHosts?
    /// The alternative services of origins; nil: none are known.
    var alternatives: Alternatives?
    /// What is asked for besides HTTP; nil: nothing, and a 101 fails the load.
    private(set) var upgrade: OpeningHandshake?
    /// The credentials that the loads of one client share; nil: this load shares none.
    var memory: LoopBound<AuthenticationMemory>?

    /// `timeout` is used instead of the configuration's time without activity.
    init(_ configuration: ReferenceConfiguration = ReferenceConfiguration(), timeout: Duration? = nil) {
        self.configuration = configuration
        idleLimit = (timeout ?? configuration.requestTimeout)?.wholeNanoseconds ?? .max
        policy = LoaderPolicy(
            redirectLimit: max(0, configuration.redirectLimit), proxy: configuration.proxy,
            httpsProxy: configuration.httpsProxy, sparesLoopback: configuration.sparesLoopback,
            proxyExceptions: configuration.proxyExceptions)
        (policy.refusesCycles, policy.keptMethods) = (configuration.refusesCycles, configuration.keptMethods)
        policy.splitsParts = configuration.splitsParts
        (policy.mechanisms, policy.believesAnyServer) = (configuration.mechanisms, configuration.believesAnyServer)
        policy.leavesMisdirection = configuration.transportFault?.ignoresMisdirection != true
    }

    /// A member of the configuration.
    subscript<Value>(dynamicMember path: WritableKeyPath<ReferenceConfiguration, Value>) -> Value {
        get { configuration[keyPath: path] }
        set { configuration[keyPath: path] = newValue }
    }

    /// A WebSocket is opened through a tunnel where there is a proxy (RFC 6455 §4.1), and past the cache.
    mutating func open(_ handshake: OpeningHandshake) {
        upgrade = handshake
        configuration.cache = nil
        policy.opensWebSocket = true
    }
}

struct SharedState: Sendable {
    private let current: Locked<(configuration: ReferenceConfiguration, security: ConnectionSecurity)>
    /// The latest configuration; ``changeWays(_:)`` replaces it.
    var configuration: ReferenceConfiguration { current.withLock { $0.configuration } }
    let thread: LoadingThread
    /// Fields that are added to requests; each name occurs once.
    private let fields: [HTTPField]
    private let memory: LoopBound<AuthenticationMemory>
    /// The configuration's store, or the session's own.
    let cookieStore: ReferenceCookieStore
    private let strictHosts: StrictHosts
    private let alternatives = Alternatives()

    /// `fallback` is called for a credential that is in no store.
    init(
        _ configuration: ReferenceConfiguration, on thread: LoadingThread,
        fallback: (@Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential?)? = nil
    ) {
        current = Locked((configuration, ConnectionSecurity(configuration.security)))
        self.thread = thread
        let additional = configuration.additionalFields
        fields = additional + configuration.defaultFields.filter { !additional.contains(named: $0.name) }
        var stores = [configuration.credentialStore ?? ReferenceCredentialStore()]
        if let fallback { stores.append(ReferenceCredentialStore(fallback: fallback)) }
        stores.append(.process)
        let makeNonce = configuration.makeClientNonce ?? AuthenticationMemory.randomNonce
        memory = LoopBound(AuthenticationMemory(stores: stores, makeClientNonce: makeNonce), on: thread.loop)
        cookieStore = configuration.cookieStore ?? ReferenceCookieStore()
        strictHosts = configuration.strictHosts ?? StrictHosts()
    }

    /// Takes the ways and the trust of a configuration for the loads that begin from now on.
    ///
    /// With another trust or identity they share no connection and no session of TLS with the loads before.
    func changeWays(_ configuration: ReferenceConfiguration) {
        current.withLock { $0 = (configuration, ConnectionSecurity(configuration.security)) }
    }

    /// `timeout` is that of the request; nil: the configuration's.
    func options(timeout: Duration?, asksToStore: Bool) -> LoadOptions {
        let (configuration, security) = current.withLock { $0 }
        var options = LoadOptions(configuration, timeout: timeout)
        options.policy.asksToStore = asksToStore && configuration.cache != nil
        options.memory = memory
        options.security = security
        (options.strictHosts, options.alternatives) = (strictHosts, alternatives)
        options.cookies = CookieHandling(of: configuration, in: cookieStore)
        return options
    }

    /// The request with the configuration's fields that it lacks.
    func completed(_ request: ClientRequest) -> ClientRequest { request.completed(with: fields) }
}
