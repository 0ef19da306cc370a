internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading
internal import ProctorScenario
internal import ProctorServer

/// Prints an exam's cases and result; safe from any thread.
///
/// Cases are printed in the order of the selection. Messages of an adapter that does not start are kept until one case
/// starts or the walk ends, and are printed once.
final class ExamPrinter: Sendable {
    private let output: Output
    private let isVerbose: Bool
    private let state: Locked<State>

    /// The part of a sitting that is kept until it is printed.
    private struct PrintedSitting {
        let id: CaseID
        /// The line; empty for a case that is not printed.
        let text: String
        let failedToStart: Bool
        let wasAsked: Bool
        /// How the adapter ended, and its own messages.
        let end: String
        let errorLines: String
    }

    private struct State {
        /// The cases that are not printed yet, the next one first.
        var order: ArraySlice<CaseID>
        var waiting: [CaseID: PrintedSitting] = [:]
        var hasStarted = false
        var failedStarts: [PrintedSitting] = []
        var passed: Set<CaseID> = []

        /// The sittings that can be printed now that this one has ended.
        mutating func released(by printed: PrintedSitting) -> [PrintedSitting] {
            if hasStarted { return [printed] }
            if printed.failedToStart {
                failedStarts.append(printed)
                return []
            }
            guard printed.wasAsked else { return [printed] }
            hasStarted = true
            defer { failedStarts = [] }
            return failedStarts + [printed]
        }
    }

    init(_ selection: CaseSelection, output: Output, isVerbose: Bool) {
        (self.output, self.isVerbose) = (output, isVerbose)
        let ids = selection.cases.map { CaseID(scenario: $0.scenario.id, name: $0.item.name) }
        state = Locked(State(order: ids[...]))
    }

    func print(_ sitting: Sitting, beside progress: ExamProgress) {
        let printed = printed(sitting)
        let texts = state.withLock { state -> [PrintedSitting] in
            // A case that is run again has been printed in its order before.
            guard !state.passed.contains(printed.id) else { return state.released(by: printed) }
            state.waiting[printed.id] = printed
            var ready: [PrintedSitting] = []
            while let next = state.order.first, let printed = state.waiting.removeValue(forKey: next) {
                state.order.removeFirst()
                state.passed.insert(next)
                ready.append(printed)
            }
            return ready.flatMap { state.released(by: $0) }
        }
        progress.count(sitting.record)
        let shown = texts.map(\.text).joined()
        if !shown.isEmpty { progress.interrupt { output.out(shown) } }
    }

    func finish(_ report: ExamReport, _ exam: ExamRecord) {
        let (failed, waiting) = state.withLock { state in
            (state.failedStarts, state.order.compactMap { state.waiting[$0] })
        }
        let all = failed + waiting.filter { printed in !failed.contains { $0.id == printed.id } }
        if report.notAskedCount != nil, let first = all.first(where: \.failedToStart) {
            let count = Plural.count(all.count, "case")
            output.line(
                "\(report.client) does not start: \(count) ended without a trace; the first, \(first.id), \(first.end)")
            output.out(first.errorLines)
            output.line(report.tally)
            return
        }
        for printed in all { output.out(printed.text) }
        output.line(report.summary(of: exam, isComplete: isVerbose))
    }

    private func printed(_ sitting: Sitting) -> PrintedSitting {
        let isShown = isVerbose || sitting.verdict.outcome.isFailure
        let verdict = isShown ? sitting.verdict.text(around: sitting.timeline, notation: isVerbose) : ""
        let text = isShown ? "\(verdict)\n\(explanation(of: sitting))\n" : ""
        return PrintedSitting(
            id: sitting.verdict.id, text: text, failedToStart: sitting.failedToStart, wasAsked: sitting.wasAsked,
            end: Self.ending(of: sitting), errorLines: sitting.errorLines)
    }

    private func explanation(of sitting: Sitting) -> String {
        let lines = sitting.verdict.outcome.isFailure ? sitting.record.explanation : []
        return lines.map { "\($0)\n" }.joined() + sitting.errorLines
    }

    /// How the adapter ended, without its messages, which are printed below.
    private static func ending(of sitting: Sitting) -> String {
        switch sitting.evidence.ending {
        case .exited(let code, _): "exited with \(code)"
        case .finished, .crashed, .hung, .couldNotStart, .outOfBounds: sitting.verdict.reason
        }
    }
}
