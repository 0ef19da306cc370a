internal import ProctorBase
package import ProctorJournal
package import ProctorScenario

/// The clock of one run, by which its dates, cookies, nonces and tokens go; any thread.
///
/// It shows the real time until it is changed. Waits, time limits and certificates go by the real time always.
package final class RunClock: Sendable {
    private enum State {
        case real
        /// Showed `unixNanoseconds` at the instant of MonotonicClock.
        case running(unixNanoseconds: Int, since: UInt64)
        case frozen(unixNanoseconds: Int)
    }

    private let state: Locked<State>
    private let start: [ClockChange]
    /// The real time, less MonotonicClock, when the clock was made.
    private let base: Int

    package init(_ start: [ClockChange] = []) {
        self.start = start
        base = WallClock.unixNanoseconds - Int(clamping: MonotonicClock.nanoseconds)
        var state = State.real
        for change in start { Self.change(&state, by: change) }
        self.state = Locked(state)
    }

    /// Since 1970.
    package var unixSeconds: Int { Self.seconds(unixNanoseconds) }

    package var unixNanoseconds: Int { state.withLock { Self.time($0) } }

    /// Whether it may show another time than the real one.
    var isMoved: Bool {
        state.withLock { if case .real = $0 { false } else { true } }
    }

    /// A moment of this clock in nanoseconds, to be compared by ``passed(since:)``: that of MonotonicClock while the
    /// clock was never changed.
    var instant: UInt64 {
        state.withLock { state in
            if case .real = state { return MonotonicClock.nanoseconds }
            return UInt64(bitPattern: Int64(Self.time(state) &- base))
        }
    }

    /// Nanoseconds since an instant; 0 where the clock was set back before it.
    func passed(since instant: UInt64) -> UInt64 {
        UInt64(max(0, Int64(bitPattern: self.instant &- instant)))
    }

    /// Makes a change; the note is for the journal.
    package func apply(_ change: ClockChange, by cause: ClockNote.Cause) -> ClockNote {
        state.withLock { state in
            Self.change(&state, by: change)
            return Self.clockNote(state, by: cause)
        }
    }

    /// Makes all changes in one step, so that no request sees the clock between two of them.
    package func apply(_ changes: [ClockChange], by cause: ClockNote.Cause) -> ClockNote {
        state.withLock { state in
            for change in changes { Self.change(&state, by: change) }
            return Self.clockNote(state, by: cause)
        }
    }

    /// What it shows.
    package var reading: (unixSeconds: Int, isFrozen: Bool) {
        state.withLock { state in
            let note = Self.clockNote(state, by: .call)
            return (note.unixSeconds, note.isFrozen)
        }
    }

    /// As the scenario has it at the start of a run; nil where the scenario has no clock.
    func startOver() -> ClockNote? {
        state.withLock { state in
            state = .real
            guard !start.isEmpty else { return nil }
            for change in start { Self.change(&state, by: change) }
            return Self.clockNote(state, by: .scenario)
        }
    }

    private static func change(_ state: inout State, by change: ClockChange) {
        var isFrozen = if case .frozen = state { true } else { false }
        var now = time(state)
        switch change {
        case .set(let seconds): now = seconds * 1_000_000_000
        case .setToReal(let offset): now = WallClock.unixNanoseconds.addingReportingOverflow(offset).partialValue
        case .advance(let nanoseconds):
            let (sum, isOver) = now.addingReportingOverflow(nanoseconds)
            now = isOver ? (nanoseconds < 0 ? 0 : .max) : sum
        case .freeze: isFrozen = true
        case .run: isFrozen = false
        }
        now = min(max(now, 0), ClockChange.range.upperBound * 1_000_000_000)
        state =
            isFrozen
            ? .frozen(unixNanoseconds: now) : .running(unixNanoseconds: now, since: MonotonicClock.nanoseconds)
    }

    private static func time(_ state: State) -> Int {
        switch state {
        case .real: WallClock.unixNanoseconds
        case .running(let time, let since): time &+ Int(clamping: MonotonicClock.nanoseconds &- since)
        case .frozen(let time): time
        }
    }

    private static func clockNote(_ state: State, by cause: ClockNote.Cause) -> ClockNote {
        let isFrozen = if case .frozen = state { true } else { false }
        return ClockNote(unixSeconds: seconds(time(state)), isFrozen: isFrozen, by: cause)
    }

    private static func seconds(_ nanoseconds: Int) -> Int { nanoseconds / 1_000_000_000 }
}
