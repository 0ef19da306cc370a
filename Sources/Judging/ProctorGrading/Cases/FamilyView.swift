import ProctorBase
import ProctorEvents
import ProctorNotation
import ProctorRules
import ProctorScenario

/// The events of one family's lane, prepared for an expression that is written for several families.
///
/// `task:` is written for URLSession's tasks, `download:` for its download tasks. Events that only another family has
/// are removed unless the expression names them; events for which the family has no callback, or which it may leave
/// out, count as seen.
struct FamilyView {
    let family: CallbackFamily
    let events: EventList
    /// Whether the load was cancelled, so that its end need not be reported.
    let isSilent: Bool
    /// Events that are removed before an expression is matched, unless the expression names them.
    private let ignored: [String]
    /// Events for which the family has no callback.
    private let unreported: Set<String>
    /// Events that the family may leave out at the end of this lane.
    private let unsaid: [TraceEventSymbol]
    /// Whether the family does not ask for the first body stream, but only for one to send the body again.
    var asksOnlyAgain = false
    /// Whether this client can't report the event here, so that it counts as seen.
    var isUntold: (NotationSymbol) -> Bool = { _ in false }

    /// A view for a lane with an expression of its own: only `ignored` events are removed, and no missing event counts
    /// as seen.
    init(own events: EventList, of family: CallbackFamily, ignoring ignored: [String]) {
        (self.family, self.events, self.ignored) = (family, events, ignored)
        isSilent = false
        unreported = []
        unsaid = []
    }

    /// A view of a load; `isCancelled` means that the family need not report its end.
    ///
    /// `systemError` is the error with which the loading system of a URLProtocol itself ended the load.
    init(
        load events: EventList, of family: CallbackFamily, ignoring ignored: [String], isCancelled: Bool,
        systemError: String? = nil
    ) {
        (self.family, self.events) = (family, events)
        self.ignored = ignored + family.besides.map(\.rawValue)
        unreported = family.unreported
        isSilent = family.isOfOtherAPI && isCancelled && !events.contains { family.isEnded(by: $0.name) }
        if isSilent {
            unsaid = [.cancelled]
        } else if family == .connectionDownload, events.contains(where: { $0.name == .fileReady }) {
            // The event of the finished file is the last one of the lane.
            unsaid = [.finished]
        } else if family == .download, events.contains(where: { $0.symbol == .finished }) {
            // The end of the load is reported in place of the finished file.
            unsaid = [TraceEventSymbol(EventName.fileReady.rawValue)]
        } else if let systemError, !events.contains(where: { family.isEnded(by: $0.name) }) {
            unsaid = [TraceEventSymbol(EventName.complete.rawValue, systemError)]
        } else {
            unsaid = []
        }
    }

    func diagnosis(
        of notation: Notation, ambient: Notation?, within budget: WorkBudget = WorkBudget()
    ) throws(SpentBudget) -> NotationDiagnosis? {
        let isFirstMissing = asksOnlyAgain && missesFirstStream(notation)
        let mayBeMissing = { (symbol: NotationSymbol) in
            self.mayBeMissing(symbol) || isFirstMissing && symbol.name == EventName.needBodyStream.rawValue
        }
        return try notation.allowingAbsence(of: mayBeMissing).diagnosis(
            of: events.lazy.map(\.symbol), ambient: ambient?.allowingAbsence(of: mayBeMissing),
            terminals: CaseGrading.terminals(of: family), ignoring: ignored, within: budget)
    }

    /// Whether the lane has exactly one `needBodyStream` fewer than the expression wants.
    private func missesFirstStream(_ notation: Notation) -> Bool {
        let wanted = notation.fewestOccurrences(of: EventName.needBodyStream.rawValue)
        return events.count { $0.name == .needBodyStream } == wanted - 1
    }

    private func mayBeMissing(_ symbol: NotationSymbol) -> Bool {
        unreported.contains(symbol.name) || isUntold(symbol) || unsaid.contains { symbol.matches($0) }
    }

    /// Why no lane of the family could satisfy the expression, half a sentence; nil when one can.
    func reasonNotToJudge(_ notation: Notation) -> String? {
        if family == .sequence, notation.fewestOccurrences(of: EventName.response.rawValue) > 1 {
            return "the trace is of \(family.noun), whose head comes once"
        }
        let foreign = family.foreign
        guard !notation.isPossible(without: foreign) else { return nil }
        let names = notation.eventNames.intersection(foreign).sorted().joined(separator: ", ")
        return "the trace is of \(family.noun), which has no \(names)"
    }
}

extension TraceEventSymbol {
    static let cancelled = TraceEventSymbol(EventName.complete.rawValue, "cancelled")
    static let finished = TraceEventSymbol(EventName.complete.rawValue, "ok")
}

