internal import ProctorBase

/// Sockets whose input is answered behind that of others, the one that has waited longest first; loop thread only.
///
/// A peer that sends much at once is answered in parts: each part goes behind those of all others, and after
/// ``budget`` the loop looks at its other sockets. So what one peer sends does not hold up the rest. Who has had no turn
/// yet comes before those that have.
@safe final class LateTurns {
    private var new = Line()
    private var others = Line()
    private(set) var isEmpty = true

    /// Nanoseconds that may be spent before the sockets are polled.
    private static let budget: UInt64 = 2_000_000

    private struct Line {
        private var sockets: [Socket] = []
        /// The next of them; those before it had their turn.
        private var next = 0

        /// Places in front that are given back together.
        private static let emptyLimit = 1_024

        var count: Int { sockets.count - next }

        mutating func append(_ socket: Socket) { sockets.append(socket) }

        mutating func popFirst() -> Socket? {
            guard next < sockets.count else { return nil }
            defer {
                next += 1
                if next == sockets.count || next >= Self.emptyLimit {
                    sockets.removeFirst(next)
                    next = 0
                    if sockets.isEmpty, sockets.capacity > Self.emptyLimit { sockets = [] }
                }
            }
            return sockets[next]
        }
    }

    func append(_ socket: Socket, isNew: Bool) {
        isEmpty = false
        if isNew { new.append(socket) } else { others.append(socket) }
    }

    /// Gives turns, at least one and each socket one at most, until the budget is spent.
    func serve() {
        var rest = new.count + others.count
        guard rest > 0 else { return }
        let limit = MonotonicClock.nanoseconds &+ Self.budget
        repeat {
            guard let socket = new.popFirst() ?? others.popFirst() else { break }
            socket.takeLateTurn()
            rest -= 1
        } while rest > 0 && MonotonicClock.nanoseconds < limit
        isEmpty = new.count == 0 && others.count == 0
    }
}
