public import ProctorHTTP

/// What a shape wants of its loader.
public struct LoaderPolicy: Sendable, Equatable {
    /// Redirects that are told of, 0 at least; the next one fails the load (R9).
    public var redirectLimit: Int
    /// Whether the client is shown the canonical form of its request (R7); only the old shapes are.
    public var announcesCanonicalForm: Bool
    /// Whether a complete response that may be stored is offered (R32).
    public var asksToStore: Bool
    /// Whom requests are handed to, `http` by its absolute form (RFC 9112 §3.2.2) and `https` through a tunnel; nil: to
    /// their own servers.
    public var proxy: Origin?
    /// Whether addresses of loopback, and `localhost`, are asked themselves though there is a proxy.
    public var sparesLoopback = false
    /// Whether a Bearer challenge is asked about; a URLProtocol may not ask (R20), and then it is none (R16).
    public var asksForTokens: Bool
    /// Whether the questions of handshakes get default handling and nobody is asked, as a URLProtocol must (R20).
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
}

extension LoaderPolicy {
    /// Who gets the request for that URL, or is asked for a tunnel; nil: its own server.
    func proxy(for url: ClientURL) -> Origin? { sparesLoopback && url.origin.isLoopback ? nil : proxy }

    /// The one that is handed it whole, reads it and may answer it.
    func handingProxy(for url: ClientURL) -> Origin? { url.origin.scheme == .http ? proxy(for: url) : nil }

    /// The one that makes a tunnel for it, and sees nothing of it.
    func tunnelProxy(for url: ClientURL) -> Origin? { url.origin.scheme == .https ? proxy(for: url) : nil }
}
