/// How many requests, connections and refusals a run accepts of one client; a client beyond them is refused.
///
/// A run without bounds answers for ever, and its journal drops more and more of the entries.
public struct RunBounds: Sendable {
    /// The most requests that are answered.
    public var requestCount: Int
    /// The most connections that are served.
    public var connectionCount: Int
    /// The most credentials that one guard refuses in a row.
    public var refusalCount: Int

    /// Bounds that no case of an exam needs to exceed.
    public init(requestCount: Int = 1_000, connectionCount: Int = 1_000, refusalCount: Int = 32) {
        self.requestCount = max(1, requestCount)
        self.connectionCount = max(1, connectionCount)
        self.refusalCount = max(1, refusalCount)
    }
}
