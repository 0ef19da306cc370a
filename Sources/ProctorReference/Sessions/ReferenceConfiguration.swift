internal import ProctorBase
public import ProctorHTTP
internal import ProctorLoop

/// How a session loads; the defaults are URLSession's where it has one.
public struct ReferenceConfiguration: Sendable {
    /// Without activity, after which a load fails with `timedOut` (R45); nil: never.
    ///
    /// While a question is open it does not run: only ``resourceTimeout`` ends a load whose delegate never answers.
    public var requestTimeout: Duration? = .seconds(60)
    /// From the start of a task to its end; nil: for ever, where URLSession has seven days.
    public var resourceTimeout: Duration?
    /// Redirects of one task that its delegate is told of; one more fails the load (R9).
    public var redirectLimit = 20
    /// What answers in the server's place where it may, and is given what may be stored, after `willCache` (R32, R33).
    ///
    /// Downloads are answered from it and not stored in it. Sessions may share one. nil: nothing is kept.
    public var cache: ReferenceCache?
    /// Where credentials are looked for and kept that outlive their load; sessions may share one.
    ///
    /// nil: one of the session's own. What is to be kept permanently is in ``ReferenceCredentialStore/process`` too.
    public var credentialStore: ReferenceCredentialStore?
    /// Where cookies are kept; sessions may share one.
    ///
    /// nil: one of the session's own, which lasts as long as that. What is to be gone when a session ends is for the
    /// owner of a shared one to say, by ``ReferenceCookieStore/endSession()``.
    public var cookieStore: ReferenceCookieStore?
    /// Which cookies are taken.
    public var cookiePolicy = CookiePolicy.always
    /// Trusted anchors and the client's identity for `https`.
    public var security = ReferenceSecurity()
    /// The proxy that every request is handed to, as host and port of `http`; nil: no proxy.
    ///
    /// Of `http` it gets the whole URL; of `https` it is asked for a tunnel by CONNECT and sees nothing of what is in it. It
    /// looks up the host, and alone is sent Proxy-Authorization.
    public var proxy: Origin?
    /// Whether addresses of loopback, and `localhost`, are asked themselves though there is a proxy.
    public var sparesLoopback = false
    /// Addresses of names; one that is not in it fails with `cannotFindHost` unless there is a proxy.
    public var names = HostTable()
    /// Sent with every request that has no field of the same name.
    public var additionalFields: [HTTPField] = []
    /// Sent where neither the request nor the additional fields have one of the same name.
    ///
    /// Accept, Accept-Language, User-Agent, and Accept-Encoding with the codings that are undone.
    ///
    /// Codings are undone whatever a request says of them, as URLSession has it: what arrives is the content itself.
    public var defaultFields: [HTTPField] = DefaultFields.list()
    /// Bytes that completion handlers and `async` methods are given at most; more fails the load.
    public var collectedByteLimit = 1 << 30
    /// Bytes of one downloaded file; more fails the download.
    public var fileByteLimit = 1 << 40
    /// Where downloads are written: `TMPDIR`, or `/tmp`.
    public var temporaryFolder: String
    /// Bytes that a delegate may be behind before nothing more is read for its task.
    public var backlogByteLimit = 1 << 20

    /// What is done wrong with cookies, by clients that are broken on purpose.
    package var cookieFault: CookieFault?
    /// The client nonces of Digest; nil: random ones.
    package var makeClientNonce: (@Sendable () -> String)?
    /// What is done wrong on the way; nil: nothing.
    package var transportFault: TransportFault?
    /// One for each load, between its state machine and its surroundings.
    package var makeActionFilter: (@Sendable () -> any ActionFilter)?
    /// One for each task and one for what is said of the session, between them and the delegates.
    package var makeCallFilter: (@Sendable () -> any CallFilter)?

    /// With the defaults.
    public init() { temporaryFolder = TemporaryFolder.path }

    /// An empty file for a download.
    func makeFile() throws(LoadError) -> DownloadFile { try DownloadFile(in: temporaryFolder, limit: fileByteLimit) }
}

/// What the loads of one session or network share.
struct SharedState: Sendable {
    let configuration: ReferenceConfiguration
    let thread: LoadingThread
    /// Added to requests, each name once.
    let fields: [HTTPField]
    /// What the loads know of credentials.
    private let memory: LoopBound<AuthenticationMemory>
    /// The configuration's, or one of its own.
    let cookieStore: ReferenceCookieStore
    private let security: ConnectionSecurity

    /// `fallback` is asked for a credential that no store has.
    init(
        _ configuration: ReferenceConfiguration, on thread: LoadingThread,
        fallback: (@Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential?)? = nil
    ) {
        self.configuration = configuration
        self.thread = thread
        let additional = configuration.additionalFields
        fields = additional + configuration.defaultFields.filter { !additional.contains(named: $0.name) }
        var stores = [configuration.credentialStore ?? ReferenceCredentialStore()]
        if let fallback { stores.append(ReferenceCredentialStore(fallback: fallback)) }
        stores.append(.process)
        let makeNonce = configuration.makeClientNonce ?? ClientNonce.random
        memory = LoopBound(AuthenticationMemory(stores: stores, makeClientNonce: makeNonce), on: thread.loop)
        cookieStore = configuration.cookieStore ?? ReferenceCookieStore()
        security = ConnectionSecurity(configuration.security)
    }

    /// For a load whose request has a time-out of its own, or none.
    func options(timeout: Duration?, asksToStore: Bool) -> LoadOptions {
        var options = LoadOptions()
        options.policy = LoaderPolicy(
            redirectLimit: configuration.redirectLimit, asksToStore: asksToStore && configuration.cache != nil,
            proxy: configuration.proxy)
        options.policy.sparesLoopback = configuration.sparesLoopback
        options.names = configuration.names
        options.transportFault = configuration.transportFault
        options.memory = memory
        options.security = security
        options.cookies = CookieHandling(
            store: cookieStore, policy: configuration.cookiePolicy, fault: configuration.cookieFault)
        options.idleLimit = (timeout ?? configuration.requestTimeout)?.wholeNanoseconds ?? .max
        options.resourceLimit = configuration.resourceTimeout?.wholeNanoseconds
        options.backlogLimit = configuration.backlogByteLimit
        options.cache = configuration.cache
        options.makeFilter = configuration.makeActionFilter
        return options
    }
}
