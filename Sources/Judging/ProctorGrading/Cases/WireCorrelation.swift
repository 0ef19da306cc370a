import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorRules

/// Finds the task to which a request on the wire belongs.
///
/// A run serves one case, so with one task all requests belong to it. With several tasks, the local port decides when
/// the client reports it; else the request belongs to the only task whose it can be when it arrived: one that was
/// running, or one that was cut short, since a server may read a request after its client has cancelled it.
struct WireCorrelation {
    private var spans: [Int: ClosedRange<UInt64>] = [:]
    private var tasks: Set<Int> = []
    /// Tasks that were cancelled or timed out before anything of a reply came, with the times of their ends.
    private var cutShort: [(end: UInt64, task: Int)] = []
    /// The tasks that reported each local port, in the order of the trace.
    private var claims: [Int: PortClaims] = [:]

    private struct PortClaims {
        var tasks: [Int] = []
        /// For each report, the latest time up to it, so that the first report after a time is found by a binary
        /// search.
        var latest: [UInt64] = []

        mutating func append(_ task: Int, at time: UInt64) {
            tasks.append(task)
            latest.append(max(time, latest.last ?? 0))
        }
    }

    init(_ events: some Sequence<TraceEvent>, isOfProtocol: Bool = false) {
        var heard: Set<Int> = []
        for event in events where event.belongsToTask(isOfProtocol: isOfProtocol) && event.phase == .enter {
            tasks.insert(event.task)
            if Self.isHeard(event) { heard.insert(event.task) }
            guard let time = event.nanoseconds else { continue }
            if let port = event.facts.integer(.localPort) {
                claims[port, default: PortClaims()].append(event.task, at: time)
            }
            // The end of a URLProtocol object need not be the end of its load.
            let isEnd = event.name == .complete && !isOfProtocol || event.lane == .handler || event.name == .result
            let span = spans[event.task] ?? time...UInt64.max
            if isEnd, span.upperBound == .max {
                spans[event.task] = span.lowerBound...max(time, span.lowerBound)
                if !heard.contains(event.task), event.isCutShort { cutShort.append((time, event.task)) }
            } else {
                spans[event.task] = span
            }
        }
    }

    /// Whether no request of the event's task can still be on its way: something came for it, or nothing was sent.
    private static func isHeard(_ event: TraceEvent) -> Bool {
        switch event.name {
        case .redirect, .challenge, .informational, .response, .data, .progress, .fileReady, .wsOpen: true
        case .metrics: event.facts.integer(.transactions) == 0
        default: false
        }
    }

    /// Whether every request belongs to one task, so that every reply is that task's.
    var isCertain: Bool { tasks.count == 1 }

    /// The task of each request; nil when it is unknown.
    func tasks(of record: WireRecord) -> [Int?] {
        if tasks.count <= 1 { return record.exchanges.map { _ in tasks.first } }
        let open = OpenTasks(spans)
        var late = LateTasks(cutShort)
        return record.exchanges.map { request in
            let task = task(of: request, in: record, open, late)
            if let task { late.remove(task) }
            return task
        }
    }

    private func task(
        of request: SeenExchange, in record: WireRecord, _ open: OpenTasks, _ late: LateTasks
    ) -> Int? {
        if let port = record.connections[request.connection].peerPort, let claims = claims[port] {
            // Several tasks may use one kept connection: the first task that reports the port after the request is
            // the request's.
            let first = claims.latest.firstSortedIndex { $0 >= request.nanoseconds }
            return first < claims.tasks.count ? claims.tasks[first] : claims.tasks.last
        }
        let running = open.running(at: request.nanoseconds)
        guard let first = late.first(before: request.nanoseconds) else { return running.only }
        return running.count == 0 && first.isOnly ? first.task : nil
    }
}

/// The tasks that were cut short and whose request has not come yet.
private struct LateTasks {
    /// In the order of their ends.
    private let tasks: [(end: UInt64, task: Int)]
    private var removed: Set<Int> = []
    private var start = 0

    init(_ tasks: [(end: UInt64, task: Int)]) { self.tasks = tasks.sorted { $0.end < $1.end } }

    /// Called with each task whose request came.
    mutating func remove(_ task: Int) {
        guard start < tasks.count else { return }
        removed.insert(task)
        while start < tasks.count, removed.contains(tasks[start].task) { start += 1 }
    }

    /// The one that ended first, and whether no other ended before the time.
    func first(before time: UInt64) -> (task: Int, isOnly: Bool)? {
        guard start < tasks.count, tasks[start].end < time else { return nil }
        let next = tasks[(start + 1)...].first { !removed.contains($0.task) }
        return (tasks[start].task, next.map { $0.end >= time } ?? true)
    }
}

/// The tasks that are running at a time, by the sorted times of their begins and ends.
private struct OpenTasks {
    private let begins: [UInt64]
    private let ends: [UInt64]
    /// The sums of task numbers before each begin and each end: when one task is running, the difference of two sums is
    /// its number.
    private let begun: [Int]
    private let ended: [Int]

    init(_ spans: [Int: ClosedRange<UInt64>]) {
        (begins, begun) = Self.sorted(spans.map { ($0.value.lowerBound, $0.key) })
        (ends, ended) = Self.sorted(spans.map { ($0.value.upperBound, $0.key) })
    }

    private static func sorted(_ tasks: [(time: UInt64, number: Int)]) -> (times: [UInt64], sums: [Int]) {
        let sorted = tasks.sorted { $0.time < $1.time }
        return (sorted.map(\.time), sorted.reduce(into: [0]) { $0.append($0[$0.count - 1] &+ $1.number) })
    }

    /// The number of running tasks, and the task when it is one.
    func running(at moment: UInt64) -> (count: Int, only: Int?) {
        let begunCount = begins.firstSortedIndex { $0 > moment }
        let endedCount = ends.firstSortedIndex { $0 >= moment }
        let count = begunCount - endedCount
        return (count, count == 1 ? begun[begunCount] &- ended[endedCount] : nil)
    }
}

extension Array {
    /// The index of the first element that satisfies a condition which all later elements satisfy too; the count when
    /// there is none.
    func firstSortedIndex(where isMet: (Element) -> Bool) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = isMet(self[middle]) ? range.lowerBound..<middle : (middle + 1)..<range.upperBound
        }
        return range.lowerBound
    }
}

extension TraceEvent {
    /// Whether the event is an end by the client's own will: by a cancel, or by a time-out.
    fileprivate var isCutShort: Bool { argument == "cancelled" || argument == "timedOut" }
}
