import ProctorBase
import ProctorEvents
import ProctorNotation
import ProctorRules
import ProctorScenario

extension CaseGrading {
    /// Checks the order of events in different lanes: the edges of the case, and the order that holds for every load.
    func edgeFindings() throws(SpentBudget) -> (findings: [Finding], notJudged: [Int: NoEvents]) {
        let orders = EdgeOrders(self)
        var findings: [Finding] = []
        var notJudged: [Int: NoEvents] = [:]
        for (index, edge) in item.edges.enumerated() {
            try budget.checkBounds()
            if let reason = reasonNotToJudge(edge) {
                notJudged[index] = reason
            } else if let finding = edgeFinding(edge, in: orders.order(for: edge)) {
                findings.append(finding)
            }
        }
        // An edge is not reported at an event that a broken rule reports already.
        let reported = Set(report.hits.compactMap(\.sequence))
        let ofEveryLoad = mergedOrder.breaches.map {
            orderFinding($0.edge, $0.event, sentence: $0.sentence, rule: $0.rule)
        }
        findings += ofEveryLoad.filter { finding in
            let sequence = finding.event ?? finding.sequence.map { -Int(clamping: $0) }
            return sequence.map { !reported.contains($0) } ?? true
        }
        return (findings, notJudged)
    }

    /// Why the order of wire and callbacks can't be decided, a sentence; nil when it can, or when no check needs that
    /// order.
    var orderNotJudged: String? {
        guard record != nil, !trace.isMerged, trace.events.contains(where: \.isCallback) else { return nil }
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

    private func edgeFinding(_ edge: CausalEdge, in events: EventOrder) -> Finding? {
        guard let place = index(of: edge.later, in: events) else { return nil }
        let later = events[place]
        let laterText = text(later)
        guard let earlier = index(of: edge.earlier, in: events) else {
            // An event that the family may leave out need not be in the trace.
            if isUnsaid(edge.earlier) { return nil }
            return orderFinding(
                edge.text, later, sentence: "\(laterText) came, and \(Self.text(edge.earlier)) never did",
                plain: "\(Self.words(later)) came, and has to come after \(edge.earlier.symbol.words), which never came"
            )
        }
        guard place < earlier else { return nil }
        return orderFinding(
            edge.text, later, sentence: "\(laterText) came before \(text(events[earlier]))",
            plain: "\(Self.words(later)) came before \(Self.words(events[earlier])), and has to come after it")
    }

    private func index(of end: CausalEdge.End, in events: EventOrder) -> Int? {
        var count = 0
        let ofObjects = isOfObjects(end.lane.lane) ? Set(view(ofStep: end.lane.number).events.map(\.sequence)) : nil
        return events.firstIndex { event in
            guard event.phase == .enter,
                ofObjects?.contains(event.sequence) ?? (event.lane == end.lane.lane && isIn(event, end.lane)),
                end.symbol.matches(event.symbol)
            else { return false }
            count += 1
            return count == end.count
        }
    }

    /// Whether events of URLProtocol objects stand in place of this lane.
    private func isOfObjects(_ lane: Lane) -> Bool { lane == .task && trace.isOfProtocol }

    private func reports(_ lane: Lane) -> Bool { isOfObjects(lane) || evidence.reports(lane) }

    private func isUnsaid(_ end: CausalEdge.End) -> Bool {
        end.lane.lane == .task && end.symbol.matches(.cancelled) && view(ofStep: end.lane.number).isSilent
    }

    /// Whether the event is in the lane: all requests are one lane, and so are all objects when the edge gives no
    /// object number.
    private func isIn(_ event: TraceEvent, _ lane: LaneID) -> Bool {
        if lane.lane == .wire { return true }
        return lane.lane.isOfObject && lane.number == 0 || event.laneID.number == lane.number
    }

    private static func text(_ end: CausalEdge.End) -> String {
        "\(end.lane) \(end.symbol)\(end.count == 1 ? "" : "[\(end.count - 1)]")"
    }

    private func text(_ event: TraceEvent) -> String {
        "\(event.lane == .wire ? "wire" : "\(event.laneID)") \(EventText.symbol(event))"
    }

    /// `the request GET /a`.
    private static func words(_ event: TraceEvent) -> String {
        EventText.printable(NotationSymbol(event.symbol).words, limit: 300)
    }

    /// `plain` is the sentence in plain words of an edge of the case.
    private func orderFinding(
        _ edge: String, _ event: TraceEvent, sentence: String, rule: RuleNumber? = nil, plain: String? = nil
    ) -> Finding {
        // The text of an edge of this module is its name; an edge of the case has its text in the fixture.
        let isOfCase = plain != nil
        var finding = Finding(
            subject: .edge(edge), sentence: isOfCase ? "\(edge): \(sentence)" : sentence,
            details: trace.clock.milliseconds(event.time).map { LabelledText.lines("at", ["+\($0) ms"]) } ?? [],
            wanted: edge, sequence: MergedTrace.journalSequence(event.sequence),
            location: isOfCase ? item.location : nil)
        finding.plain = plain
        if event.lane != .wire {
            finding.event = event.sequence
            finding.lane = event.laneID
        }
        if let rule { finding.rules = [rule] }
        return finding
    }

    /// Trace and requests in one order, for rules that need both.
    private var mergedOrder: MergedOrder {
        MergedOrder(
            items: AnyRandomAccessCollection(
                trace.items.lazy.map { .init(event: $0.event, isRequest: $0.request != nil, hasTask: $0.hasTask) }),
            isMerged: trace.isMerged, isOfProtocol: trace.isOfProtocol, reportsHarness: evidence.reports(.harness),
            text: { text($0) })
    }
}

/// The orders in which the events of edges are looked up, each made once and shared by all edges.
private struct EdgeOrders {
    private let trace: MergedTrace
    /// The wire alone; used when client and server have no common clock.
    private let wire: EventOrder?
    /// The trace with requests, replies, ends of connections and frames; nil when no edge names one of the last three.
    private let whole: EventOrder?

    private static let further = Set(([.replied, .closed] + EventVocabulary.frames).map(\.rawValue))

    init(_ grading: CaseGrading) {
        trace = grading.trace
        guard let record = grading.record else {
            (wire, whole) = (nil, nil)
            return
        }
        let edges = grading.item.edges
        let hasWire = !trace.isMerged && edges.contains(where: \.isOfWireAlone)
        wire = hasWire ? EventOrder(EventList(MergedTrace.wire(of: record))) : nil
        let hasFurther = edges.contains { edge in
            !(hasWire && edge.isOfWireAlone) && Self.namesFurther(edge)
        }
        whole =
            hasFurther
            ? EventOrder(trace.order, with: MergedTrace.ofEdges(record)) { $0.isBefore($1) } : nil
    }

    /// The order for an edge; contains replies, ends of connections and frames only when the edge names one.
    func order(for edge: CausalEdge) -> EventOrder {
        if let wire, edge.isOfWireAlone { return wire }
        if let whole, Self.namesFurther(edge) { return whole }
        return trace.order
    }

    private static func namesFurther(_ edge: CausalEdge) -> Bool {
        [edge.later, edge.earlier].contains { further.contains($0.symbol.name) }
    }
}

extension CausalEdge {
    fileprivate var isOfWireAlone: Bool { later.lane.lane == .wire && earlier.lane.lane == .wire }
}
