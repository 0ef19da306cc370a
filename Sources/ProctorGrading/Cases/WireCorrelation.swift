import ProctorTrace

/// Says which task of a trace a request on the wire belongs to.
///
/// A run serves one case, so that there is nothing to tell apart with a single task. With several, the local port
/// counts where the client tells it; else the one task that was under way when the request came.
struct WireCorrelation {
    private var spans: [Int: ClosedRange<UInt64>] = [:]
    private var tasks: Set<Int> = []
    /// By local port, in the order of the trace.
    private var claims: [Int: [(nanoseconds: UInt64, task: Int)]] = [:]

    init(_ events: [TraceEvent], isOfProtocol: Bool = false) {
        for event in events where event.belongsToTask(isOfProtocol: isOfProtocol) && event.phase == .enter {
            tasks.insert(event.task)
            guard case .monotonic(let time)? = event.time else { continue }
            if let port = event.facts.integer(.localPort) { claims[port, default: []].append((time, event.task)) }
            // The end of an object need not be that of its load.
            let isEnd =
                event.name == .complete && !isOfProtocol || event.lane == .handler || event.name == .result
            let span = spans[event.task] ?? time...UInt64.max
            if isEnd, span.upperBound == .max {
                spans[event.task] = span.lowerBound...max(time, span.lowerBound)
            } else {
                spans[event.task] = span
            }
        }
    }

    /// Whether every request is of one task, so that what the server made of it tells of that task alone.
    var isCertain: Bool { tasks.count == 1 }

    /// For each request its task; nil when that cannot be told.
    func tasks(of record: WireRecord) -> [Int?] {
        if tasks.count <= 1 { return record.requests.map { _ in tasks.first } }
        return record.requests.map { request in
            if let port = record.connections[request.connection].peerPort, let claims = claims[port] {
                // A kept connection may serve several tasks: the first that speaks of it after the request.
                let claim = claims.first { $0.nanoseconds >= request.nanoseconds } ?? claims.last
                if let claim { return claim.task }
            }
            let open = spans.filter { $0.value.contains(request.nanoseconds) }
            return open.count == 1 ? open.first?.key : nil
        }
    }
}
