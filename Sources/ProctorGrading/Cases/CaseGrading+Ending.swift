import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorRules

extension CaseGrading {
    /// A crash, or everything that did not come to its end; of a client that ended as it should, nothing.
    func endingFindings() -> [Finding] {
        switch stop {
        case .crash: [crashFinding()]
        case .hang: hangFindings()
        case nil: []
        }
    }

    private func crashFinding() -> Finding {
        let how =
            switch evidence.ending {
            case .crashed(let signal, _): "crashed with \(EventText.printable(signal, limit: 40))"
            case .finished, .exited, .hung, .couldNotStart: "crashed"
            }
        let last = lastCallback
        let place = last.map { event, isInside in
            " \(isInside ? "inside" : "after") \(EventText.of(event)) of \(event.laneID)"
        }
        var finding = Finding(
            .ending(evidence.ending), .failure, how + (place ?? " before any callback"), details: lastThings(last))
        finding.event = last?.event.sequence
        finding.lane = last?.event.laneID
        return finding
    }

    private func hangFindings() -> [Finding] {
        let unfinished = unfinishedTasks
        let last = lastCallback
        if case .hung(let milliseconds, _) = evidence.ending {
            let place = last.map { event, isInside in
                "\(isInside ? "inside" : "after") \(EventText.of(event)) of \(event.laneID)"
            }
            var finding = Finding(
                .ending(evidence.ending), .failure,
                "hung: still running after \(milliseconds) ms, \(place ?? "before any callback")",
                details: lastThings(last))
            finding.rules = owedRules(in: last?.event.laneID)
            finding.event = last?.event.sequence
            finding.lane = last?.event.laneID
            return [finding]
        }
        let givenUp = trace.events.filter(\.isGivenUp).map { event in
            let message = event.facts.text(.message).map { ": \(EventText.printable($0, limit: 300))" } ?? ""
            return Finding(
                .ending(evidence.ending), .failure, "step \(event.task) hung, and the adapter gave it up\(message)")
        }
        return givenUp
            + unfinished.map { task in
                let lane = LaneID(.task, task.number)
                let last = trace.events.last { $0.isCallback && $0.belongsToTask && $0.task == task.number }
                let came = last.map { "after \(EventText.of($0)) (\(place($0)))" } ?? "and no callback came"
                let end = task.family == .sessionHandler ? "its handler was never called" : "no terminal event came"
                var finding = Finding(
                    .ending(evidence.ending), .failure, "\(lane) hung: \(end), \(came)",
                    details: task.openQuestionText.map { LabelledText.lines("open", [$0]) } ?? [])
                finding.rules = owedRules(in: lane)
                finding.event = last?.sequence
                finding.lane = lane
                return finding
            }
    }

    /// The last callback, the open questions and the last line of standard error.
    private func lastThings(_ last: (event: TraceEvent, isInside: Bool)?) -> [String] {
        var lines: [String] = []
        if let (event, isInside) = last {
            let state = isInside ? ", not returned" : ""
            let facts = EventText.facts(of: event)
            lines += LabelledText.lines(
                "last",
                ["\(EventText.of(event))   [\(place(event))]\(state)\(facts.isEmpty ? "" : "   \(facts)")"])
        }
        let open = tasks.compactMap { task in task.openQuestionText.map { "\(LaneID(.task, task.number)): \($0)" } }
        if !open.isEmpty { lines += LabelledText.lines("open", open) }
        return lines + errorLine(evidence.ending.lastErrorLine)
    }

    private func errorLine(_ line: String?) -> [String] {
        guard let line, !line.isEmpty else { return [] }
        return LabelledText.lines("stderr", [EventText.printable(line, limit: 500)])
    }

    /// The last thing the client was told, and whether that callback had not returned.
    private var lastCallback: (event: TraceEvent, isInside: Bool)? {
        guard let index = trace.events.lastIndex(where: \.isCallback) else { return nil }
        let event = trace.events[index]
        let tellsExits = trace.events.contains { $0.phase == .exit }
        let hasReturned = trace.events[index...].contains {
            $0.phase == .exit && $0.laneID == event.laneID && $0.name == event.name
        }
        return (event, tellsExits && !hasReturned)
    }

    /// Rules that say at the end of a lane what is missing; R45 where none does.
    private func owedRules(in lane: LaneID?) -> [RuleNumber] {
        let rules = report.hits.filter { $0.sequence == nil && $0.lane == lane && $0.weight != .harnessFault }.map(
            \.rule)
        return rules.isEmpty ? [RuleNumber(45)] : Set(rules).sorted()
    }
}

extension CaseGrading {
    /// What replies waited for in vain, a sentence each: there the order between client and server was left to chance.
    var missedSyncPoints: [String] {
        var missed: [(event: String, how: JournalEvent.SyncPassing, first: UInt64, count: Int)] = []
        for entry in evidence.journal ?? [] {
            guard case .syncPassed(let event, let how) = entry.event, how != .reached else { continue }
            if let index = missed.firstIndex(where: { $0.event == event && $0.how == how }) {
                missed[index].count += 1
            } else {
                missed.append((event, how, entry.sequence, 1))
            }
        }
        return missed.map { miss in
            let reason =
                miss.how == .timedOut ? "the client did not report it in time" : "the client had reported nothing"
            let more = miss.count > 1 ? ", and \(Plural.count(miss.count - 1, "more", plural: "more"))" : ""
            return "the order at 'await \(EventText.printable(miss.event))': the reply went on without it, for "
                + "\(reason) (journal entry \(miss.first)\(more))"
        }
    }
}
