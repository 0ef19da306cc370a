import ProctorBase

/// Collects the events of a trace as its bytes come; how they were cut into pieces makes no difference.
package struct TraceCollector {
    package private(set) var reader: TraceReader
    private var events: [TraceEvent] = []
    /// Indexes of events whose family a later line may say.
    private var open: [Int] = []
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
        keep(event)
        return event
    }

    /// Frees the events so far, and keeps no later one.
    package mutating func discardEvents() {
        (events, open, keepsEvents) = ([], [], false)
    }

    /// The whole trace, once no more bytes follow; the last line may lack its line feed.
    package consuming func finish() throws(TraceReadingError) -> Trace {
        if let event = try reader.end() { keep(event) }
        for index in open { events[index].family = reader.families.family(of: events[index]) }
        return Trace(events, of: reader)
    }

    private mutating func keep(_ event: TraceEvent) {
        guard keepsEvents else { return }
        if reader.isLastFamilyOpen { open.append(events.count) }
        events.append(event)
    }
}
