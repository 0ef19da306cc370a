internal import ProctorBase

/// Bounds the bytes of all control calls' bodies that are being received; safe from any thread.
final class BodyBudget: Sendable {
    private let heldByteCount = Locked(0)

    /// Bytes: four of the longest traces.
    static let limit = 64 << 20
    /// Bytes that a growing body reserves at a time.
    static let step = 256 << 10

    /// Reserves bytes; false where the budget has too few.
    ///
    /// The caller gives back what it took.
    func reserve(_ byteCount: Int) -> Bool {
        heldByteCount.withLock { held in
            guard byteCount <= Self.limit - held else { return false }
            held += byteCount
            return true
        }
    }

    func release(_ byteCount: Int) {
        heldByteCount.withLock { $0 -= byteCount }
    }
}

/// Bounds the streams that are open at a time; safe from any thread.
final class StreamCount: Sendable {
    private let count = Locked(0)

    static let limit = 64

    /// Takes a place, which is given back with ``leave()``; false where there is none.
    func enter() -> Bool {
        count.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
    }

    func decrement() { count.withLock { $0 -= 1 } }
}

/// What bounds the control calls of one server.
package final class CallBounds: Sendable {
    let bodies = BodyBudget()
    let streams = StreamCount()

    package init() {}
}
