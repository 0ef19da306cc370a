internal import ProctorBase
internal import ProctorJournal
internal import ProctorScenario
import ProctorServer

/// The verdicts of a run's cases as they change, or of a run without cases; used by one reader.
///
/// Judging reads the whole journal, so it takes at most a twentieth of one thread's time.
struct VerdictChanges: Sendable {
    private let run: Run
    /// The cases that are judged; for a scenario without cases a nil, which stands for all its requests.
    private let items: [Case?]
    /// The newest state of the journal that was judged; nil before the first.
    private var judged: (lastSequence: UInt64, epoch: Int)?
    /// MonotonicClock nanoseconds.
    private(set) var next: UInt64 = 0
    /// What the reader was told, by case.
    private var sent: [[UInt8]?]

    /// The most cases whose verdicts are told.
    static let caseLimit = 64
    private static let shortestInterval: UInt64 = 250_000_000

    init(of run: Run) {
        self.run = run
        let cases = run.scenario.cases
        items = cases.isEmpty ? [nil] : Array(cases.prefix(Self.caseLimit))
        sent = Array(repeating: nil, count: items.count)
    }

    /// Whether the journal has changed since the cases were judged.
    var arePending: Bool { judged.map { $0 != run.journal.state } ?? true }

    /// The new verdicts as JSON objects, where it is time to judge and the journal has changed.
    mutating func judge(at now: UInt64) -> [[UInt8]] {
        guard now >= next else { return [] }
        let state = run.journal.state
        if let judged, judged == state { return [] }
        var changed: [[UInt8]] = []
        for (index, item) in items.enumerated() {
            var json = JSONText()
            let snapshot = run.journal.snapshot()
            let verdict = item.map { run.wireVerdict(of: $0) } ?? run.wireVerdictWithoutCase(snapshot)
            json.object { $0.verdictMembers(of: verdict, for: item, droppedCount: snapshot.droppedCount) }
            guard sent[index] != json.bytes else { continue }
            sent[index] = json.bytes
            changed.append(json.bytes)
        }
        judged = state
        let end = MonotonicClock.nanoseconds
        next = end + max(Self.shortestInterval, 20 * (end - now))
        return changed
    }
}
