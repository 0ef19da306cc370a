public import ProctorTrace

/// What late-bound text stands for while one reply is made.
public struct TemplateContext: Sendable {
    /// `http://127.0.0.1:40000` or with a mount's path, without a slash at its end.
    public var base: [UInt8]
    /// Host and port by origin index: `127.0.0.1:40000`.
    public var authorities: [[UInt8]]
    /// By origin index; an origin beyond its end has `http`.
    public var schemes: [Origin.Scheme]
    /// Files for clients of origins that speak TLS; nil: there are none.
    public var trust: TrustFiles?
    /// Where names of the scenario stand; empty where it has none.
    public var names: [Assignment.NamedHost]
    /// Authority of the proxy that leads to all of them; nil where there are none.
    public var namesProxy: String?
    /// The origin that `{{origin}}` and `{{authority}}` mean.
    public var originIndex: Int
    /// Seconds since 1970 at which the reply is made.
    public var unixSeconds: Int
    /// What the request's pattern took.
    public var captures: Captures

    /// `authorities` has one entry for each origin of the scenario.
    public init(
        base: [UInt8], authorities: [[UInt8]], schemes: [Origin.Scheme] = [], trust: TrustFiles? = nil,
        names: [Assignment.NamedHost] = [], namesProxy: String? = nil, originIndex: Int = 0, unixSeconds: Int = 0,
        captures: Captures = Captures()
    ) {
        self.schemes = schemes
        self.trust = trust
        self.names = names
        self.namesProxy = namesProxy
        self.base = base
        self.authorities = authorities
        self.originIndex = originIndex
        self.unixSeconds = unixSeconds
        self.captures = captures
    }
}

/// What clients are given to trust a server, and to be trusted by it.
public struct TrustFiles: Sendable, Equatable {
    /// Path of the authority's certificate, PEM.
    public var authority: String
    /// Client identities by name.
    public var identities: [String: Assignment.Identity]

    /// Paths are absolute.
    public init(authority: String, identities: [String: Assignment.Identity]) {
        self.authority = authority
        self.identities = identities
    }
}
