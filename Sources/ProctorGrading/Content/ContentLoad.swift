import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// One load: what its callbacks said, and the requests and replies that it was made of.
struct ContentLoad {
    let number: Int
    /// nil where the case has no step of that number.
    let program: ClientProgram?
    let family: CallbackFamily
    /// Whether an answer may come from a cache.
    let hasCache: Bool
    /// Whether any event may be missing, so that nothing can be summed up.
    let isPartial: Bool
    /// Whether Foundation's documents say what its callbacks and results hold.
    let isOfFoundation: Bool
    /// Whether the client tells of `data` at all.
    let tellsData: Bool
    /// The client's own name for `http`; nil: `http`.
    let ownScheme: String?
    /// Callbacks, answers and the `result`, in order; no exits.
    private(set) var events: [TraceEvent] = []
    /// The exchanges of the load in the order of their requests; empty where it cannot be told which are of this load.
    private(set) var exchanges: [ContentExchange] = []
    /// Whether ``exchanges`` are all there were.
    private(set) var knowsWire = true
    /// For each event the count of exchanges that had begun before it; nil where client and server have no common clock.
    private var begun: [Int]? = []

    init(_ number: Int, _ grading: CaseGrading) {
        self.number = number
        let steps = grading.item.client
        program = steps.indices.contains(number) ? steps[number] : nil
        family = grading.family(ofStep: number)
        hasCache = steps.first?.session?.cache != nil
        ownScheme = steps.first?.session?.scheme
        isPartial = grading.evidence.isPartial
        isOfFoundation = grading.evidence.reportsLoads || grading.abilities.include(.foundation)
        let isUntold = grading.never.contains { $0.covers(TraceEventSymbol(EventName.data.rawValue)) }
        tellsData =
            !isUntold
            && (grading.evidence.reportedLanes != nil || grading.trace.events.contains { $0.name == .data })
    }

    mutating func take(_ event: TraceEvent) {
        events.append(event)
        begun?.append(exchanges.count)
    }

    mutating func take(_ exchange: ContentExchange) { exchanges.append(exchange) }

    mutating func takeUnordered(_ all: [ContentExchange]) {
        exchanges = all
        begun = nil
    }

    mutating func forgetWire() {
        exchanges = []
        knowsWire = false
    }

    // MARK: Which reply an event is about

    /// The last exchange that had begun before the event; without a common clock the only one there is.
    func exchange(
        before index: Int, where isMeant: (ContentExchange) -> Bool = { !$0.isTunnel }
    ) -> ContentExchange? {
        guard knowsWire else { return nil }
        guard let begun else {
            let meant = exchanges.filter(isMeant)
            return meant.count == 1 ? meant.first : nil
        }
        return exchanges[..<begun[index]].last(where: isMeant)
    }

    /// The same where its final reply has that status; without a common clock the only one that has it.
    func exchange(before index: Int, status: Int) -> ContentExchange? {
        if begun != nil {
            return exchange(before: index).flatMap { $0.status == status ? $0 : nil }
        }
        return exchange(before: index) { !$0.isTunnel && $0.status == status }
    }

    /// Exchanges that had begun before the event; nil where that cannot be told.
    func exchangesBegun(before index: Int) -> ArraySlice<ContentExchange>? {
        guard knowsWire, let begun else { return nil }
        return exchanges[..<begun[index]]
    }

    /// All exchanges of the load that carry content; nil where that cannot be told.
    var uploads: [ContentExchange]? {
        knowsWire ? exchanges.filter { !$0.isTunnel && $0.request.head.framing != .none } : nil
    }

    /// Whether a reply of that status may have come to the load by another way than the last exchange.
    func mayHave(status: Int) -> Bool {
        hasCache || 100..<200 ~= status
            || exchanges.contains { $0.status == nil || $0.status == status || $0.status == 304 }
    }

    /// Whether any reply of that status was begun for the load; true also where that is not known.
    func hadReply(status: Int) -> Bool {
        guard knowsWire, !hasCache, !exchanges.isEmpty else { return true }
        return exchanges.contains { exchange in
            // The server's own pages stand in the journal by their status alone.
            exchange.request.status == status || exchange.request.interim.contains { $0.status == status }
                || exchange.reply.map { $0.status == nil || $0.status == status || $0.status == 304 } ?? false
        }
    }

    /// Whether the program, or the answer to a question, cancelled the load before the event.
    func isCancelled(before index: Int) -> Bool {
        events[..<index].contains { event in
            event.lane == .harness && (event.name == .cancel || event.name == .answer && event.argument == "cancel")
        }
    }

    /// Whether the program itself gives the request a field of that name.
    func sets(_ name: String) -> Bool {
        program?.headers.contains { HTTPField(name: name, bytes: []).isNamed(String(decoding: $0.name, as: UTF8.self)) }
            ?? false
    }
}
