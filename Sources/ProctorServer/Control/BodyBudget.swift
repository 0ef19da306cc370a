internal import ProctorBase

/// What the bodies of all control calls may hold together while they come; safe from any thread.
///
/// One call is bounded by itself; this bounds many that come at a time, or begin and never end.
final class BodyBudget: Sendable {
    private let heldByteCount = Locked(0)

    /// In bytes: four of the longest traces.
    static let limit = 64 << 20
    /// Asked for at a time, while a body grows.
    static let step = 256 << 10

    /// Whether there was room; what was taken is to be given back.
    func take(_ byteCount: Int) -> Bool {
        heldByteCount.withLock { held in
            guard byteCount <= Self.limit - held else { return false }
            held += byteCount
            return true
        }
    }

    func give(_ byteCount: Int) {
        heldByteCount.withLock { $0 -= byteCount }
    }
}
