import ProctorEvents

/// Compares the name of an error with its domain and code, as Docs/judging/traces.md lists them.
enum ErrorCheck: ContentCheck {
    static func faults(in evidence: ContentEvidence) -> [ContentFault] {
        guard !evidence.isScripted else { return [] }
        return evidence.events.compactMap { event in
            guard event.phase == .enter, let domain = event.facts.text(.domain), let code = event.facts.integer(.code)
            else { return nil }
            switch event.name {
            case .complete, .handler, .awaited, .sessionInvalid:
                return event.argument.flatMap { fault(event, $0, domain: domain, code: code, isOfCallback: true) }
            case .result:
                return event.facts.text(.error).flatMap {
                    fault(event, $0, domain: domain, code: code, isOfCallback: false)
                }
            default: return nil
            }
        }
    }

    /// A `result` may translate another library's errors into these names; a callback has its own name only.
    private static func fault(
        _ event: TraceEvent, _ name: String, domain: String, code: Int, isOfCallback: Bool
    ) -> ContentFault? {
        let wanted = URLErrorName.name(domain: domain, code: code)
        let said = URLErrorName.code(named: name)
        guard name == URLErrorName.success || said != nil else { return nil }
        if said?.domain == domain, said?.code == code { return nil }
        let isTranslated = domain != URLErrorName.domain && !name.contains("#")
        guard isOfCallback || !isTranslated else { return nil }
        if let said, said.domain != domain {
            return event.fault(
                "domain", wanted: ContentFault.quoted(said.domain), got: ContentFault.quoted(domain),
                reason: "the error is named \(EventText.printable(name))")
        }
        return event.fault(
            "code", wanted: said.map { "\($0.code)" } ?? "none", got: "\(code)",
            reason: "the error is named \(EventText.printable(name)), and \(code) is \(EventText.printable(wanted))")
    }
}

/// Reports callbacks that did not return although their task continued.
enum CallbackExitCheck: ContentCheck {
    static func faults(in evidence: ContentEvidence) -> [ContentFault] {
        guard evidence.isComplete, !evidence.isScripted else { return [] }
        let telling = tellingLanes(evidence.events)
        var open: [LaneID: OpenCallbacks] = [:]
        var ends = Ends()
        for (place, event) in evidence.events.enumerated() {
            ends.record(event)
            guard telling.contains(event.lane) else { continue }
            if event.phase == .enter {
                open[event.laneID, default: OpenCallbacks()].append(event, at: place)
            } else {
                open[event.laneID]?.close(by: event)
            }
        }
        return open.values.flatMap(\.places).sorted().map { evidence.events[$0] }.filter { ends.wentOn(after: $0) }.map
        {
            event in
            event.fault(
                "exit", wanted: "one before the task goes on", got: "missing",
                reason: "the callbacks of lane \(event.lane.rawValue) return, and this one never did")
        }
    }

    /// Lanes in which most callbacks have a return; in other lanes, a missing return shows nothing.
    private static func tellingLanes(_ events: EventList) -> Set<Lane> {
        var counts: [Lane: (enters: Int, exits: Int)] = [:]
        for event in events where event.lane != .harness {
            if event.phase == .exit {
                counts[event.lane, default: (0, 0)].exits += 1
            } else {
                counts[event.lane, default: (0, 0)].enters += 1
            }
        }
        return Set(counts.filter { $0.value.exits > 0 && $0.value.exits * 2 >= $0.value.enters }.keys)
    }

    /// The last callback of each lane, and the last `result` without a message of each step.
    private struct Ends {
        private var callbacks: [LaneID: Int] = [:]
        private var results: [Int: Int] = [:]

        mutating func record(_ event: TraceEvent) {
            guard event.phase == .enter else { return }
            callbacks[event.laneID] = event.sequence
            if event.name == .result, event.facts[.message] == nil { results[event.task] = event.sequence }
        }

        /// Whether the lane has a further callback, or the step ended.
        func wentOn(after event: TraceEvent) -> Bool {
            callbacks[event.laneID] ?? 0 > event.sequence || results[event.task] ?? 0 > event.sequence
        }
    }
}

/// The callbacks of a lane that have not returned yet; one is found by name and thread in a time independent of their
/// number.
private struct OpenCallbacks {
    /// The positions of callbacks by name and thread; a closed position is removed when it is found.
    private var stacks: [Key: [Int]] = [:]
    private var open: Set<Int> = []

    /// A name and a thread; nil means any name.
    private struct Key: Hashable {
        let name: EventName?
        let thread: Thread
    }

    private enum Thread: Hashable {
        case any
        case unknown
        case named(String)

        init(_ name: String?) { self = name.map { .named($0) } ?? .unknown }
    }

    /// The places of the callbacks that never returned.
    var places: [Int] { Array(open) }

    mutating func append(_ event: TraceEvent, at place: Int) {
        open.insert(place)
        for name in [event.name, nil] {
            for thread in [.any, Thread(event.thread)] {
                stacks[Key(name: name, thread: thread), default: []].append(place)
            }
        }
    }

    /// Closes the last callback of that name and thread; when there is none, the last one of that thread.
    ///
    /// An event without a thread may be of any thread. In a log, a method name without its arguments may stand for
    /// another event.
    mutating func close(by event: TraceEvent) {
        if let place = last(event.name, event.thread) ?? last(nil, event.thread) { open.remove(place) }
    }

    private mutating func last(_ name: EventName?, _ thread: String?) -> Int? {
        guard let thread else { return last(Key(name: name, thread: .any)) }
        let places = [Thread.named(thread), .unknown].compactMap { last(Key(name: name, thread: $0)) }
        return places.max()
    }

    private mutating func last(_ key: Key) -> Int? {
        while let place = stacks[key]?.last {
            if open.contains(place) { return place }
            stacks[key]?.removeLast()
        }
        return nil
    }
}

/// Checks that `sessionInvalid` has no error where the session was ended on purpose (URLSessionDelegate reference,
/// R43).
enum SessionEndCheck: ContentCheck {
    static func faults(in evidence: ContentEvidence) -> [ContentFault] {
        var ends: [Int: [String]] = [:]
        var faults: [ContentFault] = []
        for event in evidence.events where event.phase == .enter {
            if event.name == .invalidate { ends[event.task, default: []].append(event.argument ?? "") }
            guard event.name == .sessionInvalid, let error = event.argument, error != URLErrorName.success,
                let end = ends[event.task], !end.isEmpty
            else { continue }
            let isFinished = end.allSatisfy { $0 == "finish" }
            faults.append(
                event.fault(
                    "error", wanted: "none", got: EventText.printable(error),
                    reason: isFinished
                        ? "finishTasksAndInvalidate lets every task end" : "the session was invalidated on purpose",
                    rule: 43, weight: isFinished ? .failure : .observation))
        }
        return faults
    }
}
