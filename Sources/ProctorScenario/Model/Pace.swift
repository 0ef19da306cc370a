/// How fast bytes go: so many at a time, at fixed moments counted from the first.
public struct Pace: Sendable, Equatable {
    /// 1 or more.
    public let byteCount: Int
    /// From one portion to the next.
    public let interval: Duration
    /// What is paced.
    public let scope: Scope

    /// The part of a reply that keeps the pace.
    public enum Scope: String, Sendable, CaseIterable {
        /// The body as framed; the head goes at once.
        case body
        /// Everything from the first byte of the first head.
        case reply
    }

    /// `byteCount` must be positive.
    public init(byteCount: Int, interval: Duration, scope: Scope = .body) {
        self.byteCount = byteCount
        self.interval = interval
        self.scope = scope
    }
}
