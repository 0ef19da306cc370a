import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorRules

extension CaseGrading {
    /// A crash, or each load that did not end; empty where the client ended as it should.
    func endingFindings() -> [Finding] {
        switch stop {
        case .crash: [crashFinding()]
        case .hang: hangFindings()
        case nil: []
        }
    }

    private func crashFinding() -> Finding {
        let how =
            if case .crashed(let signal, _) = evidence.ending {
                "crashed with \(EventText.printable(signal, limit: 40))"
            } else { "crashed" }
        var finding = finding("\(how) \(placeOfLastCallback)")
        finding.mismatch = .place(lastCallback.map { "\($0.isInside ? "in" : "after") \($0.event.name.rawValue)" })
        return finding
    }

    private func hangFindings() -> [Finding] {
        if case .hung(let milliseconds, _) = evidence.ending {
            var finding = finding("hung: still running after \(milliseconds) ms, \(placeOfLastCallback)")
            finding.rules = owedRules(in: finding.lane)
            return [finding]
        }
        let givenUp = trace.events.filter(\.isGivenUp).map { event in
            let message = event.facts.text(.message).map { ": \(EventText.printable($0, limit: 300))" } ?? ""
            return Finding(
                subject: .ending(evidence.ending),
                sentence: "step \(event.task) hung, and the adapter gave it up\(message)")
        }
        let unfinished = unfinishedTasks
        var findings = givenUp + unfinished.prefix(Self.mostHangFindings).map { hangFinding($0) }
        let rest = unfinished.count - Self.mostHangFindings
        if rest > 0 {
            let sentence = "\(Plural.count(rest, "more load", plural: "more loads")) hung"
            findings.append(Finding(subject: .ending(evidence.ending), sentence: sentence))
        }
        return findings
    }

    /// Loads that hung with a finding of their own.
    private static var mostHangFindings: Int { 100 }

    private func hangFinding(_ task: LoadState) -> Finding {
        let lane = LaneID(.task, task.number)
        let last = index.lastCallback(ofTask: task.number)
        let came = last.map { "after \(EventText.of($0)) (\(place($0)))" } ?? "and no callback came"
        let end = task.family.endsInHandler ? "its handler was never called" : "no terminal event came"
        return Finding(
            subject: .ending(evidence.ending), sentence: "\(lane) hung: \(end), \(came)",
            details: task.openQuestionText.map { LabelledText.lines("open", [$0]) } ?? [], rules: owedRules(in: lane),
            lane: lane, event: last?.sequence)
    }

    /// How the client process ended, with the last callback, the open questions and the last line of standard error.
    private func finding(_ sentence: String) -> Finding {
        let last = lastCallback
        let open = tasks.compactMap { task in task.openQuestionText.map { "\(LaneID(.task, task.number)): \($0)" } }
        let error = evidence.ending.lastErrorLine.map { $0.isEmpty ? [] : [EventText.printable($0, limit: 500)] } ?? []
        return Finding(
            subject: .ending(evidence.ending), sentence: sentence,
            details: LabelledText.lines(
                "last", last.map { [placed($0.event, note: $0.isInside ? ", not returned" : "")] } ?? [])
                + LabelledText.lines("open", open) + LabelledText.lines("stderr", error), lane: last?.event.laneID,
            event: last?.event.sequence)
    }

    private var placeOfLastCallback: String {
        guard let (event, isInside) = lastCallback else { return "before any callback" }
        return "\(isInside ? "inside" : "after") \(EventText.of(event)) of \(event.laneID)"
    }

    private var lastCallback: (event: TraceEvent, isInside: Bool)? {
        guard let index = trace.events.lastIndex(where: \.isCallback) else { return nil }
        let event = trace.events[index]
        let hasReturned = trace.events[index...].contains {
            $0.phase == .exit && $0.laneID == event.laneID && $0.name == event.name
        }
        return (event, self.index.hasExits && !hasReturned)
    }

    /// The rules that report at the end of a lane what is missing; R45 where there is no such rule.
    private func owedRules(in lane: LaneID?) -> [RuleNumber] {
        let rules = report.hits.filter { $0.sequence == nil && $0.lane == lane && $0.weight != .harnessFault }.map(
            \.rule)
        return rules.isEmpty ? [RuleNumber(45)] : Set(rules).sorted()
    }
}

extension CaseGrading {
    /// A sentence for each event that a reply awaited and that did not come; there the order of client and server was
    /// left to chance.
    var missedSyncPoints: [String] {
        let missed = (evidence.journal ?? []).compactMap { entry -> (wait: MissedWait, entry: UInt64)? in
            guard case .syncPassed(let event, let how) = entry.event, how != .reached else { return nil }
            return (MissedWait(event: event, how: how), entry.sequence)
        }
        return missed.grouped(by: \.wait).map { wait, entries in
            let reason =
                wait.how == .timedOut ? "the client did not report it in time" : "the client had reported nothing"
            let more = entries.count > 1 ? ", and \(Plural.count(entries.count - 1, "more", plural: "more"))" : ""
            return "the order at 'await \(EventText.printable(wait.event))': the reply went on without it, for "
                + "\(reason) (journal entry \(entries[0].entry)\(more))"
        }
    }

    private struct MissedWait: Hashable {
        let event: String
        let how: JournalEvent.SyncPassing
    }
}
