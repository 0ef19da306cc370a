import ProctorScenario
import ProctorTrace

extension CaseSitting {
    /// What must hold between lanes: what the case says, and what holds of every load.
    func edgeFindings() -> (findings: [Finding], notJudged: [Int: NoEvents]) {
        var findings: [Finding] = []
        var notJudged: [Int: NoEvents] = [:]
        for (index, edge) in item.edges.enumerated() {
            if let reason = reasonNotToJudge(edge) {
                notJudged[index] = reason
            } else if let finding = finding(edge) {
                findings.append(finding)
            }
        }
        // What a rule says of the same event need not be said twice.
        let told = Set(report.hits.compactMap(\.sequence))
        let ofEveryLoad = redirectFindings() + resumeFindings() + invalidationFindings()
        findings += ofEveryLoad.filter { finding in
            let sequence = finding.event ?? finding.sequence.map { -Int(clamping: $0) }
            return sequence.map { !told.contains($0) } ?? true
        }
        return (findings, notJudged)
    }

    /// Why the order of wire and callbacks can't be told, as a sentence; nil where it can, or where there is nothing to order.
    var orderNotJudged: String? {
        guard record != nil, !trace.isMerged else { return nil }
        return "the order of wire and callbacks: the trace has no times of the server's clock"
    }

    private func reasonNotToJudge(_ edge: CausalEdge) -> NoEvents? {
        for end in [edge.later, edge.earlier] where !reports(end.lane.lane) {
            return end.lane.lane == .wire
                ? NoEvents(text: "there is no journal")
                : NoEvents(text: "the client cannot report what happens in lane \(end.lane)", lacksLane: true)
        }
        for end in [edge.later, edge.earlier] where isUntold(end.symbol, ofStep: end.lane.number) {
            return NoEvents(text: "the client never tells \(end.symbol)", lacksLane: true)
        }
        let lanes = [edge.later.lane.lane, edge.earlier.lane.lane]
        let crosses = lanes.contains(.wire) && lanes.contains { $0 != .wire }
        guard crosses, !trace.isMerged else { return nil }
        return NoEvents(text: "the trace has no times of the server's clock")
    }

    private func finding(_ edge: CausalEdge) -> Finding? {
        guard let later = index(of: edge.later) else { return nil }
        let laterText = text(trace.items[later].event)
        guard let earlier = index(of: edge.earlier) else {
            // An end that is left unsaid has no place.
            if isUnsaid(edge.earlier) { return nil }
            return finding(
                edge.text, later, "\(laterText) came, and \(Self.text(edge.earlier)) never did", isOfCase: true)
        }
        guard later < earlier else { return nil }
        return finding(
            edge.text, later, "\(laterText) came before \(text(trace.items[earlier].event))", isOfCase: true)
    }

    /// Into the merged items.
    private func index(of end: CausalEdge.End) -> Int? {
        var count = 0
        let ofObjects =
            isOfObjects(end.lane.lane) ? Set(view(ofStep: end.lane.number).events.map(\.sequence)) : nil
        return trace.items.firstIndex { item in
            guard item.event.phase == .enter,
                ofObjects?.contains(item.event.sequence)
                    ?? (item.event.lane == end.lane.lane && isIn(item.event, end.lane)),
                end.symbol.matches(item.event.symbol)
            else { return false }
            count += 1
            return count == end.count
        }
    }

    /// Whether the objects of a URLProtocol stand for the lane.
    private func isOfObjects(_ lane: Lane) -> Bool { lane == .task && trace.isOfProtocol }

    private func reports(_ lane: Lane) -> Bool { isOfObjects(lane) || evidence.reports(lane) }

    private func isUnsaid(_ end: CausalEdge.End) -> Bool {
        end.lane.lane == .task && end.symbol.matches(.cancelled) && view(ofStep: end.lane.number).isSilent
    }

    /// All requests are one lane; objects are, too, where no number is said.
    private func isIn(_ event: TraceEvent, _ lane: LaneID) -> Bool {
        if lane.lane == .wire { return true }
        return lane.lane.isOfObject && lane.number == 0 || event.laneID.number == lane.number
    }

    private static func text(_ end: CausalEdge.End) -> String {
        "\(end.lane) \(end.symbol)\(end.count == 1 ? "" : "[\(end.count - 1)]")"
    }

