internal import ProctorHTTP
internal import ProctorJournal

/// The journals that know one connection, and its number in each; on the loop's thread only.
final class ConnectionJournals {
    private(set) var attachments: [Attachment] = []

    struct Attachment {
        let journal: Journal
        /// The journal's epoch when the connection was attached; nothing is written into a later epoch.
        let epoch: Int
        let number: Int
        /// Nil where the stage keeps nothing for connections.
        let memory: ConnectionMemory?
        /// Whether the frames of HTTP/2 belong into the journal: that of the shared port is about requests, and its
        /// readers may use the port themselves.
        var takesFrames = true
    }

    /// The connection's number in the stage's journal, in its present epoch; nil where the connection is not attached.
    func attachment(to stage: Stage) -> Attachment? {
        guard let attachment = attachments.first(where: { $0.journal === stage.journal }),
            attachment.epoch == stage.epoch
        else { return nil }
        return attachment
    }

    /// Adds a journal; false where it replaces an earlier epoch of the same journal.
    func add(_ attachment: Attachment) -> Bool {
        let index = attachments.firstIndex { $0.journal === attachment.journal }
        if let index { attachments.remove(at: index) }
        attachments.append(attachment)
        return index == nil
    }

    func note(_ event: JournalEvent) {
        // The last journal belongs to the scenario that the client wanted; the event is counted there.
        for (index, attachment) in attachments.enumerated() {
            attachment.journal.append(
                epoch: attachment.epoch, connection: attachment.number, isCopy: index + 1 < attachments.count, event)
        }
    }

    func note(_ event: JournalEvent?) {
        if let event { note(event) }
    }

    /// Notes a frame, or the field block of some.
    func note(frames event: JournalEvent) {
        for (index, attachment) in attachments.enumerated() where attachment.takesFrames {
            attachment.journal.append(
                epoch: attachment.epoch, connection: attachment.number, isCopy: index + 1 < attachments.count, event)
        }
    }
}

/// Events of one moment, in order; up to three of them take no allocation.
struct EventList: ~Copyable {
    private var first: JournalEvent?
    private var second: JournalEvent?
    private var third: JournalEvent?
    private var others: [JournalEvent] = []

    init(_ event: JournalEvent? = nil) {
        first = event
    }

    mutating func append(_ event: JournalEvent?) {
        guard let event else { return }
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

    /// Appends the verdicts of the guards, in the order in which the guards were asked.
    mutating func append(verdictsOf answers: GuardAnswers?) {
        guard let answers else { return }
        for verdict in answers.verdicts { append(.guarded(verdict)) }
    }

    var isEmpty: Bool { first == nil }

    /// Hands each event over, so that none is copied.
    consuming func forEach(_ body: (consuming JournalEvent) -> Void) {
        if let event = first.take() { body(event) }
        if let event = second.take() { body(event) }
        if let event = third.take() { body(event) }
        for event in others { body(event) }
    }
}

struct RequestLog {
    let journal: Journal
    let epoch: Int
    let connection: Int
    let request: Int

    func append(_ event: JournalEvent) {
        journal.append(epoch: epoch, connection: connection, request: request, event)
    }

    func append(_ events: consuming EventList) {
        if !events.isEmpty { journal.append(epoch: epoch, connection: connection, request: request, events) }
    }
}

extension RequestLog {
    init(_ stage: Stage, _ attachment: ConnectionJournals.Attachment) {
        self.init(
            journal: stage.journal, epoch: attachment.epoch, connection: attachment.number,
            request: stage.admitRequest(epoch: attachment.epoch))
    }

    init(_ stage: Stage, _ attachment: ConnectionJournals.Attachment, noting head: RequestHead) {
        self.init(stage, attachment)
        note(head)
    }

    func note(_ head: RequestHead) {
        append(.requestHead(head, target: head.target))
        for violation in head.violations { append(.violation(violation)) }
    }
}
