import ProctorTestSupport

/// Waits for objects that nobody should hold any more.
enum Release {
    /// Whether the object goes within the time that tests wait; whoever held it last may still be about to let go.
    static func comes(_ object: () -> AnyObject?) async -> Bool {
        let end = ContinuousClock.now + Patience.whole
        while object() != nil {
            guard ContinuousClock.now < end else { return false }
            await Task.yield()
        }
        return true
    }
}
