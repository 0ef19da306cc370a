import ProctorBase
import ProctorHTTP

/// Every object of a journal: its keys in the order in which they are written, with type and meaning.
///
/// The writer, the reader and the tables of Docs/journal.md are made from this list.
enum JournalTable {
    /// The events by their names.
    static let readers: [String: @Sendable (JournalFields) throws(LineFault) -> JournalEvent] = {
        var readers: [String: @Sendable (JournalFields) throws(LineFault) -> JournalEvent] = [:]
        for event in events { readers[event.name] = event.read }
        return readers
    }()

    /// The events in the order of the documentation.
    static let events: [JournalEventDescription] = [
        connectionOpened.described, clientHello.described, secured.described, handshakeFailed.described,
        alert.described, requestHead.described, routed.described, tunnelOpened.described, cookiesSet.described,
        cookiesJudged.described, requestBody.described, bytesReceived.described, bytesExpected.described,
        continueSent.described, violation.described, exchangeChosen.described, missed.described, guarded.described,
        effectPlayed.described, slicesKept.described, syncPassed.described, replyBegun.described,
        replySent.described, replyAborted.described, connectionClosed.described, boundReached.described,
        clientReached.described,
    ]

    /// What every line begins with.
    static let line = JournalShape<JournalLineStart, JournalLineStart>(
        named: "", says: "",
        fields: JournalKey.unsigned(
            "seq",
            says: "counts from 1 in each journal, without gaps; a gap means that entries were dropped, "
                + "which a line `entriesDropped` says where it can",
            of: \.sequence),
        JournalKey.unsigned(
            "ns", says: "nanoseconds of CLOCK_MONOTONIC, the same clock for every process of the machine",
            of: \.nanoseconds),
        JournalKey.text(
            "scenario", says: "whose journal the line is from",
            when: "not on the shared port's own lines (the catalogue, control calls, requests that could not be read)",
            of: \.scenario),
        JournalKey.text(
            "run", says: "the run; below the shared port the one that stands for the scenario",
            when: "where `scenario` is", of: \.run),
        JournalKey.integer(
            "connection", says: "counts from 0 in each journal", when: "not for what came by another way",
            of: \.connection),
        JournalKey.integer(
            "request", says: "counts from 0 in each journal", when: "not for what belongs to no request",
            of: \.request),
        JournalKey.text("ev", says: "what happened; the other keys depend on it", of: \.event)
    ) {
        JournalLineStart(
            sequence: $0, nanoseconds: $1, scenario: $2, run: $3, connection: $4, request: $5, event: $6)
    }

    // MARK: The client and the run

    static let boundReached = JournalShape<ReachedBound, JournalEvent>(
        named: "boundReached", says: "the client has reached a bound of the run",
        fields: JournalKey.word("of", says: "what the bound counts", of: \.kind),
        JournalKey.integer("count", says: "so many have come, which is the bound", of: \.count),
        JournalKey.text("guard", says: "the name of the guard", when: "where `of` is `refusals`", of: \.guardName),
        JournalKey.object(
            "fault", fault, says: "what was wrong with the last credential",
            when: "where `of` is `refusals` and the credential was not only too old", of: \.fault),
        JournalKey.text("text", says: "a sentence", of: \.sentence).writtenOnly
    ) { kind, count, guardName, fault, _ in
        .boundReached(ReachedBound(kind, count: count, guardName: guardName, fault: fault))
    }

    static let clientReached = JournalShape<(event: String, task: Int), JournalEvent>(
        named: "clientReached", says: "the client has reported that an event of its own came; the first 1,000 of a run",
        fields: JournalKey.text("event", says: "the event as the client reported it", of: \.event),
        JournalKey.integer("task", says: "the number of the client's task", of: \.task)
    ) { .clientReached(event: $0, task: $1) }

    // MARK: Gaps, which are no entries

    static let entriesDropped = JournalShape<Int, JournalGap>(
        named: "entriesDropped",
        says: "no entry of its own: it stands where the control API leaves some out, for they found no room in memory; "
            + "`seq` is that of the last of them",
        field: JournalKey.integer("count", says: "how many", of: { $0 })
    ) { JournalGap(count: $0) }

    static let linesLost = JournalShape<(count: Int, reason: String), JournalGap>(
        named: "linesLost",
        says: "in a file alone: lines of whatever journal could not be written; the line has no keys but these",
        fields: JournalKey.integer("count", says: "how many", of: \.count),
        JournalKey.text("reason", says: "a sentence", of: \.reason).writtenOnly
    ) { count, _ in JournalGap(count: count) }
}

/// How many entries or lines are missing where a line says so.
struct JournalGap: Sendable {
    let count: Int
}

/// What every line of a journal begins with.
struct JournalLineStart: Sendable {
    let sequence: UInt64
    let nanoseconds: UInt64
    let scenario: String?
    let run: String?
    let connection: Int?
    let request: Int?
    /// The name of the event.
    let event: String
}

/// An event without the type of its payload: what the documentation says, and how it is read back.
struct JournalEventDescription: Sendable {
    let name: String
    let says: String
    let notes: [JournalFieldNote]
    let read: @Sendable (JournalFields) throws(LineFault) -> JournalEvent
}

extension JournalShape where Output == JournalEvent {
    var described: JournalEventDescription {
        JournalEventDescription(name: name, says: says, notes: notes, read: read)
    }
}
