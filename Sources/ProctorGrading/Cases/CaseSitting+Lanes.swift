import ProctorScenario
import ProctorTrace

extension CaseSitting {
    /// What the case's own expressions say of the client's lanes, and what could not be held against them.
    func laneFindings() -> (findings: [Finding], notJudged: [String: NoEvents]) {
        var findings: [Finding] = []
        var notJudged: [String: NoEvents] = [:]
        for lane in item.lanes.keys.compactMap({ CaseLane($0) }).sorted() {
            guard let notation = item.lanes[lane.key] else { continue }
            switch view(of: lane, for: notation) {
            case .success(let view):
                if let finding = finding(lane, notation, view) { findings.append(finding) }
            case .failure(let reason):
                notJudged[lane.key] = reason
            }
        }
        return (findings, notJudged)
    }

    // MARK: Findings

    private func finding(_ lane: CaseLane, _ notation: Notation, _ view: FamilyView) -> Finding? {
        let events = view.events
        let diagnosis = view.diagnosis(of: notation, ambient: item.ambient[lane.key])
        guard let diagnosis else { return nil }
        let place = diagnosis.got == nil ? nil : diagnosis.position - 1
        // What a stopped client did not come to is no order that it broke.
        let weight: Finding.Weight = stop != nil && place == nil && diagnosis.overflow == nil ? .observation : .failure
        let hits = explaining(place, events).filter { Self.canExplain($0.rule, notation) }
        var finding = Finding(
            .expression(diagnosis), weight, "\(lane.key): \(diagnosis.sentence)",
            details: details(diagnosis, place, events) + ruleLines(hits), wanted: notation.text,
            got: Self.folded(events), location: item.location)
        finding.rules = Set(hits.map(\.rule)).sorted()
        finding.laneKey = lane.key
        finding.lane = events.first?.laneID ?? LaneID(lane.lane, lane.number)
        if let place, events.indices.contains(place) {
            finding.event = events[place].sequence
            finding.lane = events[place].laneID
        }
        return finding
    }

    /// The lines of the diagnosis, with what the trace knows of the event, and what was still to be answered there.
    func details(_ diagnosis: NotationDiagnosis, _ place: Int?, _ events: [TraceEvent]) -> [String] {
        guard let place, events.indices.contains(place) else {
            return diagnosis.lines() + openLines(before: nil, in: events.last?.laneID)
        }
        let event = events[place]
        let facts = EventText.facts(of: event)
        let note =
            "of \(events.count)\(trace.clock.offset(event.time))" + (facts.isEmpty ? "" : "   \(facts)")
        return diagnosis.lines(note: note) + openLines(before: event.sequence, in: event.laneID)
    }

    /// Questions of the lane that were not answered before the event; at its end, when nil.
    private func openLines(before sequence: Int?, in lane: LaneID?) -> [String] {
        guard let lane, lane.lane == .task, TaskSurvey.tellsAnswers(trace.events) else { return [] }
        let events = trace.events.prefix { sequence == nil || $0.sequence < sequence ?? 0 }
        let task = TaskSurvey.tasks(of: events, tellsAnswers: true).first { $0.number == lane.number }
        return task?.openQuestionText.map { LabelledText.lines("open", [$0]) } ?? []
    }

    /// The rules that broke at the event of the lane or next to it; without an event, at the end of the lane.
    func explaining(_ place: Int?, _ events: [TraceEvent]) -> [RuleHit] {
        guard let first = events.first?.laneID, let last = events.last?.laneID else { return [] }
        guard let place else {
            return report.hits.filter { $0.sequence == nil && ($0.lane == first || $0.lane == last) }
        }
        let near = Set(max(0, place - 1)...min(events.count - 1, place + 1)).map { events[$0].sequence }
        // What the loader calls on an object and what that says to its client are one load.
        let lanes = Set(
            events.map { $0.laneID.lane.isOfObject ? LaneID(.protocolClient, $0.laneID.number) : $0.laneID })
        return report.hits.filter { hit in
            lanes.contains(hit.lane) && (hit.sequence.map(near.contains) ?? false)
        }
    }

    /// Rules about events that are left out of the lane explain nothing, unless the expression names the event.
    private static func canExplain(_ rule: RuleNumber, _ notation: Notation) -> Bool {
        switch rule {
        case RuleNumber(41): notation.eventNames.contains(EventName.metrics.rawValue)
        case RuleNumber(52): notation.eventNames.contains(EventName.pCanonical.rawValue)
        default: true
        }
    }

    /// One line for each rule: its number, its title, and what broke it.
    func ruleLines(_ hits: [RuleHit]) -> [String] {
        var seen: Set<RuleNumber> = []
        let lines = hits.filter { seen.insert($0.rule).inserted }.map { hit in
            let title = Rules.rule(hit.rule).map { " \($0.title)" } ?? ""
            return "\(hit.rule)\(title): \(EventText.printable(hit.sentence, limit: 500))"
        }
        return lines.isEmpty ? [] : LabelledText.lines("rule", lines)
    }

    /// The events that end a lane of the family.
    static func terminals(of family: CallbackFamily) -> [String] {
        family.grammar?.terminals ?? EventVocabulary.terminalNames
    }

    /// The whole lane in one line, runs folded; the middle of a long one is left out.
    static func folded(_ events: [TraceEvent]) -> String {
        var groups: [(text: String, count: Int)] = []
        for event in events {
            let text = EventText.of(event)
            if groups.last?.text == text { groups[groups.count - 1].count += 1 } else { groups.append((text, 1)) }
        }
        var texts = groups.map { $0.count == 1 ? $0.text : "\($0.text)×\($0.count)" }
        if texts.count > 40 { texts.replaceSubrange(20..<(texts.count - 20), with: ["…"]) }
        return texts.joined(separator: " ")
    }
}
