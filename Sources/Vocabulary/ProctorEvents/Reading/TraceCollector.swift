package import ProctorBase

/// Collects the events of a trace as its bytes come; how they were cut into pieces makes no difference.
package struct TraceCollector {
    package private(set) var reader: TraceReader
    private var events: [TraceEvent] = []
    /// Indexes of events whose family a later line may say.
    private var open: [Int] = []
    /// The last event of each name, with which the next one shares what both have.
    private var latest = [TraceEvent?](repeating: nil, count: EventName.allCases.count)
    private var keepsEvents = true

    /// `isStrict` also refuses what the author of an adapter has misspelt: facts, types of facts, names of errors.
    package init(file: String = "trace", isStrict: Bool = false) {
        reader = TraceReader(file: file, isStrict: isStrict)
    }

    /// Takes bytes of `input` from `offset` on, up to the end of the next event's line; nil when all are taken.
    package mutating func next(
        _ input: Span<UInt8>, at offset: inout Int
    ) throws(TraceReadingError) -> TraceEvent? {
        guard let event = try reader.next(input, at: &offset) else { return nil }
        store(event)
        return event
    }

    /// Reads all bytes of a piece of the file, up to the first line that is no event.
    ///
    /// Each event is a step of `budget`, and each 64 bytes; throws ``TraceReadingError`` or `SpentBudget`.
    package mutating func read(_ input: Span<UInt8>, within budget: WorkBudget) throws {
        try budget.spend(input.count / 64)
        var offset = 0
        while try next(input, at: &offset) != nil { try budget.spend() }
    }

    /// Frees the events so far, and keeps no later one.
    package mutating func discardEvents() {
        (events, open, latest, keepsEvents) = ([], [], [], false)
    }

    /// The whole trace, once no more bytes follow; the last line may lack its line feed.
    package mutating func finish() throws(TraceReadingError) -> Trace {
        if let event = try reader.finish() { store(event) }
        for index in open { events[index].family = reader.families.family(of: events[index]) }
        return Trace(events, of: reader)
    }

    private mutating func store(_ event: TraceEvent) {
        guard keepsEvents else { return }
        var event = event
        if let last = latest[event.name.ordinal] { event.shareDetails(with: last) }
        latest[event.name.ordinal] = event
        if reader.isLastFamilyOpen { open.append(events.count) }
        events.append(event)
    }
}
