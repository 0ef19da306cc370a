internal import ProctorBase
internal import ProctorEvents
package import ProctorGrading
import ProctorRules
internal import ProctorScenario

package struct ExamWalk: Sendable {
    private let examiner: Examiner
    private let width: Int
    private let retries: Int

    /// `width` sittings run concurrently; most of their time is waiting.
    ///
    /// A failed case is repeated up to `retries` times, alone, after all others: for clients that sometimes trap or
    /// hang, and for busy machines.
    package init(_ examiner: Examiner, width: Int = 4, retries: Int = 0) {
        self.examiner = examiner
        self.width = max(1, width)
        self.retries = max(0, retries)
    }

    /// Runs every case of the selection; `onSitting` gets each sitting as it ends, in any order.
    ///
    /// The last sitting of a case counts. `isWhole`: the ledger has no entries outside the selection. When an adapter
    /// writes no header in its first ``mostFailedStarts`` cases, the walk ends; the report counts the cases left.
    package func run(
        _ selection: CaseSelection, isWhole: Bool = false, onSitting: @escaping @Sendable (Sitting) -> Void = { _ in }
    ) async -> ExamReport {
        let cases = selection.cases
        // Traces and journals are freed after `onSitting`; thousands of them would fill the memory.
        var results: [Int: (verdict: CaseVerdict, header: TraceHeader?)] = [:]
        var starts = AdapterStarts()
        await withTaskGroup(of: (Int, Sitting).self) { group in
            var next = 0
            func fill() {
                while next < cases.count, next - results.count < width,
                    starts.permitAnother(besides: next - results.count)
                {
                    add(next, cases[next], to: &group)
                    next += 1
                }
            }
            fill()
            while let (index, sitting) = await group.next() {
                starts.take(sitting)
                onSitting(sitting)
                results[index] = (sitting.verdict, sitting.header)
                fill()
            }
        }
        var askedAgain: Set<Int> = []
        for _ in 0..<(starts.haveFailed ? 0 : retries) {
            for index in cases.indices where results[index]?.verdict.outcome.isFailure == true {
                let sitting = await examiner.sit(cases[index].item, of: cases[index].scenario)
                onSitting(sitting)
                results[index] = (sitting.verdict, sitting.header)
                askedAgain.insert(index)
            }
        }
        let ordered = cases.indices.compactMap { results[$0] }
        let header = ordered.lazy.compactMap { $0.header }.first
        var report = ExamReport(
            client: header?.client ?? examiner.ledger?.client ?? examiner.adapter.command[0],
            clientVersion: header?.clientVersion, platform: examiner.platform.name,
            verdicts: ordered.map { $0.verdict }, ledger: examiner.ledger, isWhole: isWhole && !starts.haveFailed,
            askedAgain: askedAgain.sorted().compactMap { results[$0]?.verdict.id }, header: header)
        if starts.haveFailed { report.notAskedCount = cases.count - ordered.count }
        return report
    }

    /// The cases in which an adapter may fail to start before the walk ends.
    package static let mostFailedStarts = 3

    private func add(
        _ index: Int, _ entry: (scenario: Scenario, item: Case), to group: inout TaskGroup<(Int, Sitting)>
    ) {
        let examiner = examiner
        group.addTask { (index, await examiner.sit(entry.item, of: entry.scenario)) }
    }
}

/// Counts the first cases of an adapter, to see whether it starts at all.
private struct AdapterStarts {
    private var hasStarted = false
    private var failureCount = 0

    var haveFailed: Bool { !hasStarted && failureCount >= ExamWalk.mostFailedStarts }

    mutating func take(_ sitting: Sitting) {
        if sitting.header != nil { hasStarted = true }
        if sitting.failedToStart { failureCount += 1 }
        // A hang or crash shows that the adapter started.
        if sitting.wasAsked, !sitting.failedToStart { hasStarted = true }
    }

    /// Until one case has started, at most ``ExamWalk/mostFailedStarts`` run; `count` are running now.
    func permitAnother(besides count: Int) -> Bool {
        hasStarted || failureCount + count < ExamWalk.mostFailedStarts
    }
}
