import ProctorEvents

/// Compares the name of an error with its domain and code, as Docs/trace-format.md lists them.
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

    /// A `result` may translate another library's errors into these names; a callback has only its own names.
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
        var open: [LaneID: [TraceEvent]] = [:]
        for event in evidence.events where telling.contains(event.lane) {
            let lane = event.laneID
            guard event.phase == .exit else {
                open[lane, default: []].append(event)
                continue
            }
            // In a log a method name without its arguments may mean another event.
            if let index = open[lane]?.lastIndex(where: { $0.name == event.name && isOfOneThread($0, event) })
                ?? open[lane]?.lastIndex(where: { isOfOneThread($0, event) })
            {
                open[lane]?.remove(at: index)
            }
        }
        return open.values.flatMap(\.self).filter { wentOn(after: $0, evidence.events) }.sorted {
            $0.sequence < $1.sequence
        }.map { event in
            event.fault(
                "exit", wanted: "one before the task goes on", got: "missing",
                reason: "the callbacks of lane \(event.lane.rawValue) return, and this one never did")
        }
    }

    /// Lanes where most callbacks have a return; in other lanes a missing one shows nothing.
    private static func tellingLanes(_ events: [TraceEvent]) -> Set<Lane> {
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

    private static func isOfOneThread(_ left: TraceEvent, _ right: TraceEvent) -> Bool {
        left.thread == nil || right.thread == nil || left.thread == right.thread
    }

    /// Whether the lane has a further callback, or the step ended.
    private static func wentOn(after event: TraceEvent, _ events: [TraceEvent]) -> Bool {
        events.contains { later in
            later.sequence > event.sequence && later.phase == .enter
                && (later.laneID == event.laneID
                    || later.name == .result && later.task == event.task && later.facts[.message] == nil)
        }
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
