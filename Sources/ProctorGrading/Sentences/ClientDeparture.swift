import ProctorEvents
package import ProctorJournal

/// A client that left before a reply was whole.
package enum ClientDeparture {
    /// `the client closed the connection before the reply to the first request, GET /slow, was whole`; nil where no client did.
    package static func sentence(in entries: [JournalEntry]) -> String? {
        let record = WireRecord(entries)
        let index = record.requests.indices.first { index in
            let request = record.requests[index]
            guard !request.isReplySent, let end = record.connections[request.connection].end else { return false }
            return end.by == .client
        }
        guard let index else { return nil }
        let request = record.requests[index]
        let did = record.connections[request.connection].end?.how == .reset ? "reset" : "closed"
        let name = EventText.printable(request.symbol.argument ?? "", limit: 300)
        return "the client \(did) the connection before the reply to \(PlainSentences.owner(index)), \(name), was whole"
    }
}
