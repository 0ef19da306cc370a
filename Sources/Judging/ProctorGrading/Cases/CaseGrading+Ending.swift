import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorRules
import ProctorScenario

extension CaseGrading {
    /// A finding for a crash, or for each load that did not end; empty when the client ended correctly.
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
        var finding = endingFinding("\(how) \(placeOfLastCallback)")
        finding.plain = "the client \(finding.sentence)"
        finding.mismatch = .place(lastCallback.map { "\($0.isInside ? "in" : "after") \($0.event.name.rawValue)" })
        return finding
    }

    private func hangFindings() -> [Finding] {
        if case .hung(let milliseconds, _) = evidence.ending {
            var finding = endingFinding("hung: still running after \(milliseconds) ms, \(placeOfLastCallback)")
            finding.plain =
                "the client did not end: it was still running after \(milliseconds) ms, \(placeOfLastCallback)"
            finding.rules = owedRules(in: finding.lane)
            return [finding]
        }
        let givenUp = trace.events.filter(\.isGivenUp).map { event in
            let message = event.facts.text(.message).map { ": \(EventText.printable($0, limit: 300))" } ?? ""
            var finding = Finding(
                subject: .ending(evidence.ending),
                sentence: "step \(event.task) hung, and the adapter gave it up\(message)")
            finding.plain = "\(loadName(event.task)) did not end, and the adapter waits for it no longer\(message)"
            return finding
        }
        let unfinished = course.unfinishedTasks
        var findings = givenUp + unfinished.prefix(Self.mostHangFindings).map { hangFinding($0) }
        let rest = unfinished.count - Self.mostHangFindings
        if rest > 0 {
            let sentence = "\(Plural.count(rest, "more load", plural: "more loads")) hung"
            findings.append(Finding(subject: .ending(evidence.ending), sentence: sentence))
        }
        return findings
    }

    /// The most loads that get a finding of their own for a hang.
    private static var mostHangFindings: Int { 100 }

    private func hangFinding(_ task: LoadState) -> Finding {
        let lane = LaneID(.task, task.number)
        let last = index.lastCallback(ofTask: task.number)
        let came = last.map { "after \(EventText.symbol($0)) (\(place($0)))" } ?? "and no callback came"
        let end = task.family.endsInHandler ? "its handler was never called" : "no terminal event came"
        let since =
            last.map { "after \(EventText.printable(EventText.symbol($0), limit: 300))" } ?? "and no callback came"
        return Finding(
            subject: .ending(evidence.ending), sentence: "\(lane) hung: \(end), \(came)",
            plain: "\(loadName(task.number)) did not end: \(end), \(since)",
            details: task.openQuestionText.map { LabelledText.lines("open", [$0]) } ?? [], rules: owedRules(in: lane),
            lane: lane, event: last?.sequence)
    }

    /// `the load`, `the load of step 2`.
    func loadName(_ number: Int) -> String {
        item.client.count == 1 ? "the load" : "the load of step \(number + 1)"
    }

    /// How the client process ended, with the last callback, the open questions and the line of standard error that tells it.
    private func endingFinding(_ sentence: String) -> Finding {
        let last = lastCallback
        let open = course.tasks.compactMap { task in
            task.openQuestionText.map { "\(LaneID(.task, task.number)): \($0)" }
        }
        let error = evidence.ending.errorLine.map { $0.isEmpty ? [] : [EventText.printable($0, limit: 500)] } ?? []
        return Finding(
            subject: .ending(evidence.ending), sentence: sentence,
            details: LabelledText.lines(
                "last", last.map { [placed($0.event, note: $0.isInside ? ", not returned" : "")] } ?? [])
                + LabelledText.lines("open", open) + LabelledText.lines("stderr", error), lane: last?.event.laneID,
            event: last?.event.sequence)
    }

    private var placeOfLastCallback: String {
        guard let (event, isInside) = lastCallback else { return "before any callback" }
        return "\(isInside ? "inside" : "after") \(EventText.symbol(event)) of \(event.laneID)"
    }

    private var lastCallback: (event: TraceEvent, isInside: Bool)? {
        guard let index = trace.events.lastIndex(where: \.isCallback) else { return nil }
        let event = trace.events[index]
        let hasReturned = trace.events[index...].contains {
            $0.phase == .exit && $0.laneID == event.laneID && $0.name == event.name
        }
        return (event, self.index.hasExits && !hasReturned)
    }

    /// The rules that report, at the end of a lane, which event is missing; R45 when there is none.
    private func owedRules(in lane: LaneID?) -> [RuleNumber] {
        let rules = report.hits.filter { $0.sequence == nil && $0.lane == lane && $0.weight != .harnessFault }.map(
            \.rule)
        return rules.isEmpty ? [RuleNumber(45)] : Set(rules).sorted()
    }
}

extension CaseGrading {
    /// A sentence for each awaited event that did not come; without it, the order of client and server was not
    /// controlled.
    var missedSyncPoints: [String] {
        (record?.missedWaits ?? []).grouped(by: \.note).map { wait, entries in
            let reason =
                wait.how == .timedOut ? "the client did not report it in time" : "the client had reported nothing"
            let more = entries.count > 1 ? ", and \(Plural.count(entries.count - 1, "more", plural: "more"))" : ""
            return "the order at 'await \(EventText.printable(wait.event))': the reply went on without it, for "
                + "\(reason) (journal entry \(entries[0].sequence)\(more))"
        }
    }
}