    private func text(_ event: TraceEvent) -> String {
        "\(event.lane == .wire ? "wire" : "\(event.laneID)") \(EventText.of(event))"
    }

    private func finding(
        _ edge: String, _ index: Int, _ sentence: String, rule: Int? = nil, isOfCase: Bool = false
    ) -> Finding {
        let event = trace.items[index].event
        // The words of an edge of ours are its name; those of the case stand in the fixture.
        var finding = Finding(
            .edge(edge), .failure, isOfCase ? "\(edge): \(sentence)" : sentence,
            details: trace.clock.milliseconds(event.time).map { LabelledText.lines("at", ["+\($0) ms"]) } ?? [],
            wanted: edge, sequence: MergedTrace.journalSequence(event.sequence),
            location: isOfCase ? item.location : nil)
        if event.lane != .wire {
            finding.event = event.sequence
            finding.lane = event.laneID
        }
        if let rule { finding.rules = [RuleNumber(rule)] }
        return finding
    }

    // MARK: Of every load

    /// Whether what the test did, it did to a task; where there are none, to the object that stands for it.
    private func isOfTask(_ event: TraceEvent) -> Bool { event.object == nil || trace.isOfProtocol }

    /// Between a redirect and its answer its task sends no request (R8).
    private func redirectFindings() -> [Finding] {
        guard trace.isMerged, TaskSurvey.tellsAnswers(trace.events) else { return [] }
        var open: [Int: TraceEvent] = [:]
        var findings: [Finding] = []
        for (index, item) in trace.items.enumerated() where item.event.phase == .enter {
            let event = item.event
            switch (event.lane, event.name) {
            case (.task, .redirect): open[event.task] = event
            case (.protocolClient, .redirect) where trace.isOfProtocol: open[event.task] = event
            case (.task, .complete), (.harness, .cancel): open[event.task] = nil
            case (.harness, .answer) where isOfTask(event) && event.facts.text(.to) ?? "redirect" == "redirect":
                open[event.task] = nil
            case (.wire, .request):
                guard item.hasTask, let redirect = open.removeValue(forKey: event.task) else { continue }
                findings.append(
                    finding(
                        "the request after a redirect only after its answer", index,
                        "\(text(event)) came before \(text(redirect)) was answered", rule: 8))
            default: break
            }
        }
        return findings
    }

    /// A task that was not resumed sends nothing.
    private func resumeFindings() -> [Finding] {
        guard trace.isMerged, tellsResumes, evidence.reports(.harness) else { return [] }
        var resumed: Set<Int> = []
        let everResumed = Set(trace.events.lazy.filter { $0.name == .resume && isOfTask($0) }.map(\.task))
        for (index, item) in trace.items.enumerated() {
            if item.event.name == .resume, isOfTask(item.event) { resumed.insert(item.event.task) }
            guard item.request != nil else { continue }
            // Whose request it is may be unknown; before the first of all resumes it is nobody's.
            let isEarly = item.hasTask ? !resumed.contains(item.event.task) : resumed.isEmpty
            guard isEarly else { continue }
            let wasResumed = item.hasTask ? everResumed.contains(item.event.task) : !everResumed.isEmpty
            let owner = item.hasTask ? "\(LaneID(.task, item.event.task))" : "any task"
            let sentence =
                "\(text(item.event)) came \(wasResumed ? "before \(owner) was resumed" : "though \(owner) never was resumed")"
            return [finding("no request before resume", index, sentence, rule: 42)]
        }
        return []
    }

    /// A session ends only when it is told to (R43).
    private func invalidationFindings() -> [Finding] {
        guard evidence.reports(.harness), trace.events.contains(where: { $0.lane == .harness }) else { return [] }
        var invalidated: Set<Int> = []
        var findings: [Finding] = []
        for (index, item) in trace.items.enumerated() where item.event.phase == .enter {
            let event = item.event
            if event.name == .invalidate { invalidated.insert(event.task) }
            guard event.name == .sessionInvalid, !invalidated.contains(event.task) else { continue }
            findings.append(
                finding(
                    "sessionInvalid only after invalidate", index, "\(text(event)) came though nobody invalidated it",
                    rule: 43))
        }
        return findings
    }
}
