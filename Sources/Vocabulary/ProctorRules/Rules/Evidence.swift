import ProctorEvents

/// What a rule looks at besides the order of events; a log may leave it out.
enum Evidence: String, Sendable, CaseIterable {
    case threads, objects, classCalls, results, sentByteCounts, dataByteCounts, progressByteCounts

    /// What is missing, with what the log would need; the events that show it, nil: any; the fact that they show it by.
    private var row: (lack: String, events: EventNameSet?, fact: FactKey?) {
        switch self {
        case .threads: ("the trace names no threads; NSLog writes them as App[PID:TID]", nil, nil)
        case .objects:
            (
                "the trace has no startLoading, stopLoading or dealloc of an object; each with the object would do",
                [.pStart, .pStop, .pDeinit], nil
            )
        case .classCalls:
            (
                "the trace has no canInitWithRequest: and canonicalRequestForRequest:; both with the request would do",
                [.pCanInit, .pCanonical], nil
            )
        case .results: ("the trace has no result of a step, which only a recorder writes", [.result], nil)
        case .sentByteCounts:
            ("no bodySent has its counts; the three numbers of the method would do", [.bodySent], .n)
        case .dataByteCounts: ("no data has its length; the number of bytes would do", [.data], .bytes)
        case .progressByteCounts:
            ("no progress has its counts; the three numbers of the method would do", [.progress], .n)
        }
    }

    var lack: String { row.lack }

    /// Whether the trace has something that lacks it; without any data nothing is said of their lengths.
    func isDue(in seen: EventNameSet) -> Bool {
        guard let events = row.events, row.fact != nil else { return true }
        return EventName.allCases.contains { events.contains($0) && seen.contains($0) }
    }

    func isShown(by event: TraceEvent) -> Bool {
        let row = row
        if let events = row.events, !events.contains(event.name) { return false }
        if self == .threads { return event.thread != nil || event.queue != nil }
        return row.fact.map { event.facts[$0] != nil } ?? true
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

    /// A sentence for each thing that is missing: `R46, R48: the trace names no threads; …`.
    var sentences: [String] {
        Evidence.allCases.compactMap { evidence in
            guard !shown.contains(evidence), evidence.isDue(in: names) else { return nil }
            let rules = Rules.all.filter { $0.needs.contains(evidence) && !families.isDisjoint(with: $0.families) }
            guard !rules.isEmpty else { return nil }
            return "\(rules.map(\.number.description).joined(separator: ", ")): \(evidence.lack)"
        }
    }
}
