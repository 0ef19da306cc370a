internal import ProctorBase
internal import ProctorEvents
public import ProctorGrading
import ProctorRules
internal import ProctorScenario

/// Sets many cases, several side by side, and reports them in their order.
public struct ExamWalk: Sendable {
    private let examiner: Examiner
    private let width: Int
    private let retries: Int

    /// `width` sittings go on at a time; most of their time is waiting.
    ///
    /// A case that fails is asked again up to `retries` times, alone, when all others are over: for clients that trap or
    /// hang now and then, whatever they are asked, and for machines that are busy.
    public init(_ examiner: Examiner, width: Int = 4, retries: Int = 0) {
        self.examiner = examiner
        self.width = max(1, width)
        self.retries = max(0, retries)
    }

    /// Asks every case of the selection; `onSitting` is told of each sitting as it ends, in no particular order.
    ///
    /// The last sitting of a case counts. `isWhole` says that the ledger speaks of nothing else. An adapter that did not
    /// get as far as a header in its first ``mostFailedStarts`` cases is asked no other; the report says how many were left.
    public func run(
        _ selection: CaseSelection, isWhole: Bool = false, onSitting: @escaping @Sendable (Sitting) -> Void = { _ in }
    ) async -> ExamReport {
        let cases = selection.cases
        // Traces and journals go when a sitting has been told of; thousands of them would fill the memory.
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
            client: examiner.ledger?.client ?? header?.client ?? examiner.adapter.command[0],
            clientVersion: header?.clientVersion, platform: examiner.platform.name,
            verdicts: ordered.map { $0.verdict }, ledger: examiner.ledger, isWhole: isWhole && !starts.haveFailed,
            askedAgain: askedAgain.sorted().compactMap { results[$0]?.verdict.id }, header: header)
        if starts.haveFailed { report.notAskedCount = cases.count - ordered.count }
        return report
    }

    /// The count of cases in which an adapter may fail to start before it is asked no other.
    public static let mostFailedStarts = 3

    private func add(
        _ index: Int, _ entry: (scenario: Scenario, item: Case), to group: inout TaskGroup<(Int, Sitting)>
    ) {
        let examiner = examiner
        group.addTask { (index, await examiner.sit(entry.item, of: entry.scenario)) }
    }
}

/// Whether an adapter starts at all, as its first cases show.
private struct AdapterStarts {
    private var hasStarted = false
    private var failureCount = 0

    /// Whether the adapter never wrote a header, in as many cases as it may fail to start.
    var haveFailed: Bool { !hasStarted && failureCount >= ExamWalk.mostFailedStarts }

    mutating func take(_ sitting: Sitting) {
        if sitting.header != nil { hasStarted = true }
        if sitting.failedToStart { failureCount += 1 }
        // A hang or a crash is of a client that was there.
        if sitting.wasAsked, !sitting.failedToStart { hasStarted = true }
    }

    /// Until one has started, no more are asked than may fail; `count` go on now.
    func permitAnother(besides count: Int) -> Bool {
        hasStarted || failureCount + count < ExamWalk.mostFailedStarts
    }
}
