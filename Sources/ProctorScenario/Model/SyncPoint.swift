/// An event that the client must have reported before a reply goes on.
public struct SyncPoint: Sendable, Equatable {
    /// Its neutral name, as `response` or `data`.
    public let event: String
    /// 0-based; nil: of any task.
    public let task: Int?
    /// How many of them, 1 or more.
    public let count: Int
    /// How long it is waited for; nil: the server's own bound.
    public let limit: Duration?

    /// `count` must be positive.
    public init(event: String, task: Int? = nil, count: Int = 1, limit: Duration? = nil) {
        self.event = event
        self.task = task
        self.count = count
        self.limit = limit
    }
}
