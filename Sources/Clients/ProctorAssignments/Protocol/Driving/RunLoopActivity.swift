internal import ProctorBase

/// Records when a thread last ran its run loop, for an observer on another thread.
///
/// The run loop counts as blocked when it made no turn for longer than the threshold, apart from time in which a thread
/// of the machine waited for a processor; or when it made none for longer than a busy machine explains. Once the thread runs
/// again, the time that it waited for a processor itself is known and left out, where the system counts it.
final class RunLoopActivity: Sendable {
    private let threshold: UInt64
    private let state: Locked<State>

    private struct State {
        var lastTurn: UInt64
        var pressureAtLastTurn: UInt64?
        /// Nanoseconds for which the thread itself had waited for a processor at its last turn.
        var waitingAtLastTurn: UInt64?
        /// The number of checks by the observer since the last turn.
        var looks = 0
        var isBlocked = false
        /// The durations for which the run loop was blocked, in nanoseconds.
        var silences: [UInt64] = []

        mutating func turn(_ now: UInt64, _ pressure: UInt64?, _ waiting: UInt64?, _ threshold: UInt64) {
            let silence = now &- lastTurn
            let waited = waiting.flatMap { waiting in waitingAtLastTurn.map { waiting &- $0 } } ?? 0
            if isBlocked, silence &- min(silence, waited) > threshold { silences.append(silence) }
            lastTurn = now
            pressureAtLastTurn = pressure
            waitingAtLastTurn = waiting
            looks = 0
            isBlocked = false
        }

        /// Nanoseconds since the last turn in which no thread of the machine waited for a processor.
        func quietTime(until now: UInt64, _ pressure: UInt64?) -> UInt64 {
            let silence = now &- lastTurn
            guard let pressure, let before = pressureAtLastTurn, pressure > before else { return silence }
            return silence - min(silence, pressure &- before)
        }
    }

    /// The time between two checks of the observer.
    static let lookInterval: Duration = .milliseconds(20)

    /// The longest time without a turn that a busy machine explains, even with four busy threads for each processor.
    private static let longestWaiting: UInt64 = 1_000_000_000

    /// The fewest checks before the run loop counts as blocked: time in which a busy machine ran neither thread is not
    /// counted.
    private let fewestLooks: Int

    init(threshold: Duration, at now: UInt64 = MonotonicClock.nanoseconds) {
        self.threshold = threshold.wholeNanoseconds
        fewestLooks = Int(clamping: threshold.wholeNanoseconds / Self.lookInterval.wholeNanoseconds)
        state = Locked(State(lastTurn: now))
    }

    /// The thread calls it at each turn of its run loop.
    func turn() {
        turn(
            at: MonotonicClock.nanoseconds, pressure: ProcessorPressure.nanoseconds,
            waiting: ProcessorPressure.waitingOfThread)
    }

    /// `pressure` and `waiting` are those of ``ProcessorPressure`` at that time.
    func turn(at now: UInt64, pressure: UInt64? = nil, waiting: UInt64? = nil) {
        state.withLock { $0.turn(now, pressure, waiting, threshold) }
    }

    /// Called by the observer at regular times; returns the completed durations since the last check in milliseconds.
    func checkSilences() -> [Int] {
        checkSilences(at: MonotonicClock.nanoseconds, pressure: ProcessorPressure.nanoseconds)
    }

    func checkSilences(at now: UInt64, pressure: UInt64? = nil) -> [Int] {
        state.withLock { state in
            state.looks += 1
            if state.looks >= fewestLooks, now > state.lastTurn, now &- state.lastTurn > threshold,
                state.quietTime(until: now, pressure) > threshold || now &- state.lastTurn > Self.longestWaiting
            {
                state.isBlocked = true
            }
            return Self.removeSilences(&state)
        }
    }

    /// Called at the end, on any thread: when the run loop is still blocked, the duration counts as completed.
    func finish(at now: UInt64 = MonotonicClock.nanoseconds) -> [Int] {
        state.withLock { state in
            if state.isBlocked { state.turn(now, nil, nil, threshold) }
            return Self.removeSilences(&state)
        }
    }

    private static func removeSilences(_ state: inout State) -> [Int] {
        defer { state.silences = [] }
        return state.silences.map { Int($0 / 1_000_000) }
    }
}

/// The times in which threads waited for a processor: some thread of the machine (proc(5), `/proc/pressure/cpu`), or the one that
/// asks (the kernel's sched-stats, `/proc/thread-self/schedstat`).
enum ProcessorPressure {
    /// Nanoseconds since the system's start; nil when the system does not count them, as on Darwin.
    static var nanoseconds: UInt64? {
        SystemFile.text(of: "/proc/pressure/cpu").flatMap { nanoseconds(in: $0.utf8) }
    }

    /// Nanoseconds for which the calling thread has been ready to run and had no processor, since its start; nil when the system
    /// does not count them, as on Darwin.
    static var waitingOfThread: UInt64? {
        // Three numbers: of nanoseconds on a processor, of those that it waited for one, and of its time slices.
        SystemFile.text(of: "/proc/thread-self/schedstat").flatMap { text in
            let numbers = text.split(separator: " ")
            return numbers.count > 1 ? UInt64(numbers[1]) : nil
        }
    }

    /// Reads a line as `some avg10=1.00 avg60=0.50 avg300=0.10 total=123`, whose total is in microseconds.
    static func nanoseconds(in text: some Collection<UInt8>) -> UInt64? {
        let line = String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard line.hasPrefix("some "), let total = line.split(separator: "=").last.flatMap({ UInt64($0) }) else {
            return nil
        }
        return total.multipliedReportingOverflow(by: 1_000).partialValue
    }
}
