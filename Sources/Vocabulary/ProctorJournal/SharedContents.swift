import ProctorBase

/// The content of one journal that several lines have, as they are read.
struct SharedContents {
    /// The replies that have content, by the sequence number of the first line that has it.
    private var replies: [Int: SentReply] = [:]

    /// The entry with its content, where its line names the one that has it.
    ///
    /// Where lines are missing the content may be unknown; otherwise a line that is not there is a fault.
    mutating func complete(_ entry: JournalEntry, mayLackLines: Bool) throws(LineFault) -> JournalEntry {
        guard case .replyBegun(let reply) = entry.event else { return entry }
        guard let number = reply.contentOf else {
            if reply.isShared, let number = Int(exactly: entry.sequence) { replies[number] = reply }
            return entry
        }
        let known = replies[number]
        guard known != nil || mayLackLines else {
            throw LineFault(
                0,
                "'contentOf' names the line with \"seq\":\(number), which does not stand before: give the journal whole"
            )
        }
        return JournalEntry(
            sequence: entry.sequence, nanoseconds: entry.nanoseconds, connection: entry.connection,
            request: entry.request, event: .replyBegun(reply.having(contentOf: known)))
    }
}

/// The content of replies in the lines of one text, as they are written.
package struct WrittenContents {
    private var entries: [ObjectIdentifier: UInt64] = [:]

    package init() {}

    /// The entry as its line says it: naming the line that has its content, where one stands before.
    ///
    /// The replies have to live as long as this value.
    package mutating func shortened(_ entry: JournalEntry) -> JournalEntry {
        guard case .replyBegun(let reply) = entry.event, reply.isShared else { return entry }
        if let sequence = entries[ObjectIdentifier(reply)] { return entry.naming(contentOf: sequence, reply) }
        entries[ObjectIdentifier(reply)] = entry.sequence
        return entry
    }
}

extension JournalEntry {
    fileprivate func naming(contentOf number: UInt64, _ reply: SentReply) -> JournalEntry {
        JournalEntry(
            sequence: sequence, nanoseconds: nanoseconds, connection: connection, request: request,
            event: .replyBegun(reply.naming(contentOf: number)))
    }
}
