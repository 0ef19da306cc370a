import ProctorBase
import ProctorEvents
import ProctorNotation
import ProctorProgram
import ProctorRules
import ProctorScenario

extension CaseGrading {
    /// Compares the client's lanes with the expressions of the case; also returns which lanes could not be judged.
    func laneFindings() throws(SpentBudget) -> (findings: [Finding], notJudged: [String: NoEvents]) {
        var findings: [Finding] = []
        var notJudged: [String: NoEvents] = [:]
        for lane in item.lanes.keys.compactMap({ CaseLane($0) }).sorted() {
            guard let notation = item.lanes[lane.key] else { continue }
            switch view(of: lane, for: notation) {
            case .success(let view):
                // Of a reply without the coding that the case is about, no callbacks are wanted.
                guard reasonUnoffered == nil else { continue }
                if let finding = try laneFinding(lane, notation, view: view) { findings.append(finding) }
            case .failure(let reason): notJudged[lane.key] = reason
            }
        }
        return (findings, notJudged)
    }

    // MARK: Findings

    private func laneFinding(
        _ lane: CaseLane, _ notation: Notation, view: FamilyView
    ) throws(SpentBudget) -> Finding? {
        let events = view.events
        let diagnosis = try view.diagnosis(of: notation, ambient: item.ambient[lane.key], within: budget)
        guard let diagnosis else { return nil }
        let place = diagnosis.got == nil ? nil : diagnosis.position - 1
        // An event that a stopped client did not reach does not break the order.
        let weight: Finding.Weight = course.explains(diagnosis) ? .observation : .failure
        let hits = explaining(place, events).filter { Self.canExplain($0.rule, notation) }
        var finding = Finding(
            subject: .expression(diagnosis), weight: weight, sentence: "\(lane.key): \(diagnosis.sentence)",
            details: details(diagnosis, place, events: events) + ruleLines(hits),
            notationLineCount: diagnosis.lines().count, wanted: notation.text,
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

    /// The lines of the diagnosis, with the facts of the event and the questions that were not yet answered.
    func details(_ diagnosis: NotationDiagnosis, _ place: Int?, events: EventList) -> [String] {
        guard let place, events.indices.contains(place) else {
            return diagnosis.lines() + openLines(before: nil, in: events.last?.laneID)
        }
        let event = events[place]
        let note = "of \(events.count)\(trace.clock.offset(event.time))\(EventText.facts(of: event))"
        return diagnosis.lines(note: note) + openLines(before: event.sequence, in: event.laneID)
    }

    /// The questions of the lane that were not answered before the event; nil: before the end of the lane.
    private func openLines(before sequence: Int?, in lane: LaneID?) -> [String] {
        guard let lane, lane.lane == .task, hasAnswers else { return [] }
        let events = index.events(ofTask: lane.number).lazy.prefix { sequence == nil || $0.sequence < sequence ?? 0 }
        let task = LoadState.tasks(of: events, tellsAnswers: true).first { $0.number == lane.number }
        return task?.openQuestionText.map { LabelledText.lines("open", [$0]) } ?? []
    }

    /// The rules that broke at the event of the lane or next to it; without an event, at the end of the lane.
    func explaining(_ place: Int?, _ events: EventList) -> [RuleHit] {
        guard let first = events.first?.laneID, let last = events.last?.laneID else { return [] }
        guard let place else {
            return report.hits.filter { $0.sequence == nil && ($0.lane == first || $0.lane == last) }
        }
        let near = Set(max(0, place - 1)...min(events.count - 1, place + 1)).map { events[$0].sequence }
        // The lanes `proto` and `protocolClient` of one object belong to one load.
        let lanes = Set(
            events.map { $0.laneID.lane.isOfObject ? LaneID(.protocolClient, $0.laneID.number) : $0.laneID })
        return report.hits.filter { hit in lanes.contains(hit.lane) && (hit.sequence.map(near.contains) ?? false) }
    }

    /// A rule about events that are left out of the lane explains a finding only when the expression names the event.
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
            "\(hit.rule.titled): \(EventText.printable(hit.sentence, limit: 500))"
        }
        return lines.isEmpty ? [] : LabelledText.lines("rule", lines)
    }

    static func terminals(of family: CallbackFamily) -> [String] {
        family.grammar?.terminals ?? EventVocabulary.terminalNames
    }

    /// The whole lane in one line, with repetitions folded and the middle of a long lane left out.
    static func folded(_ events: some Sequence<TraceEvent>) -> String {
        let half = 20
        var groups: [(text: String, count: Int)] = []
        var hiddenCount = 0
        for event in events {
            let text = EventText.symbol(event)
            if groups.last?.text == text {
                groups[groups.count - 1].count += 1
                continue
            }
            // Groups between the first and the last ones are removed in batches, so that a long lane needs little
            // memory.
            if groups.count == 4 * half {
                groups.removeSubrange(half..<(3 * half + 1))
                hiddenCount += 2 * half + 1
            }
            groups.append((text, 1))
        }
        var texts = groups.map { $0.count == 1 ? $0.text : "\($0.text)×\($0.count)" }
        if hiddenCount + texts.count > 2 * half { texts.replaceSubrange(half..<(texts.count - half), with: ["…"]) }
        return texts.joined(separator: " ")
    }
}

extension CaseGrading {
    /// Why a lane is not judged; nil when another expression of the case is compared with the lane.
    struct NoEvents: Error {
        let text: String?
        /// Whether the client, or the API that it was asked to use, has no such lane.
        var lacksLane = false
    }

