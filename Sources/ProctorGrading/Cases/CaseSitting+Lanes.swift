import ProctorScenario
import ProctorTrace

extension CaseSitting {
    /// What the case's own expressions say of the client's lanes, and what could not be held against them.
    func laneFindings() -> (findings: [Finding], notJudged: [String]) {
        var findings: [Finding] = []
        var notJudged: [String] = []
        for lane in item.lanes.keys.compactMap({ CaseLane($0) }).sorted() {
            guard let notation = item.lanes[lane.key] else { continue }
            switch events(of: lane) {
            case .success(let events):
                if let finding = finding(lane, notation, events) { findings.append(finding) }
            case .failure(let reason):
                if let text = reason.text { notJudged.append("\(lane.key): \(text)") }
            }
        }
        return (findings, notJudged)
    }

    /// Why a lane is not judged; nil when another expression of the case speaks for it.
    struct NoEvents: Error {
        let text: String?
    }

    /// The events that an expression of the case is held against.
    func events(of lane: CaseLane) -> Result<[TraceEvent], NoEvents> {
        if lane.lane == .task, lane.number == 0, speaksThroughProtocol {
            if item.lanes["protocolClient"] != nil { return .failure(NoEvents(text: nil)) }
            return .success(trace.events.filter { $0.lane == .protocolClient && $0.phase == .enter })
        }
        guard evidence.reports(lane.lane) else {
            return .failure(NoEvents(text: "the client cannot report what happens there"))
        }
        if lane.lane == .task, let reason = mismatch(lane) { return .failure(reason) }
        return .success(trace.events.filter { lane.contains($0) })
    }

    /// Whether the trace is of a URLProtocol alone, for which `task:` speaks too.
    private var speaksThroughProtocol: Bool {
        !(evidence.reportedLanes?.contains(.task) ?? false) && !trace.events.contains { $0.lane == .task }
            && trace.events.contains { $0.lane == .protocolClient }
    }

    /// `task:` speaks for loads with a delegate, `download:` for downloads; what the program itself asks for also for it.
    private func mismatch(_ lane: CaseLane) -> NoEvents? {
        let seen = Kind(family(ofStep: lane.number))
        let asked = item.client.indices.contains(lane.number) ? Kind(item.client[lane.number].task.family) : .delegate
        let suffix = lane.number == 0 ? "" : "[\(lane.number)]"
        let other = item.lanes[(lane.isDownload ? "task" : "download") + suffix]
        if lane.isDownload {
            if seen == .download { return nil }
            if other != nil { return NoEvents(text: nil) }
            if seen == asked { return nil }
        } else {
            if seen == .download, other != nil { return NoEvents(text: nil) }
            if seen == asked || seen == .delegate && asked == .download { return nil }
        }
        return NoEvents(text: "the trace is of \(seen.phrase), for which the case has no expression")
    }

    private enum Kind {
        case delegate, download, handler

        init(_ family: CallbackFamily) {
            self = family.isDownload ? .download : family == .HT ? .handler : .delegate
        }

        var phrase: String {
            switch self {
            case .delegate: "a task with a delegate"
            case .download: "a download"
            case .handler: "a task with a handler"
            }
        }
    }

    // MARK: Findings

    private func finding(_ lane: CaseLane, _ notation: Notation, _ events: [TraceEvent]) -> Finding? {
        let family = events.lazy.compactMap(\.family).first ?? family(ofStep: lane.number)
        let diagnosis = notation.diagnosis(
            of: events.lazy.map(\.symbol), ambient: item.ambient[lane.key], terminals: Self.terminals(of: family),
            ignoring: lane.ignored)
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
        guard let lane = events.first?.laneID else { return [] }
        guard let place else { return report.hits.filter { $0.sequence == nil && $0.lane == lane } }
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
