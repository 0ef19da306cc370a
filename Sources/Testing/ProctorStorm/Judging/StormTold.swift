import ProctorBase
import ProctorEvents

/// What a client told of one load.
struct StormTold {
    private(set) var hasBegun = false
    /// How often its end was told: by the callbacks, and by the results.
    private(set) var callbackEnds = 0
    private(set) var results = 0
    /// Whether the adapter gave up, and not the client.
    private(set) var isGivenUp = false
    private(set) var status: Int?
    private(set) var error: String?
    /// nil where the client tells none, or more than fits a trace.
    private(set) var content: [UInt8]?
    private(set) var byteCount: Int?
    private(set) var isCancelled = false
    private(set) var cancelledAt: UInt64?
    /// Callbacks behind the end.
    private(set) var lateCallbacks: [String] = []
    private(set) var begunAt: UInt64?
    private(set) var endedAt: UInt64?

    /// Whether it is over, by whatever end.
    var hasEnded: Bool { results > 0 || callbackEnds > 0 }
    var isSuccess: Bool { results > 0 && error == nil && !isGivenUp }

    private static let told: Set<Lane> = [.task, .handler]

    mutating func read(_ event: TraceEvent) {
        let time: UInt64? = if case .monotonic(let value)? = event.time { value } else { nil }
        if event.lane == .harness { return readAct(event, at: time) }
        guard Self.told.contains(event.lane), event.phase == .enter else { return }
        if callbackEnds > 0 { lateCallbacks.append("\(event.symbol)") }
        guard [.complete, .handler, .awaited].contains(event.name) else { return }
        callbackEnds += 1
        endedAt = endedAt ?? time
    }

    private mutating func readAct(_ event: TraceEvent, at time: UInt64?) {
        switch event.name {
        case .resume:
            hasBegun = true
            begunAt = time
        case .cancel:
            isCancelled = true
            cancelledAt = time
        case .result:
            results += 1
            guard results == 1 else { return }
            endedAt = endedAt ?? time
            isGivenUp = event.facts.text(.domain) == "adapter"
            status = event.facts.integer(.status)
            error = event.facts.text(.error)
            byteCount = event.facts.integer(.bytes)
            if let text = event.facts.text(.body) {
                content = Array(text.utf8)
            } else if let text = event.facts.text(.bodyBase64) {
                content = try? Base64Text.decode(Array(text.utf8))
            }
        default: break
        }
    }
}