extension CallbackFamily {
    /// The events that the family reports in addition to those in expressions for several families.
    ///
    /// No rule limits how often a request is rewritten or an old challenge question is asked (R7, R19), and none is
    /// about NSURLDownload's questions about its file (R37).
    var besides: [EventName] {
        switch self {
        case .connection, .connectionDownload: [.canonicalize, .askCanAuth, .askCredStore, .challengeCancelled]
        case .download:
            [
                .canonicalize, .askCanAuth, .askCredStore, .challengeCancelled, .downloadBegin, .response,
                .shouldDecode, .destination, .destinationCreated,
            ]
        case .urlProtocol: [.canonicalize, .challengeCancelled, .cacheValidated]
        case .sequence: [.trailers]
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .connectionSync, .connectionQueued,
            .webSocket, .stream, .proto, .eventSource:
            []
        }
    }

    /// Events for which the family has no callback, but which an expression may name.
    var unreported: Set<String> {
        let rewriting: Set = [EventName.canonicalize.rawValue]
        guard isOfOtherAPI else { return isOfTasks ? rewriting : [] }
        let others = Self.beside.subtracting(alphabet)
        return self == .urlProtocol ? others.union(rewriting) : others
    }

    /// Events of other kinds of loads; an expression that requires one does not apply to the family.
    fileprivate var foreign: Set<String> {
        guard isOfOtherAPI else { return [] }
        let known = alphabet.union(Self.beside).union(self == .download ? [EventName.fileReady.rawValue] : [])
        return Set(EventName.allCases.map(\.rawValue)).subtracting(known)
    }

    /// Whether the family is one of URLSession's tasks that load a request.
    var isOfTasks: Bool {
        self == .sessionData || self == .sessionDownload || self == .sessionHandler || self == .sessionBackground
    }

    fileprivate var isOfOtherAPI: Bool {
        switch self {
        case .connection, .connectionSync, .connectionQueued, .connectionDownload, .download, .urlProtocol,
            .sequence:
            true
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream, .proto,
            .eventSource:
            false
        }
    }

    private static let beside = Set(
        [
            EventName.created, .delayed, .waiting, .needBodyStream, .bodySent, .informational, .willCache, .progress,
            .metrics,
        ].map(\.rawValue))

    private var alphabet: Set<String> {
        guard let grammar else { return [] }
        return grammar.notation.eventNames.union(grammar.ambient?.eventNames ?? [])
    }

    /// What traces of the family record, for messages.
    var noun: String {
        switch self {
        case .sessionData, .sessionBackground: "a task with a delegate"
        case .sessionDownload: "a download"
        case .sessionHandler: "a task with a handler"
        case .connection: "an NSURLConnection"
        case .connectionSync: "a synchronous request"
        case .connectionQueued: "a queued request"
        case .connectionDownload: "a download of NSURLConnection"
        case .download: "an NSURLDownload"
        case .urlProtocol: "a URLProtocol"
        case .proto: "the life of a URLProtocol"
        case .webSocket: "a WebSocket task"
        case .stream: "a stream task"
        case .eventSource: "an event source"
        case .sequence: "a response that is a sequence"
        }
    }
}

/// The calls of a task's URLProtocol objects on their client, as one load; the objects follow one another.
///
/// When the client follows a redirect, another object continues the load, and later calls of the first object are
/// ignored (R51).
struct ObjectSuccession {
    let events: EventList
    /// Whether the last object was started and not stopped, as far as lane `proto` shows.
    let isRunning: Bool

    private struct Object {
        /// Indexes in the trace: of the first event, of the last redirect, and of the last redirect that was followed.
        let first: Int
        var redirect: Int?
        var followed: Int?
        var isRunning = false

        mutating func follow() { followed = redirect }
    }

    /// In a trace without answers, a redirect counts as followed when another object exists after it.
    ///
    /// `trace` has the events of one task, without returns of callbacks.
    init(in trace: EventList, tellsAnswers: Bool) {
        var objects: [Int: Object] = [:]
        var newest = -1
        for (place, event) in trace.enumerated() {
            let number = event.laneID.number
            switch (event.lane, event.name) {
            case (.harness, .answer) where event.argument == "follow" || event.argument == "change":
                if let number = event.object { objects[number]?.follow() }
            // The system calls these methods on the class, so they belong to no object.
            case (.proto, .pCanInit), (.proto, .pCanonical), (.proto, .pCacheEquivalent): break
            case (.proto, _), (.protocolClient, _):
                if objects[number] == nil {
                    objects[number] = Object(first: place)
                    newest = place
                }
                if event.name == .pStart { objects[number]?.isRunning = true }
                if event.name == .pStop || event.name == .pDeinit { objects[number]?.isRunning = false }
                guard event.lane == .protocolClient else { continue }
                if event.name == .redirect {
                    objects[number]?.redirect = place
                    if !tellsAnswers { objects[number]?.followed = place }
                }
            default: break
            }
        }
        var place = -1
        events = trace.selecting { event in
            place += 1
            guard event.lane == .protocolClient else { return false }
            guard let followed = objects[event.laneID.number]?.followed, newest > followed else { return true }
            return place <= followed
        }
        isRunning = objects.values.contains { $0.first == newest && $0.isRunning }
    }
}
