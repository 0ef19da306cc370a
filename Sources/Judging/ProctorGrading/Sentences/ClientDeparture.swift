import ProctorEvents
package import ProctorJournal

/// Finds a client that closed its connection before a reply was complete.
package enum ClientDeparture {
    /// `the client closed the connection before the reply to the first request, GET /slow, was whole`; nil where no
    /// client did.
    package static func sentence(in entries: [JournalEntry]) -> String? {
        let record = WireRecord(entries)
        let left = record.exchanges.first { exchange in
            !exchange.isReplySent && record.connections[exchange.connection].end?.by == .client
        }
        return left.map { exchange in
            let did = record.connections[exchange.connection].end?.how == .reset ? "reset" : "closed"
            let name = EventText.printable(exchange.name, limit: 300)
            let owner = PlainSentences.owner(exchange.number)
            return "the client \(did) the connection before the reply to \(owner), \(name), was whole"
        }
    }
}