    /// The view of the lane to be compared with `notation`; nil: with any expression.
    func view(of lane: CaseLane, for notation: Notation?) -> Result<FamilyView, NoEvents> {
        guard lane.lane == .task else {
            guard evidence.reports(lane.lane) else { return .failure(.cannotReport) }
            var events = self.events(in: lane)
            // A TLS challenge of the session belongs to a task, unless the case names session challenges itself.
            if lane.lane == .session, !item.namesSessionChallenges {
                events = events.selecting { $0.name != .challenge || !$0.isOfTLS }
            }
            let family = events.lazy.compactMap(\.family).first ?? family(ofStep: lane.number)
            var view = FamilyView(own: events, of: family, ignoring: lane.ignored)
            view.isUntold = { evidence.isPartial || never.cover($0) }
            return .success(view)
        }
        if trace.isOfProtocol {
            if item.lanes["protocolClient"] != nil { return .failure(NoEvents(text: nil)) }
        } else if !evidence.reports(.task) {
            return .failure(.cannotReport)
        }
        if let reason = mismatch(lane) { return .failure(reason) }
        if let task = course.task(ofStep: lane.number), isCancelledByRefusal(task) {
            let sentence = "a refused redirect cancels an NSURLDownload on platform \(platform.name)"
            return .failure(NoEvents(text: sentence, lacksLane: true))
        }
        var view = view(ofStep: lane.number, ignoring: lane.ignored)
        view.isUntold = { evidence.isPartial || isUntold($0, ofStep: lane.number) }
        if let reason = notation.flatMap({ view.reasonNotToJudge($0) }) {
            return .failure(NoEvents(text: reason, lacksLane: true))
        }
        return .success(view)
    }

    /// The view of a step's load, by its task or by its URLProtocol objects.
    func view(ofStep step: Int, ignoring ignored: [String] = []) -> FamilyView {
        guard trace.isOfProtocol else {
            let events = index.events(in: LaneID(.task, step))
            let family = events.lazy.compactMap(\.family).first ?? family(ofStep: step)
            var view = FamilyView(load: events, of: family, ignoring: ignored, isCancelled: index.isCancelled(step))
            // NSURLConnection gets the stream in the request, and asks for another one only to send it again
            // (NSURLConnection.h).
            let isStreamed = item.client.indices.contains(step) && item.client[step].bodyForm.isAskedFor
            view.asksOnlyAgain = family == .connection && isStreamed
            return view
        }
        let objects = ObjectSuccession(in: index.events(ofTask: step), tellsAnswers: tellsAnswers)
        // A stopped object reports nothing more (R50); lane `proto`, where the client reports it, shows whether it was
        // stopped.
        return FamilyView(
            load: objects.events, of: .urlProtocol, ignoring: ignored,
            isCancelled: index.isCancelled(step) && !objects.isRunning,
            systemError: objects.isRunning ? nil : resultError(ofStep: step))
    }

    /// The error of a step's `result` that no object reported.
    ///
    /// The loading system itself has ended such a load, for example after too many redirects, which no object can count
    /// (R51).
    private func resultError(ofStep step: Int) -> String? { index.lastResult(ofStep: step)?.facts.text(.error) }

    /// The events of a lane, without returns of callbacks, which no expression contains.
    private func events(in lane: CaseLane) -> EventList {
        // A load may have several objects; a lane without a number contains all of them in order.
        guard lane.lane.isOfObject, lane.number == 0 else { return index.events(in: LaneID(lane.lane, lane.number)) }
        return trace.events.selecting { $0.lane == lane.lane && $0.phase == .enter }
    }

    // MARK: Facts that are not reported

    /// The facts that are not reported, for each step whose family may leave out facts.
    func untoldFacts() -> [Int: ClientRecord.Untold] {
        item.client.indices.reduce(into: [:]) { untold, step in
            if let task = course.task(ofStep: step), isCancelledByRefusal(task) {
                untold[step] = .everything
            } else if view(ofStep: step).isSilent {
                untold[step] = .error
            }
        }
    }

    private func isCancelledByRefusal(_ task: LoadState) -> Bool {
        if task.isCancelledByRefusal(on: platform) { return true }
        // When the trace has no answers, the program of the case says what they were.
        guard task.family == .download, platform.refusedDownloadRedirect == .cancel, !tellsAnswers,
            item.client.indices.contains(task.number)
        else { return false }
        return index.hasRedirect(task.number)
            && item.client[task.number].onRedirect.contains { if case .refuse = $0 { true } else { false } }
    }

    // MARK: Which expression is for which trace

    /// Why the lane's expression does not apply to the trace; nil when it does.
    ///
    /// `task:` is for loads with a delegate, `download:` for downloads; the family that the program requests is accepted
    /// too.
    private func mismatch(_ lane: CaseLane) -> NoEvents? {
        let family = family(ofStep: lane.number)
        let seen = Kind(family)
        let asked = item.client.indices.contains(lane.number) ? Kind(item.client[lane.number].task.family) : .delegate
        let suffix = lane.number == 0 ? "" : "[\(lane.number)]"
        let other = item.lanes[(lane.isDownload ? "task" : "download") + suffix]
        if lane.isDownload {
            if seen == .download { return nil }
            if other != nil { return NoEvents(text: nil) }
            if family == .urlProtocol { return NoEvents(text: "a URLProtocol knows no downloads", lacksLane: true) }
            if seen == asked { return nil }
        } else {
            if seen == .download, other != nil { return NoEvents(text: nil) }
            if seen == asked || seen == .delegate && asked == .download { return nil }
        }
        return NoEvents(text: "the trace is of \(family.noun), for which the case has no expression", lacksLane: true)
    }

    private enum Kind {
        case delegate, download, handler

        init(_ family: CallbackFamily) {
            self = family.isDownload ? .download : family.endsInHandler ? .handler : .delegate
        }
    }
}

extension CaseGrading.NoEvents {
    fileprivate static let cannotReport = Self(text: "the client cannot report what happens there", lacksLane: true)
}
