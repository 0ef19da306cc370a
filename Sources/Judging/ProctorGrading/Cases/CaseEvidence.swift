package import ProctorEvents
import ProctorHTTP
package import ProctorJournal
import ProctorProgram
package import ProctorScenario

package struct CaseEvidence: Sendable {
    /// The client's trace, in the order in which it was written.
    package var events: [TraceEvent]
    /// The lanes that the trace's header names; nil means all.
    package var reportedLanes: Set<Lane>?
    /// The facts that a `result` of this client can contain; nil means all.
    package var reportedFacts: Set<FactKey>?
    /// The abilities that the trace's header declares; nil means that the header does not say.
    package var declaredAbilities: Set<Ability>?
    /// The client's version by the trace's header; nil means that it does not say.
    package var clientVersion: String?
    /// Whether the trace may leave out any event, as a log does.
    package var isPartial = false
    /// The journal of the run, which served only this case; nil means that there is none, and the wire is not judged.
    package var journal: [JournalEntry]?
    /// The number of entries that did not fit into the journal.
    package var droppedCount: Int
    package var ending: ClientEnding
    /// Why what the client left undone shows nothing, half a sentence, by the control that it does not pass.
    package var failedControls: [ControlKind: String] = [:]
    /// The duration of the run in milliseconds; nil when it was not measured.
    package var milliseconds: Int?
    /// What the client's processes took of the machine; nil when it was not measured.
    package var spending: ClientSpending?

    package init(
        events: [TraceEvent] = [], reportedLanes: Set<Lane>? = nil, reportedFacts: Set<FactKey>? = nil,
        journal: [JournalEntry]? = nil, droppedCount: Int = 0, ending: ClientEnding = .finished,
        milliseconds: Int? = nil
    ) {
        (self.events, self.reportedLanes, self.reportedFacts) = (events, reportedLanes, reportedFacts)
        (self.journal, self.droppedCount, self.ending) = (journal, droppedCount, ending)
        self.milliseconds = milliseconds
    }

    /// Makes evidence from the events and the header of a trace file; the client can report only lanes that the header
    /// names.
    package init(
        _ trace: Trace, journal: [JournalEntry]? = nil, droppedCount: Int = 0, ending: ClientEnding = .finished,
        milliseconds: Int? = nil
    ) {
        self.init(
            events: trace.events, reportedLanes: trace.header.map { Set($0.lanes) },
            reportedFacts: Self.reportedFacts(of: trace.header), journal: journal, droppedCount: droppedCount,
            ending: ending, milliseconds: milliseconds)
        declaredAbilities = trace.header?.abilities
        clientVersion = trace.header?.clientVersion
        isPartial = trace.format == .log
    }

    /// The facts that a `result` can contain; nil means all.
    package static func reportedFacts(of header: TraceHeader?) -> Set<FactKey>? { header?.facts.map { Set($0) } }

    /// Whether the client reports callbacks of its loads; without them no callback rule applies.
    var reportsLoads: Bool { [Lane.task, .handler, .proto, .protocolClient, .session].contains { reports($0) } }

    /// Whether URLProtocol objects run without a session, so that there are no tasks.
    package var isOfProtocol: Bool {
        !(reportedLanes?.contains(.task) ?? false) && !events.contains { $0.lane == .task }
            && (reportedLanes?.contains(.protocolClient) ?? false || events.contains { $0.lane == .protocolClient })
    }

    /// Why something that the client left undone shows nothing; nil where no control failed.
    package var failedControl: String? { ControlKind.allCases.lazy.compactMap { failedControls[$0] }.first }

    /// Whether the client could have told that it began, and did not; that its adapter gave up tells of no beginning.
    var lacksBeginning: Bool {
        let isSilent = reportedLanes == nil || reportedLanes == [.harness] && reportedFacts == []
        return !isSilent && !isPartial && events.allSatisfy(\.isGivenUp)
    }

    /// Whether the client reported a failed load and no successful one.
    package var tellsFailuresAlone: Bool {
        let results = ClientRecord(events, reportedFacts: reportedFacts)
        let ended = Set(events.map(\.task)).filter { results.hasEnd(ofStep: $0) }
        return !ended.isEmpty && ended.allSatisfy { results.errorName(ofStep: $0) != nil }
    }

    /// Whether the case is about a cache and the client used none: every load sent a request without a condition of the
    /// client's own.
    package func leavesCacheOut(_ item: Case) -> Bool {
        guard let journal, item.needs.contains(.cache) else { return false }
        let record = WireRecord(journal)
        let steps = item.client
        return record.exchanges.count >= steps.count
            && !record.exchanges.contains { request in
                ["If-None-Match", "If-Modified-Since"].contains { (name: StaticString) in
                    !request.head.fields.values(named: name).isEmpty && !steps.contains { $0.sets("\(name)") }
                }
            }
    }

    /// Whether the case is about stored cookies, and the client sent no cookie at all.
    package func leavesCookiesOut(_ item: Case) -> Bool {
        guard let journal, item.client.first?.session?.cookies != .never, item.claims.contains(where: \.isOfCookies)
        else {
            return false
        }
        let record = WireRecord(journal)
        return (item.needs.contains(.cookieJar) || !record.cookieSettings.isEmpty)
            && !record.exchanges.contains { !$0.head.fields.values(named: "Cookie").isEmpty }
    }

    /// Whether the client reports the lane; for lane `wire`, whether there is a journal.
    func reports(_ lane: Lane) -> Bool { lane == .wire ? journal != nil : reportedLanes?.contains(lane) ?? true }
}

extension ClientProgram {
    /// Whether the program sets a field of that name.
    func sets(_ name: String) -> Bool {
        headers.contains { HTTPField(name: name, bytes: []).isNamed(String(decoding: $0.name, as: UTF8.self)) }
    }
}

extension Claim {
    /// Whether the claim is about the Cookie fields of requests.
    var isOfCookies: Bool {
        switch saying {
        case .cookies: true
        case .fact(let name): name.requestOfCookies != nil
        default: false
        }
    }
}
