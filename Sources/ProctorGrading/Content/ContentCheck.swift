import ProctorEvents
import ProctorHTTP
import ProctorRules
import ProctorScenario

/// Compares one kind of thing that callbacks say with what the server sent, or with plain arithmetic.
///
/// A check says nothing where the trace lacks the fact, and where the journal cannot tell what is right.
protocol ContentCheck: Sendable {
    static func faults(in evidence: ContentEvidence) -> [ContentFault]
}

/// A check that looks at one load after the other.
protocol LoadContentCheck: ContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault]
}

extension LoadContentCheck {
    static func faults(in evidence: ContentEvidence) -> [ContentFault] { evidence.loads.flatMap { faults(in: $0) } }
}

/// Every check there is, in the order in which findings are told.
enum ContentChecks {
    static let all: [any ContentCheck.Type] = [
        ProposedRequestCheck.self, ChallengeCheck.self, ResponseCheck.self, FieldsCheck.self, DataCheck.self,
        BodyCheck.self, ResumeCheck.self, ProgressCheck.self, UploadCheck.self, ErrorCheck.self,
        SessionEndCheck.self, CallbackExitCheck.self,
    ]
}

/// A sitting as content checks see it: every load with its events and the requests that are certainly its own.
struct ContentEvidence {
    /// Loads over the wire, by number; those that a script plays are left out.
    let loads: [ContentLoad]
    /// All lanes, exits included, as the client wrote them.
    let events: [TraceEvent]
    /// Whether a script plays what a client tells, so that nothing of it is the client's.
    let isScripted: Bool
    /// Whether the client came to its end, and all that it was told is here.
    let isComplete: Bool

    init(_ grading: CaseGrading) {
        let trace = grading.trace
        isScripted = grading.item.isScripted
        isComplete = grading.stop == nil && !grading.evidence.isPartial
        events = trace.events
        var loads: [Int: ContentLoad] = [:]
        func load(_ number: Int) -> ContentLoad { loads[number] ?? ContentLoad(number, grading) }
        var isClear = true
        for item in trace.items where item.event.phase == .enter {
            if let request = item.request {
                guard item.hasTask else {
                    isClear = false
                    continue
                }
                var load = load(item.event.task)
                load.take(ContentExchange(request, grading))
                loads[item.event.task] = load
            } else if item.event.belongsToTask(isOfProtocol: trace.isOfProtocol) {
                var load = load(item.event.task)
                load.take(item.event)
                loads[item.event.task] = load
            }
        }
        if let record = grading.record, !trace.isMerged {
            let isCertain = WireCorrelation(trace.events, isOfProtocol: trace.isOfProtocol).isCertain
            for number in loads.keys where isCertain {
                loads[number]?.takeUnordered(record.requests.indices.map { ContentExchange($0, grading) })
            }
            isClear = isCertain
        }
        let knowsWire = isClear && grading.record.map { $0.gapAfter == nil && !$0.hasUnknownReplies } ?? false
        self.loads = loads.values.filter { $0.program?.protocolScript == nil }
            .sorted { $0.number < $1.number }
            .map { load in
                var load = load
                if !knowsWire { load.forgetWire() }
                return load
            }
    }
}

extension WireRecord {
    /// Whether the client sent what is no request, and so may have got a reply that belongs to none.
    fileprivate var hasUnknownReplies: Bool {
        violations.contains { $0.request == nil && !$0.violation.kind.isDeparture }
    }
}

/// One thing that a callback says and that is otherwise.
struct ContentFault {
    /// The callback, or the `result`.
    let event: TraceEvent
    /// The field's name in traces: `url`, `realm`, `total`.
    let field: String
    /// What the server sent, or what the sum is.
    let wanted: String
    /// What the callback says.
    let got: String
    /// Where what is wanted comes from: a section, or what the server did.
    let reason: String
    /// The rule of callbacks that speaks of it; nil where there is none.
    var rule: Int?
    /// An observation where no document that binds the client demands it.
    var weight = Finding.Weight.failure
}

extension CaseGrading {
    /// What callbacks say that the server did not send, or that cannot be; each field once for each lane.
    func contentFindings() -> [Finding] {
        let evidence = ContentEvidence(self)
        var order: [Key] = []
        var groups: [Key: [ContentFault]] = [:]
        for fault in ContentChecks.all.flatMap({ $0.faults(in: evidence) }) {
            let key = Key(lane: fault.event.laneID, field: fault.field, weight: weight(of: fault))
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(fault)
        }
        return order.compactMap { key in groups[key].flatMap { finding(key.weight, $0) } }
    }

    private struct Key: Hashable {
        let lane: LaneID
        let field: String
        let weight: Finding.Weight
    }

    /// What a program breaks on purpose is no fault of the client.
    private func weight(of fault: ContentFault) -> Finding.Weight {
        fault.rule.map { item.breaks.contains(RuleNumber($0)) } ?? false ? .observation : fault.weight
    }

    private func finding(_ weight: Finding.Weight, _ faults: [ContentFault]) -> Finding? {
        guard let fault = faults.first else { return nil }
        let event = fault.event
        let name = "\(event.laneID): \(EventText.of(event)): \(fault.field)"
        var details = LabelledText.lines("at", [place(event)])
        if faults.count > 1 {
            let more = faults.count > 6 ? " and \(faults.count - 6) more" : ""
            let places = faults.dropFirst().prefix(5).map { String($0.event.sequence) }
            details += LabelledText.lines("again", ["at \(places.joined(separator: ", "))\(more)"])
        }
        var finding = Finding(
            .content(field: fault.field), weight,
            "\(name) is \(fault.got), wanted \(fault.wanted): \(fault.reason)", details: details,
            wanted: fault.wanted, got: fault.got)
        finding.rules = fault.rule.map { [RuleNumber($0)] } ?? []
        finding.lane = event.laneID
        finding.event = event.sequence > 0 ? event.sequence : nil
        return finding
    }
}
