/// How the session of a client program is set up and when it ends.
public struct SessionProgram: Sendable, Equatable {
    /// Who is told: the session's delegate, a task's own, both or nobody.
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

    /// Who implements delegate methods.
    public enum Delegates: String, Sendable, CaseIterable { case session, task, both, none }
    /// The delegate queue.
    public enum Queue: String, Sendable, CaseIterable { case serial, `default`, main, concurrent }
    /// The ways to end a session.
    public enum End: String, Sendable, CaseIterable { case finish, invalidate }
    /// When cookies are accepted.
    public enum Cookies: String, Sendable, CaseIterable {
        case always, never
        case mainDocument = "main-document"
    }

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
