internal import ProctorBase

/// The beat of a run loop: shows from outside whether a thread still runs it.
final class Heart: Sendable {
    /// In nanoseconds.
    private let threshold: UInt64
    private let state: Locked<State>

    private struct State {
        var lastBeat: UInt64
        /// Looks from outside since the last beat.
        var looks = 0
        var isFelt = false
        /// Silences that are over, in nanoseconds.
        var silences: [UInt64] = []

        mutating func beat(_ now: UInt64) {
            if isFelt { silences.append(now &- lastBeat) }
            lastBeat = now
            looks = 0
            isFelt = false
        }
    }

    /// A silence counts only when it was seen so often: on a crowded machine the onlooker is late too.
    private static let fewestLooks = 3

    init(threshold: Duration, at now: UInt64 = MonotonicClock.nanoseconds) {
        self.threshold = threshold.wholeNanoseconds
        state = Locked(State(lastBeat: now))
    }

    /// By the thread itself, whenever its run loop comes round.
    func beat(at now: UInt64 = MonotonicClock.nanoseconds) {
        state.withLock { $0.beat(now) }
    }

    /// By the onlooker, at regular times; returns the milliseconds of silences that ended since the last look.
    func look(at now: UInt64 = MonotonicClock.nanoseconds) -> [Int] {
        state.withLock { state in
            state.looks += 1
            if state.looks >= Self.fewestLooks, now > state.lastBeat, now &- state.lastBeat > threshold {
                state.isFelt = true
            }
            return Self.take(&state)
        }
    }

    /// At the end, by anybody: a silence that still lasts counts as over.
    func finish(at now: UInt64 = MonotonicClock.nanoseconds) -> [Int] {
        state.withLock { state in
            if state.isFelt { state.beat(now) }
            return Self.take(&state)
        }
    }

    private static func take(_ state: inout State) -> [Int] {
        defer { state.silences = [] }
        return state.silences.map { Int($0 / 1_000_000) }
    }
}
