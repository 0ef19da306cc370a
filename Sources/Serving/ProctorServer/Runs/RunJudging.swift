internal import ProctorBase
internal import ProctorGrading
internal import ProctorReplies
internal import ProctorRules

/// With what a run is graded beside its case; the calls `ledger` and `platform` set it.
struct GradingSetup: Sendable {
    var ledger: Ledger?
    var platform = Platform.neutral
}

/// How a run is judged and the traces of its client that were; kept with its stage; safe from any thread.
final class RunJudging: StageCompanion {
    private let state = Locked((setup: GradingSetup(), traces: GradedTraces()))

    var setup: GradingSetup { state.withLock { $0.setup } }

    func changeSetup(_ change: (inout GradingSetup) -> Void) { state.withLock { change(&$0.setup) } }

    func addTrace(_ json: [UInt8]) { state.withLock { $0.traces.add(json) } }

    /// The traces behind the one of that number.
    func traces(after number: Int) -> [GradedTraces.GradedTrace] { state.withLock { $0.traces.after(number) } }

    func reset() { state.withLock { $0.traces.removeAll() } }
}

/// Traces of the client that were judged, newest last, for whoever watches the run.
struct GradedTraces {
    private var traces: [GradedTrace] = []
    private var count = 0

    /// A trace with its verdict, as a page reads it.
    struct GradedTrace: Sendable {
        /// Counts from 1 in each run, over resets too.
        let number: Int
        /// One object, without a line end.
        let json: [UInt8]
    }

    /// Older ones are forgotten.
    static let limit = 4
    /// Events that one of them has; the rest is counted.
    static let eventLimit = 1_000

    mutating func add(_ json: [UInt8]) {
        count += 1
        traces.append(GradedTrace(number: count, json: json))
        if traces.count > Self.limit { traces.removeFirst() }
    }

    mutating func removeAll() { traces = [] }

    func after(_ number: Int) -> [GradedTrace] { traces.filter { $0.number > number } }
}
