internal import ProctorBase

/// A queue of sockets whose input is answered after that of other sockets; loop thread only.
///
/// A peer that sends much at once is answered in parts. After each part its socket goes to the end of the queue, and
/// after ``budget`` the loop polls its sockets. So the input of one peer does not delay that of the others. Sockets
/// that had no turn yet come before the others. Of new sockets whose first bytes come at the same time, ``newAtOnceLimit``
/// are answered at once and the rest here, so that a thousand openings do not delay who has been there before.
@safe final class LateTurns {
    private var new = Line()
    private var others = Line()
    private(set) var isEmpty = true

    /// Nanoseconds that turns may take between two polls of the sockets.
    private static let budget: UInt64 = 2_000_000
    /// New sockets that are answered between two polls without a wait in the queue.
    static let newAtOnceLimit = 32
    /// The number of new sockets that were answered at once since the last poll began.
    private var newAtOnceCount = 0

    private struct Line {
        private var sockets: [Socket] = []
        /// The index of the next socket; those before it had their turn.
        private var next = 0

        /// The number of used entries after which they are removed together.
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

    func beginPoll() { newAtOnceCount = 0 }

    /// Whether a new socket may be answered at once, which is counted.
    func answersNewAtOnce() -> Bool {
        newAtOnceCount += 1
        return newAtOnceCount <= Self.newAtOnceLimit
    }

    func append(_ socket: Socket, isNew: Bool) {
        isEmpty = false
        if isNew { new.append(socket) } else { others.append(socket) }
    }

    /// Gives turns until the budget is spent: at least one, and at most one to each socket.
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
