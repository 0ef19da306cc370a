internal import ProctorBase
internal import ProctorEvents
package import ProctorGrading
import ProctorRules
internal import ProctorScenario

package struct ExamWalk: Sendable {
    private let examiner: Examiner
    private let width: Int
    private let retries: Int
    private let repeats: Int

    /// `width` sittings run concurrently; most of their time is waiting.
    ///
    /// A failed case is repeated up to `retries` times, alone, after all others: for clients that sometimes trap or
    /// hang, and for busy machines. Every case is asked `repeats` times, each time between other cases; the report then
    /// has what was not the same every time.
    package init(_ examiner: Examiner, width: Int = 4, retries: Int = 0, repeats: Int = 1) {
        self.examiner = examiner
        self.width = max(1, width)
        self.retries = max(0, retries)
        self.repeats = max(1, repeats)
    }

    /// Runs every case of the selection; `onSitting` gets each sitting as it ends, in any order.
    ///
    /// When its task is cancelled, no further case begins, and what ends then counts for nothing.
    /// The last sitting of a case counts, but of a case that is repeated the first that failed, or else the first; the
    /// others are repetitions. `isWhole`: the ledger has no entries outside the selection. When an adapter
    /// writes no header in its first ``mostFailedStarts`` cases, the walk ends; the report counts the cases left.
    package func run(
        _ selection: CaseSelection, isWhole: Bool = false, onSitting: @escaping @Sendable (Sitting) -> Void = { _ in }
    ) async -> ExamReport {
        let cases = selection.cases
        let order = self.order(of: cases.count)
        var variants =
            repeats > 1 ? cases.map { CaseVariants(id: CaseID(scenario: $0.scenario.id, name: $0.item.name)) } : []
        // Traces and journals are freed after `onSitting`; thousands of them would fill the memory.
        var results: [Int: (verdict: CaseVerdict, header: TraceHeader?)] = [:]
        var starts = AdapterStarts()
        await withTaskGroup(of: (Int, Sitting).self) { group in
            var (next, endedCount) = (0, 0)
            func fill() {
                while !Task.isCancelled, next < order.count, next - endedCount < width,
                    starts.permitAnother(besides: next - endedCount)
                {
                    add(order[next], cases[order[next]], to: &group)
                    next += 1
                }
            }
            fill()
            while let (index, ended) = await group.next() {
                var sitting = ended
                endedCount += 1
                // Adapters are ended then, and their verdicts are no one's fault.
                if Task.isCancelled { continue }
                starts.take(sitting)
                if repeats > 1 { variants[index].add(sitting) }
                if let former = results[index]?.verdict.outcome {
                    sitting.isRepetition = former.isFailure || !sitting.verdict.outcome.isFailure
                }
                onSitting(sitting)
                if !sitting.isRepetition { results[index] = (sitting.verdict, sitting.header) }
                fill()
            }
        }
        var askedAgain: Set<Int> = []
        for _ in 0..<(starts.haveFailed ? 0 : retries) {
            for index in cases.indices where results[index]?.verdict.outcome.isFailure == true {
                if Task.isCancelled { break }
                let sitting = await examiner.sit(cases[index].item, of: cases[index].scenario)
                if Task.isCancelled { break }
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
        report.unsteady = variants.compactMap(\.unsteady)
        return report
    }

    /// The cases by their positions, `repeats` times; each time another case is the first, so that neighbours differ.
    private func order(of count: Int) -> [Int] {
        (0..<repeats).flatMap { pass in
            let first = count * pass / repeats
            let positions = Array(first..<count) + Array(0..<first)
            // Every second time backwards: what came before a case comes behind it.
            return pass.isMultiple(of: 2) ? positions : positions.reversed()
        }
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
