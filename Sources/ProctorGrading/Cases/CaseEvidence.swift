public import ProctorEvents
public import ProctorJournal
public import ProctorScenario

/// All that is known of how one client took one case.
public struct CaseEvidence: Sendable {
    /// The client's trace, in the order in which it was written.
    public var events: [TraceEvent]
    /// The lanes this client can report, as the trace's header says; nil: all.
    public var reportedLanes: Set<Lane>?
    /// The facts it can report in a `result`; nil: all.
    public var reportedFacts: Set<FactName.ClientFact>?
    /// What the client has, as the trace's header says; nil: it does not say.
    public var declaredAbilities: Set<Ability>?
    /// Whether the trace may leave out any event, as a log does.
    public var isPartial = false
    /// The journal of the run that served this case alone; nil: nothing is known of the wire, and it is not judged.
    public var journal: [JournalEntry]?
    /// Entries that the journal had no room for.
    public var droppedCount: Int
    /// How its process ended.
    public var ending: ClientEnding
    /// How long it took; nil when it was not measured.
    public var milliseconds: Int?

    /// The evidence on a client that finished, unless `ending` says otherwise.
    public init(
        events: [TraceEvent] = [], reportedLanes: Set<Lane>? = nil,
        reportedFacts: Set<FactName.ClientFact>? = nil, journal: [JournalEntry]? = nil, droppedCount: Int = 0,
        ending: ClientEnding = .finished, milliseconds: Int? = nil
    ) {
        self.events = events
        self.reportedLanes = reportedLanes
        self.reportedFacts = reportedFacts
        self.journal = journal
        self.droppedCount = droppedCount
        self.ending = ending
        self.milliseconds = milliseconds
    }

    /// What a trace file tells, its header included; the lanes it names are all that the client can report.
    public init(
        _ trace: Trace, journal: [JournalEntry]? = nil, droppedCount: Int = 0, ending: ClientEnding = .finished,
        milliseconds: Int? = nil
    ) {
        self.init(
            events: trace.events, reportedLanes: trace.header.map { Set($0.lanes) },
            reportedFacts: Self.reportedFacts(of: trace.header), journal: journal, droppedCount: droppedCount,
            ending: ending, milliseconds: milliseconds)
        declaredAbilities = trace.header?.abilities
        isPartial = trace.format == .log
    }

    /// What the header says that a `result` can hold; nil: everything.
    public static func reportedFacts(of header: TraceHeader?) -> Set<FactName.ClientFact>? {
        header?.facts.map { keys in
            Set(
                keys.flatMap { key -> [FactName.ClientFact] in
                    switch key {
                    case .status: [.status]
                    case .url: [.url]
                    case .mime: [.mime]
                    case .suggestedName: [.suggestedName]
                    case .expectedLength: [.expectedLength]
                    case .error: [.error]
                    case .body, .bodyBase64: [.body]
                    case .bytes: [.bodyLength]
                    default: []
                    }
                })
        }
    }

    /// Whether the client sees anything of how its loads went; without that no rule is about it.
    var reportsLoads: Bool {
        [Lane.task, .handler, .proto, .protocolClient, .session].contains { reports($0) }
    }

    /// Whether the loads are those of a URLProtocol that something else than a session drives: there are no tasks.
    var isOfProtocol: Bool {
        !(reportedLanes?.contains(.task) ?? false) && !events.contains { $0.lane == .task }
            && (reportedLanes?.contains(.protocolClient) ?? false || events.contains { $0.lane == .protocolClient })
    }

    /// Whether the client can say anything in that lane; the wire is told by the journal.
    func reports(_ lane: Lane) -> Bool {
        lane == .wire ? journal != nil : reportedLanes?.contains(lane) ?? true
    }
}
