internal import ProctorBase
internal import ProctorGrading

/// Prints the progress of an exam to standard error: one line that is overwritten on a terminal, else a line twice a
/// minute.
///
/// Safe from any thread.
final class ExamProgress: Sendable {
    private let client: String
    private let caseCount: Int
    private let output: Output
    private let isTerminal: Bool
    private let state: Locked<State>

    private struct State {
        let start: UInt64
        var lastLine: UInt64
        var doneCount = 0
        var failureCount = 0
        var isShown = false
    }

    private static let pauseOnTerminal: UInt64 = 100_000_000
    private static let pause: UInt64 = 30_000_000_000

    init(client: String, caseCount: Int, output: Output) {
        (self.client, self.caseCount, self.output) = (client, caseCount, output)
        isTerminal = output.isErrorTerminal()
        let now = MonotonicClock.nanoseconds
        state = Locked(State(start: now, lastLine: now))
    }

    func count(_ record: CaseRecord) {
        let now = MonotonicClock.nanoseconds
        let line = state.withLock { state -> String? in
            state.doneCount += 1
            if record.isFailure { state.failureCount += 1 }
            guard now &- state.lastLine >= (isTerminal ? Self.pauseOnTerminal : Self.pause) else { return nil }
            state.lastLine = now
            state.isShown = isTerminal
            return Self.text(client, state, of: caseCount, now: now)
        }
        if let line { output.err(isTerminal ? "\r\u{1B}[K\(line)" : "proctor: \(line)\n") }
    }

    /// Removes the line while something else is printed.
    func interrupt(_ body: () -> Void) {
        clear()
        body()
    }

    func clear() {
        let wasShown = state.withLock { state in
            defer { state.isShown = false }
            return state.isShown
        }
        if wasShown { output.err("\r\u{1B}[K") }
    }

    /// `curl: 812 of 2703 cases, 3 failures, 1 min 20 s left`.
    private static func text(_ client: String, _ state: State, of count: Int, now: UInt64) -> String {
        let failures = Plural.count(state.failureCount, "failure")
        let done = min(state.doneCount, count)
        let text = "\(client): \(done) of \(Plural.count(count, "case")), \(failures)"
        guard done < count else { return text }
        let nanoseconds = Double(now &- state.start) / Double(max(1, state.doneCount)) * Double(count - done)
        let seconds = Int((nanoseconds / 1e9).rounded(.up))
        return "\(text), \(seconds < 60 ? "" : "\(seconds / 60) min ")\(seconds % 60) s left"
    }
}
