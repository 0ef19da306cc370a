import ProctorHTTP
import ProctorScenario
import ProctorTrace

/// A sitting as content checks see it: every load with its events and the requests that are certainly its own.
struct ContentScene {
    /// Loads over the wire, by number; those that a script plays are left out.
    let loads: [ContentLoad]
    /// All lanes, exits included, as the client wrote them.
    let events: [TraceEvent]
    /// Whether a script plays what a client tells, so that nothing of it is the client's.
    let isScripted: Bool
    /// Whether the client came to its end, and all that it was told is here.
    let isComplete: Bool

    init(_ sitting: CaseSitting) {
        let trace = sitting.trace
        isScripted = sitting.item.isScripted
        isComplete = sitting.stop == nil && !sitting.evidence.isPartial
        events = trace.events
        var loads: [Int: ContentLoad] = [:]
        func load(_ number: Int) -> ContentLoad { loads[number] ?? ContentLoad(number, sitting) }
        var isClear = true
        for item in trace.items where item.event.phase == .enter {
            if let request = item.request {
                guard item.hasTask else {
                    isClear = false
                    continue
                }
                var load = load(item.event.task)
                load.take(ContentExchange(request, sitting))
                loads[item.event.task] = load
            } else if item.event.belongsToTask(isOfProtocol: trace.isOfProtocol) {
                var load = load(item.event.task)
                load.take(item.event)
                loads[item.event.task] = load
            }
        }
        if let record = sitting.record, !trace.isMerged {
            let isCertain = WireCorrelation(trace.events, isOfProtocol: trace.isOfProtocol).isCertain
            for number in loads.keys where isCertain {
                loads[number]?.takeUnordered(record.requests.indices.map { ContentExchange($0, sitting) })
            }
            isClear = isCertain
        }
        let knowsWire = isClear && sitting.record.map { $0.gapAfter == nil && !$0.hasUnknownReplies } ?? false
        self.loads = loads.values.filter { $0.program?.protocolScript == nil }
            .sorted { $0.number < $1.number }
            .map { load in
                var load = load
                if !knowsWire { load.forgetWire() }
                return load
            }
    }
}

extension WireRecord {
    /// Whether the client sent what is no request, and so may have got a reply that belongs to none.
    fileprivate var hasUnknownReplies: Bool {
        violations.contains { $0.request == nil && !$0.violation.kind.isDeparture }
    }
}
