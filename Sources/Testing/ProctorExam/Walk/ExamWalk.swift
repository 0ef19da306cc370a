internal import ProctorBase
internal import ProctorEvents
package import ProctorGrading
import ProctorRules
internal import ProctorScenario
package import ProctorServer

package struct ExamWalk: Sendable {
    private let examiner: Examiner
    private let width: Int
    private let retries: Int
    private let repeats: Int

    /// Makes a walk with `width` concurrent sittings, which spend most of their time waiting.
    ///
    /// A failed case is repeated up to `retries` times, alone, after all others: for clients that sometimes trap or
    /// hang, and for busy machines. Every case is run `repeats` times, each time between other cases; the report then
    /// lists the results that differ.
    package init(_ examiner: Examiner, width: Int = 4, retries: Int = 0, repeats: Int = 1) {
        self.examiner = examiner
        self.width = max(1, width)
        self.retries = max(0, retries)
        self.repeats = max(1, repeats)
    }

    /// Runs every case of the selection; `onSitting` gets each sitting as it ends, in any order.
    ///
    /// When its task is cancelled, no further case begins, and sittings that end later do not count. The last sitting
    /// of a case counts; with `repeats`, the first that failed counts, or else the first, and the others are
    /// repetitions. `isWhole`: the ledger has no entries outside the selection. When an adapter writes no header in its
    /// first ``mostFailedStarts`` cases, or one over the network does not come back, the walk ends, and the report
    /// counts the cases that were not run.
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
                    starts.permitAnother(besides: next - endedCount), examiner.adapter.link?.isAbandoned != true
                {
                    add(order[next], cases[order[next]], to: &group)
                    next += 1
                }
            }
            fill()
            while let (index, ended) = await group.next() {
                var sitting = ended
                endedCount += 1
                // Cancelling ends the adapters, so their verdicts say nothing about the client.
                if Task.isCancelled { continue }
                starts.record(sitting)
                if repeats > 1 { variants[index].add(sitting) }
                if let former = results[index]?.verdict {
                    sitting.isRepetition = former.isFailure || !sitting.verdict.isFailure
                }
                onSitting(sitting)
                if !sitting.isRepetition { results[index] = (sitting.verdict, sitting.header) }
                fill()
            }
        }
        let isAbandoned = examiner.adapter.link?.isAbandoned == true
        var askedAgain: Set<Int> = []
        for _ in 0..<(starts.haveFailed || isAbandoned ? 0 : retries) {
            for index in cases.indices where results[index]?.verdict.isFailure == true {
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
            verdicts: ordered.map { $0.verdict }, ledger: examiner.ledger,
            isWhole: isWhole && !starts.haveFailed && !isAbandoned,
            askedAgain: askedAgain.sorted().compactMap { results[$0]?.verdict.id }, header: header)
        if starts.haveFailed || isAbandoned { report.notAskedCount = cases.count - ordered.count }
        report.unsteady = variants.compactMap { $0.unsteady(by: examiner.ledger) }
        return report
    }

    /// The positions of the cases, `repeats` times; each pass begins with another case, so that the cases beside a case
    /// differ.
    private func order(of count: Int) -> [Int] {
        (0..<repeats).flatMap { pass in
            let first = count * pass / repeats
            let positions = Array(first..<count) + Array(0..<first)
            // Every second pass is reversed, so that a case follows the one that it preceded.
            return pass.isMultiple(of: 2) ? positions : positions.reversed()
        }
    }

    /// The number of first cases in which an adapter may fail to start before the walk ends.
    package static let mostFailedStarts = 3

    private func add(
        _ index: Int, _ entry: (scenario: Scenario, item: Case), to group: inout TaskGroup<(Int, Sitting)>
    ) {
        let examiner = examiner
        group.addTask { (index, await examiner.sit(entry.item, of: entry.scenario)) }
    }
}

/// Counts the first cases of an adapter, to find whether it starts at all.
private struct AdapterStarts {
    private var hasStarted = false
    private var failureCount = 0

    var haveFailed: Bool { !hasStarted && failureCount >= ExamWalk.mostFailedStarts }

    mutating func record(_ sitting: Sitting) {
        if sitting.header != nil { hasStarted = true }
        if sitting.failedToStart { failureCount += 1 }
        // A hang or crash shows that the adapter started.
        if sitting.wasAsked, !sitting.failedToStart { hasStarted = true }
    }

    /// Whether another case may begin while `count` are running: until one has started, at most
    /// ``ExamWalk/mostFailedStarts`` cases are run.
    func permitAnother(besides count: Int) -> Bool {
        hasStarted || failureCount + count < ExamWalk.mostFailedStarts
    }
}
