public import ProctorHTTP
internal import ProctorLoop

/// What a load is given besides its request.
struct LoadOptions: Sendable {
    /// How its loader behaves.
    var policy = LoaderPolicy()
    /// Nanoseconds without activity; `.max`: for ever.
    var idleLimit: UInt64 = 60_000_000_000
    /// Nanoseconds from the start to the end; nil: for ever.
    var resourceLimit: UInt64?
    /// Bytes that the client may be behind before reading stops.
    var backlogLimit = 1 << 20
    /// What may answer in the server's place, and what may be stored; nil: nothing.
    var cache: ReferenceCache?
    /// Sends and takes cookies; nil: no cookies.
    var cookies: CookieHandling?
    /// What `https` is secured by; nil: such a load fails.
    var security: ConnectionSecurity?
    /// Addresses of names.
    var names = HostTable()
    /// What is done wrong on the way; nil: nothing.
    var transportFault: TransportFault?
    /// What the loads of one client know together of credentials; nil: this load is on its own.
    var memory: LoopBound<AuthenticationMemory>?
    /// Stands between the state machine and its surroundings; for clients that are broken on purpose.
    var makeFilter: (@Sendable () -> any ActionFilter)?

    /// The defaults are those of URLSession.
    init() {}
}

/// Changes what a loader wants done.
package protocol ActionFilter {
    /// `actions` came of `event`; what is returned is done in their place. `loader` is as the event left it.
    mutating func filter(_ actions: [LoadAction], after event: LoadEvent, of loader: Loader) -> [LoadAction]
}

/// What a shape wants of its loader.
public struct LoaderPolicy: Sendable, Equatable {
    /// Redirects that are told of, 0 at least; the next one fails the load (R9).
    public var redirectLimit: Int
    /// Whether the client is shown the canonical form of its request (R7); only the old shapes are.
    public var announcesCanonicalForm: Bool
    /// Whether a complete response that may be stored is offered (R32).
    public var asksToStore: Bool
    /// The proxy that is handed `http` requests in absolute form (RFC 9112 §3.2.2) and asked for tunnels for `https`; nil:
    /// no proxy.
    public var proxy: Origin?
    /// Whether addresses of loopback, and `localhost`, are asked themselves though there is a proxy.
    public var sparesLoopback = false
    /// Whether a Bearer challenge is asked about; a URLProtocol may not ask (R20), and then it is none (R16).
    public var asksForTokens: Bool
    /// Whether the questions of handshakes get default handling without asking, as a URLProtocol must do (R20).
    public var resolvesTrustItself: Bool
    /// Whether stored credentials are proposed, tried and sent unasked (R19).
    public var usesStoredCredentials: Bool

    /// As URLSession has it, without a cache and without a proxy.
    public init(
        redirectLimit: Int = 20, announcesCanonicalForm: Bool = false, asksToStore: Bool = false,
        proxy: Origin? = nil, asksForTokens: Bool = true, resolvesTrustItself: Bool = false,
        usesStoredCredentials: Bool = true
    ) {
        self.redirectLimit = max(0, redirectLimit)
        self.announcesCanonicalForm = announcesCanonicalForm
        self.asksToStore = asksToStore
        self.proxy = proxy
        self.asksForTokens = asksForTokens
        self.resolvesTrustItself = resolvesTrustItself
        self.usesStoredCredentials = usesStoredCredentials
    }

    /// The proxy that gets the request for that URL, or is asked for a tunnel; nil: none.
    func proxy(for url: ClientURL) -> Origin? { sparesLoopback && url.origin.isLoopback ? nil : proxy }

    /// The one that is handed it whole, reads it and may answer it.
    func handingProxy(for url: ClientURL) -> Origin? { url.origin.scheme == .http ? proxy(for: url) : nil }

    /// The one that makes a tunnel for it, and sees nothing of it.
    func tunnelProxy(for url: ClientURL) -> Origin? { url.origin.scheme == .https ? proxy(for: url) : nil }
}
