/// Events of one moment, in order; up to three of them take no allocation.
package struct JournalEvents: ~Copyable {
    private var first: JournalEvent?
    private var second: JournalEvent?
    private var third: JournalEvent?
    private var others: [JournalEvent] = []

    package init(_ event: JournalEvent? = nil) {
        first = event
    }

    package mutating func append(_ event: consuming JournalEvent) {
        if first == nil {
            first = event
        } else if second == nil {
            second = event
        } else if third == nil {
            third = event
        } else {
            others.append(event)
        }
    }

    package var isEmpty: Bool { first == nil }

    /// The events, which stay in the list.
    var copies: [JournalEvent] { [first, second, third].compactMap(\.self) + others }

    /// Hands each event over, so that none is copied, and empties the list.
    package mutating func drain(_ body: (consuming JournalEvent) -> Void) {
        if let event = first.take() { body(event) }
        if let event = second.take() { body(event) }
        if let event = third.take() { body(event) }
        guard !others.isEmpty else { return }
        for event in others { body(event) }
        others = []
    }

    package mutating func removeAll() { drain { _ in } }
}

/// Writes into a journal what concerns one request.
package struct RequestLog {
    package let journal: Journal
    package let epoch: Int
    package let connection: Int
    package let request: Int

    package init(journal: Journal, epoch: Int, connection: Int, request: Int) {
        (self.journal, self.epoch, self.connection, self.request) = (journal, epoch, connection, request)
    }

    package func append(_ event: JournalEvent) {
        journal.append(epoch: epoch, connection: connection, request: request, event)
    }

    package func append(_ events: consuming JournalEvents) {
        var events = events
        appendEvents(draining: &events)
    }

    /// Appends the events of a list, which is empty then.
    package func appendEvents(draining events: inout JournalEvents) {
        guard !events.isEmpty else { return }
        journal.appendEvents(epoch: epoch, connection: connection, request: request, draining: &events)
    }
}
