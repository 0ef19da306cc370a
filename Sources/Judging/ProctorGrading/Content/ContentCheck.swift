import ProctorBase
package import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorRules
import ProctorScenario

/// Compares one kind of fact in callbacks with what the server sent, or with a computed sum.
///
/// A check reports nothing when the trace lacks the fact, or when the right value can't be known from the journal.
package protocol ContentCheck: Sendable {
    static func faults(in evidence: ContentEvidence) -> [ContentFault]
    /// Whether the check compares reports of the client's own recorder with each other, instead of with the sent bytes.
    static var isOfOwnReports: Bool { get }
}

extension ContentCheck { package static var isOfOwnReports: Bool { false } }

package protocol LoadContentCheck: ContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault]
}

extension LoadContentCheck {
    package static func faults(in evidence: ContentEvidence) -> [ContentFault] {
        evidence.loads.flatMap { faults(in: $0) }
    }
}

package enum ContentChecks {
    private static let core: [any ContentCheck.Type] = [
        ProposedRequestCheck.self, ChallengeCheck.self, ResponseCheck.self, FieldsCheck.self, DataCheck.self,
        BodyCheck.self, ResumeCheck.self, ProgressCheck.self, UploadCheck.self, ErrorCheck.self, SessionEndCheck.self,
        CallbackExitCheck.self, StoragePolicyCheck.self, MetricsProtocolCheck.self, MetricsForEachCheck.self,
        WillCacheCheck.self, KeptBodyCheck.self, ResultAgreementCheck.self, BeforeRequestCheck.self,
        ResponseOnceCheck.self, ObjectStartCheck.self, CreatedCheck.self,
        ResumeHandlerCheck.self, LeftoverCheck.self, InterimCheck.self,
    ]

    private static let registered = Locked<[any ContentCheck.Type]>([])

    /// Hands over the checks of a module above; safe from any thread, and again.
    package static func register(_ checks: [any ContentCheck.Type]) {
        registered.withLock { known in
            for check in checks where !known.contains(where: { $0 == check }) { known.append(check) }
        }
    }

    static var all: [any ContentCheck.Type] { core + registered.withLock { $0 } }
}

/// One run for content checks: every load, with its events and the requests that certainly belong to it.
package struct ContentEvidence {
    /// Loads over the wire, by number, without loads that a script plays.
    let loads: [ContentLoad]
    /// The events of all lanes, with returns of callbacks, as the client wrote them.
    let events: EventList
    /// Whether a script plays the load, so that its events are not made by the client.
    let isScripted: Bool
    /// Whether the client reached its end and the trace is complete.
    let isComplete: Bool
    /// Whether the client reports calls of completion handlers.
    let reportsHandlers: Bool

    /// The most loads whose content is compared, since each line of a trace could name another load.
    private static let mostLoads = 1_000

    init(_ grading: CaseGrading) throws(SpentBudget) {
        let trace = grading.trace
        isScripted = grading.item.isScripted
        isComplete = grading.stop == nil && !grading.evidence.isPartial
        reportsHandlers = grading.evidence.reports(.handler)
        events = trace.events
        var gathered: [Int: ContentLoad.Gathered] = [:]
        func isCompared(_ number: Int) -> Bool { gathered.count < Self.mostLoads || gathered[number] != nil }
        var isClear = true
        for position in trace.order.indices {
            try grading.budget.spend()
            let item = trace.item(at: position)
            guard item.event.phase == .enter else { continue }
            if let request = item.request, let record = grading.record {
                guard item.hasTask else {
                    isClear = false
                    continue
                }
                guard isCompared(item.event.task) else { continue }
                gathered[item.event.task, default: ContentLoad.Gathered()].append(record.exchanges[request])
            } else if let place = trace.order.clientIndex(at: position),
                item.event.belongsToTask(isOfProtocol: trace.isOfProtocol), isCompared(item.event.task)
            {
                gathered[item.event.task, default: ContentLoad.Gathered()].appendEvent(at: place)
            }
        }
        if let record = grading.record, !trace.isMerged {
            isClear = WireCorrelation(trace.events, isOfProtocol: trace.isOfProtocol).isCertain
            for number in gathered.keys where isClear {
                gathered[number]?.setUnordered(record.exchanges)
            }
        }
        let exchanges = grading.record.flatMap { $0.hasAllReplies ? $0.exchanges : nil }
        let knowsWire = isClear && exchanges != nil
        let ofRun = exchanges.flatMap { $0.count <= ExchangeLookup.mostOfRun ? ExchangeLookup($0) : nil }
        // A URLProtocol class of the program may answer any of its requests.
        let hasClasses = grading.item.client.first?.session?.protocols.isEmpty == false
        loads = gathered.keys.sorted().filter { number in
            let steps = grading.item.client
            return !hasClasses && !(steps.indices.contains(number) && steps[number].protocolScript != nil)
        }.map { number in
            ContentLoad(
                number, gathered[number] ?? ContentLoad.Gathered(), ofRun: ofRun, knowsWire: knowsWire, grading)
        }
    }
}

