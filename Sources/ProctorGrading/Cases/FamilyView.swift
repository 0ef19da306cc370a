import ProctorEvents
import ProctorNotation
import ProctorRules
import ProctorScenario

/// The lane of one family, as it is held against an expression that is written once for several families.
///
/// `task:` is written as a URLSession task brings it, `download:` as its download tasks do. What another family tells
/// besides is taken out unless the expression names it; what it has no call for, or may leave unsaid, counts as seen.
struct FamilyView {
    let family: CallbackFamily
    /// All events of the lane.
    let events: [TraceEvent]
    /// Whether the load was cancelled and need not say so.
    let isSilent: Bool
    /// Events that are taken out before an expression is matched, unless it names them.
    private let ignored: [String]
    /// Events that the family has no call for.
    private let unreported: Set<String>
    /// Events that the family may leave out at the end of such a lane.
    private let unsaid: [TraceEventSymbol]
    /// Whether this client cannot report an event here, so that it counts as seen.
    var isUntold: (NotationSymbol) -> Bool = { _ in false }

    /// The view of a lane that has an expression of its own: nothing but `ignored` is taken out, and nothing counts as seen.
    init(own events: [TraceEvent], of family: CallbackFamily, ignoring ignored: [String]) {
        self.family = family
        self.events = events
        self.ignored = ignored
        isSilent = false
        unreported = []
        unsaid = []
    }

    /// The view of a load; `isCancelled`: the family need not say how it ended.
    init(load events: [TraceEvent], of family: CallbackFamily, ignoring ignored: [String], isCancelled: Bool) {
        self.family = family
        self.events = events
        self.ignored = ignored + family.besides.map(\.rawValue)
        unreported = family.unreported
        isSilent = family.isOfOtherAPI && isCancelled && !events.contains { family.isEnded(by: $0.name) }
        if isSilent {
            unsaid = [.cancelled]
        } else if family == .connectionDownload, events.contains(where: { $0.name == .fileReady }) {
            // The file is the end there.
            unsaid = [.finished]
        } else if family == .download, events.contains(where: { $0.symbol == .finished }) {
            // The end stands for the file.
            unsaid = [TraceEventSymbol(EventName.fileReady.rawValue)]
        } else {
            unsaid = []
        }
    }

    /// nil when the lane satisfies the expression.
    func diagnosis(of notation: Notation, ambient: Notation?) -> NotationDiagnosis? {
        notation.allowingAbsence(of: mayBeMissing).diagnosis(
            of: events.lazy.map(\.symbol), ambient: ambient?.allowingAbsence(of: mayBeMissing),
            terminals: CaseGrading.terminals(of: family), ignoring: ignored)
    }

    private func mayBeMissing(_ symbol: NotationSymbol) -> Bool {
        unreported.contains(symbol.name) || isUntold(symbol) || unsaid.contains { symbol.matches($0) }
    }

    /// Why no lane of the family could satisfy the expression, half a sentence; nil when one can.
    func reasonNotToJudge(_ notation: Notation) -> String? {
        let foreign = family.foreign
        guard !notation.isPossible(without: foreign) else { return nil }
        let names = notation.eventNames.intersection(foreign).sorted().joined(separator: ", ")
        return "the trace is of \(family.noun), which has no \(names)"
    }
}

extension TraceEventSymbol {
    /// How a load ends that the test cancelled.
    static let cancelled = TraceEventSymbol(EventName.complete.rawValue, "cancelled")
    /// How a load ends that went well.
    static let finished = TraceEventSymbol(EventName.complete.rawValue, "ok")
}

extension CallbackFamily {
    /// What the family tells beside the events that expressions for several families speak of.
    ///
    /// How often a request is rewritten or a question of old asked is never asserted (R7, R19), nor what only
    /// NSURLDownload asks about its file (R37).
    var besides: [EventName] {
        switch self {
        case .connection, .connectionDownload: [.canonicalize, .askCanAuth, .askCredStore, .challengeCancelled]
        case .download:
            [
                .canonicalize, .askCanAuth, .askCredStore, .challengeCancelled, .downloadBegin, .response,
                .shouldDecode, .destination, .destinationCreated,
            ]
        case .urlProtocol: [.canonicalize, .challengeCancelled, .cacheValidated]
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream, .proto: []
        }
    }

    /// What happens beside a load and the family has no call for; an expression may name it all the same.
    var unreported: Set<String> { isOfOtherAPI ? Self.beside.subtracting(alphabet) : [] }

    /// What belongs to a load of another kind, so that an expression which needs it cannot be asked of the family.
    fileprivate var foreign: Set<String> {
        guard isOfOtherAPI else { return [] }
        let known = alphabet.union(Self.beside).union(self == .download ? [EventName.fileReady.rawValue] : [])
        return Set(EventName.allCases.map(\.rawValue)).subtracting(known)
    }

    /// Whether expressions are written for another API.
    fileprivate var isOfOtherAPI: Bool {
        self == .connection || self == .connectionDownload || self == .download || self == .urlProtocol
    }

    private static let beside = Set(
        [
            EventName.created, .delayed, .waiting, .needBodyStream, .bodySent, .informational, .willCache, .progress,
            .metrics,
        ].map(\.rawValue))

    /// The names of events in the grammar of the family.
    private var alphabet: Set<String> {
        guard let grammar else { return [] }
        return grammar.notation.eventNames.union(grammar.ambient?.eventNames ?? [])
    }

    /// What a trace of the family is a trace of, for a person.
    var noun: String {
        switch self {
        case .sessionData, .sessionBackground: "a task with a delegate"
        case .sessionDownload: "a download"
        case .sessionHandler: "a task with a handler"
        case .connection: "an NSURLConnection"
        case .connectionDownload: "a download of NSURLConnection"
        case .download: "an NSURLDownload"
        case .urlProtocol: "a URLProtocol"
        case .proto: "the life of a URLProtocol"
        case .webSocket: "a WebSocket task"
        case .stream: "a stream task"
        }
    }
}
