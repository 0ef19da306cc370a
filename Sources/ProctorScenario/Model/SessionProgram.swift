public import ProctorProgram

/// How the session of a client program is set up and when it ends.
public struct SessionProgram: Sendable, Equatable {
    /// Who is told: the session's delegate, a task's own, both or none.
    public let delegates: Delegates
    /// Where callbacks run.
    public let queue: Queue
    /// nil: it is left alone until all steps are over.
    public let end: End?
    /// nil: after the last step.
    public let endAt: Moment?
    /// Whether cookies are kept and sent.
    public let cookies: Cookies
    /// Bytes of memory for a cache; nil: there is none.
    public let cache: Int?
    /// nil: the client's own.
    public let requestTimeout: Duration?
    /// nil: the client's own.
    public let resourceTimeout: Duration?
    /// Index into the scenario's origins.
    public let proxy: Int?
    /// A scheme of the client's own, by which HTTP URLs are called; nil: `http` is called `http`.
    public let scheme: String?
    /// By what servers are judged.
    public let trust: Trust
    /// The client identity that is shown without a question; nil: none.
    public let identity: String?

    /// What the client takes for an authority.
    public enum Trust: String, Sendable, CaseIterable {
        /// That of this server.
        case authority
        /// The client's own, which do not know that of this server.
        case none
    }

    /// Which objects implement delegate methods.
    public typealias Delegates = SessionSetup.Delegates
    /// The delegate queue.
    public typealias Queue = SessionSetup.Queue
    /// The ways to end a session.
    public typealias End = SessionSetup.End
    /// When cookies are accepted.
    public typealias Cookies = SessionSetup.Cookies

    /// Every part as the fixture gives it, or its default.
    public init(
        delegates: Delegates = .session, queue: Queue = .serial, end: End? = nil, endAt: Moment? = nil,
        cookies: Cookies = .always, cache: Int? = nil, requestTimeout: Duration? = nil,
        resourceTimeout: Duration? = nil, proxy: Int? = nil, scheme: String? = nil, trust: Trust = .authority,
        identity: String? = nil
    ) {
        self.trust = trust
        self.identity = identity
        self.delegates = delegates
        self.queue = queue
        self.end = end
        self.endAt = endAt
        self.cookies = cookies
        self.cache = cache
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
        self.proxy = proxy
        self.scheme = scheme
    }
}