/// A fact in a callback that differs from what was sent, or from the computed sum.
package struct ContentFault {
    let event: TraceEvent
    /// The field's name in traces: `url`, `realm`, `total`.
    let field: String
    let wanted: String
    let got: String
    /// The source of the wanted value: a section, or what the server sent.
    let reason: String
    /// The callback rule about the value; nil where there is none.
    let rule: Int?
    /// The weight: an observation when no document that applies to the client requires the value.
    let weight: Finding.Weight
    /// The value of ``ContentCheck/isOfOwnReports`` of the check that found it.
    var isOfOwnReports = false
}

extension TraceEvent {
    package func fault(
        _ field: String, wanted: String, got: String, reason: String, rule: Int? = nil,
        weight: Finding.Weight = .failure
    ) -> ContentFault {
        ContentFault(event: self, field: field, wanted: wanted, got: got, reason: reason, rule: rule, weight: weight)
    }
}

extension CaseGrading {
    /// The differences between callbacks and sent content; each field once in each lane.
    func contentFindings() throws(SpentBudget) -> [Finding] {
        let evidence = try ContentEvidence(self)
        var faults: [ContentFault] = []
        for check in ContentChecks.all {
            try budget.checkBounds()
            faults += check.faults(in: evidence).map { fault in
                var fault = fault
                fault.isOfOwnReports = check.isOfOwnReports
                return fault
            }
        }
        return faults.grouped {
            Key(lane: $0.event.laneID, field: $0.field, weight: contentWeight(of: $0))
        }.map { contentFinding($0.key.weight, $0.elements) }
    }

    private struct Key: Hashable {
        let lane: LaneID
        let field: String
        let weight: Finding.Weight
    }

    /// The weight of a fault; one that the program causes on purpose is not the client's.
    private func contentWeight(of fault: ContentFault) -> Finding.Weight {
        fault.rule.map { item.breaks.contains(RuleNumber($0)) } ?? false ? .observation : fault.weight
    }

    private func contentFinding(_ weight: Finding.Weight, _ faults: [ContentFault]) -> Finding {
        let fault = faults[0]
        let event = fault.event
        let name = "\(event.laneID): \(EventText.symbol(event)): \(fault.field)"
        let sentence =
            switch (event.name, event.task) {
            case (.result, 0): "the client reports \(fault.words)"
            case (.result, let step): "in step \(step + 1) the client reports \(fault.words)"
            default: "the callback \(EventText.symbol(event)) of \(event.laneID) has \(fault.field) \(fault.got)"
            }
        let tolerated = Departure(toldFact: fault.field).flatMap { item.untolerated.contains($0) ? nil : $0 }
        let remark = tolerated.map { "; tolerated here, \($0.row.owner) is about it" } ?? ""
        return Finding(
            subject: tolerated.map { .tolerated($0) } ?? .content(field: fault.field),
            weight: tolerated == nil ? weight : .observation,
            sentence: "\(name) is \(fault.got), wanted \(fault.wanted): \(fault.reason)\(remark)",
            plain: "\(sentence); wanted \(fault.wanted): \(fault.reason)\(remark)",
            details: LabelledText.lines("at", [place(event)])
                + Self.again(faults.dropFirst().map { String($0.event.sequence) }), wanted: fault.wanted,
            got: fault.got, rules: fault.rule.map { [RuleNumber($0)] } ?? [], lane: event.laneID,
            event: event.sequence > 0 ? event.sequence : nil, isOfOwnReports: fault.isOfOwnReports)
    }

    /// A line with the first five further places of the same fault.
    static func again(_ places: [String]) -> [String] {
        guard !places.isEmpty else { return [] }
        let more = places.count > 5 ? " and \(places.count - 5) more" : ""
        return LabelledText.lines("again", ["at \(places.prefix(5).joined(separator: ", "))\(more)"])
    }
}

extension ContentFault {
    /// The reported value for a person: `the URL "http://a/"`, `0 bytes of content`.
    fileprivate var words: String {
        switch field {
        case "body" where got.hasSuffix(" byte") || got.hasSuffix(" bytes"): "\(got) of content"
        case "body": "the content \(got)"
        case "url": "the URL \(got)"
        default: "the \(field) \(got)"
        }
    }
}
