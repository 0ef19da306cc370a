/// How much a run takes of one client; beyond it the client repeats itself, and is told so and refused.
///
/// A run without bounds answers for ever, and its journal says less and less of it.
public struct RunBounds: Sendable {
    /// Requests that are answered.
    public var requestCount: Int
    /// Connections that are served.
    public var connectionCount: Int
    /// Credentials that one guard refuses in a row.
    public var refusalCount: Int

    /// More than any case of an exam needs.
    public init(requestCount: Int = 1_000, connectionCount: Int = 1_000, refusalCount: Int = 32) {
        self.requestCount = max(1, requestCount)
        self.connectionCount = max(1, connectionCount)
        self.refusalCount = max(1, refusalCount)
    }
}
