internal import ProctorBase
public import ProctorGrading
internal import ProctorScenario
internal import ProctorTrace

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
    /// The last sitting of a case counts. `isWhole` says that the ledger speaks of nothing else.
    public func run(
        _ selection: CaseSelection, isWhole: Bool = false, onSitting: @escaping @Sendable (Sitting) -> Void = { _ in }
    ) async -> ExamReport {
        let cases = selection.cases
        // Traces and journals go when a sitting has been told of; thousands of them would fill the memory.
        var results: [Int: (verdict: CaseVerdict, header: TraceHeader?)] = [:]
        await withTaskGroup(of: (Int, Sitting).self) { group in
            var next = 0
            while next < min(width, cases.count) {
                add(next, cases[next], to: &group)
                next += 1
            }
            while let (index, sitting) = await group.next() {
                onSitting(sitting)
                results[index] = (sitting.verdict, sitting.header)
                if next < cases.count {
                    add(next, cases[next], to: &group)
                    next += 1
                }
            }
        }
        var askedAgain: Set<Int> = []
        for _ in 0..<retries {
            for index in cases.indices where results[index]?.verdict.outcome.isFailure == true {
                let sitting = await examiner.sit(cases[index].item, of: cases[index].scenario)
                onSitting(sitting)
                results[index] = (sitting.verdict, sitting.header)
                askedAgain.insert(index)
            }
        }
        let ordered = cases.indices.compactMap { results[$0] }
        let header = ordered.lazy.compactMap { $0.header }.first
        return ExamReport(
            client: examiner.ledger?.client ?? header?.client ?? examiner.adapter.command[0],
            clientVersion: header?.clientVersion, platform: examiner.platform.name,
            verdicts: ordered.map { $0.verdict }, ledger: examiner.ledger, isWhole: isWhole,
            askedAgain: askedAgain.sorted().compactMap { results[$0]?.verdict.id }, header: header)
    }

    private func add(
        _ index: Int, _ entry: (scenario: Scenario, item: Case), to group: inout TaskGroup<(Int, Sitting)>
    ) {
        let examiner = examiner
        group.addTask { (index, await examiner.sit(entry.item, of: entry.scenario)) }
    }
}
