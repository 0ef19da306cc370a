internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading

/// What an exam prints for a person while it goes on, and in the end; safe from any thread.
///
/// What an adapter says that does not start is kept back until it is known whether it ever does, and told once.
final class ExamTelling: Sendable {
    private let output: Output
    private let isVerbose: Bool
    private let state = Locked(State())

    private struct State {
        var hasStarted = false
        var failedStarts: [Sitting] = []
    }

    init(output: Output, isVerbose: Bool) {
        self.output = output
        self.isVerbose = isVerbose
    }

    func take(_ sitting: Sitting) {
        let told = state.withLock { state -> [Sitting] in
            if state.hasStarted { return [sitting] }
            if sitting.failedToStart {
                state.failedStarts.append(sitting)
                return []
            }
            guard sitting.wasAsked else { return [sitting] }
            state.hasStarted = true
            defer { state.failedStarts = [] }
            return state.failedStarts + [sitting]
        }
        for sitting in told { tell(sitting) }
    }

    func finish(_ report: ExamReport) {
        let failed = state.withLock { $0.failedStarts }
        if report.notAskedCount != nil, let first = failed.first {
            let count = FixtureReport.count(failed.count, "case")
            output.line(
                "\(report.client) does not start: \(count) ended without a trace; the first, \(first.verdict.id), \(Self.end(of: first))"
            )
            output.out(first.errorLines)
            output.line(report.tally)
            return
        }
        for sitting in failed { tell(sitting) }
        output.line(report.summary(isComplete: isVerbose))
    }

    /// Without the adapter's own words, which are printed below it.
    private static func end(of sitting: Sitting) -> String {
        switch sitting.evidence.ending {
        case .exited(let code, _): "exited with \(code)"
        case .finished, .crashed, .hung, .couldNotStart: sitting.verdict.reason
        }
    }

    private func tell(_ sitting: Sitting) {
        guard isVerbose || sitting.verdict.outcome.isFailure else { return }
        output.out("\(sitting.timeline)\n\n\(sitting.verdict)\n\(sitting.errorLines)\n")
    }
}
