import ProctorEvents

/// What a rule looks at besides the order of events; a log may leave it out.
enum Evidence: String, Sendable, CaseIterable {
    case threads, objects, classCalls, results, sentByteCounts, dataByteCounts, progressByteCounts

    /// What is missing, and what the log would need.
    var lack: String {
        switch self {
        case .threads: "the trace names no threads; NSLog writes them as App[PID:TID]"
        case .objects:
            "the trace has no startLoading, stopLoading or dealloc of an object; each with the object would do"
        case .classCalls:
            "the trace has no canInitWithRequest: and canonicalRequestForRequest:; both with the request would do"
        case .results: "the trace has no result of a step, which only a recorder writes"
        case .sentByteCounts: "no bodySent has its counts; the three numbers of the method would do"
        case .dataByteCounts: "no data has its length; the number of bytes would do"
        case .progressByteCounts: "no progress has its counts; the three numbers of the method would do"
        }
    }

    /// The event that shows the evidence, or should; nil: any event.
    private var names: EventNameSet? {
        switch self {
        case .threads: nil
        case .objects: [.pStart, .pStop, .pDeinit]
        case .classCalls: [.pCanInit, .pCanonical]
        case .results: [.result]
        case .sentByteCounts: [.bodySent]
        case .dataByteCounts: [.data]
        case .progressByteCounts: [.progress]
        }
    }

    /// Whether the trace has something that lacks it; without any data nothing is said of their lengths.
    func isDue(in seen: EventNameSet) -> Bool {
        switch self {
        case .threads, .objects, .classCalls, .results: true
        case .sentByteCounts: seen.contains(.bodySent)
        case .dataByteCounts: seen.contains(.data)
        case .progressByteCounts: seen.contains(.progress)
        }
    }

    func isShown(by event: TraceEvent) -> Bool {
        if let names, !names.contains(event.name) { return false }
        switch self {
        case .threads: return event.thread != nil || event.queue != nil
        case .objects, .classCalls, .results: return true
        case .sentByteCounts, .progressByteCounts: return event.facts[.n] != nil
        case .dataByteCounts: return event.facts[.bytes] != nil
        }
    }
}

/// What the events of a log show, so that the report can name the rules that it cannot decide.
struct SeenEvidence {
    private var shown: Set<Evidence> = []
    private var names = EventNameSet()
    private var families: Set<CallbackFamily> = []

    mutating func record(_ event: TraceEvent) {
        names.insert(event.name)
        for evidence in Evidence.allCases where !shown.contains(evidence) && evidence.isShown(by: event) {
            shown.insert(evidence)
        }
    }

    mutating func record(_ family: CallbackFamily) { families.insert(family) }

    /// By what is missing: `R46, R48: the trace names no threads; …`.
    var sentences: [String] {
        Evidence.allCases.compactMap { evidence in
            guard !shown.contains(evidence), evidence.isDue(in: names) else { return nil }
            let rules = Rules.all.filter { $0.needs.contains(evidence) && !families.isDisjoint(with: $0.families) }
            guard !rules.isEmpty else { return nil }
            return "\(rules.map(\.number.description).joined(separator: ", ")): \(evidence.lack)"
        }
    }
}
