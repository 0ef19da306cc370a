internal import ProctorHTTP
package import ProctorJournal
package import ProctorReplies

/// The journals that know one connection, and its number in each; on the loop's thread only.
package final class ConnectionJournals {
    /// The one that was entered first: most connections enter no other.
    private(set) var first: Attachment?
    /// The journals that were entered later, the newest last.
    private var later: [Attachment] = []

    package init() {}

    /// An object, since each request asks for it.
    package final class Attachment {
        let journal: Journal
        /// The journal's epoch when the connection was attached; nothing is written into a later epoch.
        let epoch: Int
        let number: Int
        /// Nil where the stage keeps nothing for connections.
        let memory: ConnectionMemory?
        /// Whether the frames of HTTP/2 belong into the journal: that of the shared port is about requests, and its
        /// readers may use the port themselves.
        let takesFrames: Bool

        init(journal: Journal, epoch: Int, number: Int, memory: ConnectionMemory?, takesFrames: Bool = true) {
            (self.journal, self.epoch, self.number, self.memory) = (journal, epoch, number, memory)
            self.takesFrames = takesFrames
        }
    }

    /// The connection's number in the stage's journal, in its present epoch; nil where the connection is not attached.
    func attachment(to stage: Stage) -> Attachment? {
        let attachment = first.flatMap { first in
            first.journal === stage.journal ? first : later.first { $0.journal === stage.journal }
        }
        return attachment?.epoch == stage.epoch ? attachment : nil
    }

    /// Adds a journal; false where it replaces an earlier epoch of the same journal.
    func add(_ attachment: Attachment) -> Bool {
        guard let first else {
            first = attachment
            return true
        }
        var all = [first] + later
        let index = all.firstIndex { $0.journal === attachment.journal }
        if let index { all.remove(at: index) }
        all.append(attachment)
        self.first = all.removeFirst()
        later = all
        return index == nil
    }

    package func append(_ event: JournalEvent) {
        forEach { $0.journal.append(epoch: $0.epoch, connection: $0.number, isCopy: $1, event) }
    }

    /// With whether the event is a copy: the last journal belongs to the scenario that the client wanted, and the event
    /// is counted there.
    private func forEach(_ append: (Attachment, _ isCopy: Bool) -> Void) {
        if let first { append(first, !later.isEmpty) }
        for (index, attachment) in later.enumerated() { append(attachment, index + 1 < later.count) }
    }

    package func append(_ event: JournalEvent?) {
        if let event { append(event) }
    }

    /// Whether one of them takes frames.
    package var takesFrames: Bool { first?.takesFrames == true || later.contains(where: \.takesFrames) }

    /// Notes frames of one moment, and empties the list.
    ///
    /// `time` is that moment, in MonotonicClock nanoseconds; nil: now.
    package func appendFrames(_ events: inout JournalEvents, at time: UInt64? = nil) {
        guard !events.isEmpty else { return }
        guard later.isEmpty, let first else { return events.drain { appendFrame($0) } }
        guard first.takesFrames else { return events.removeAll() }
        first.journal.appendEvents(
            epoch: first.epoch, connection: first.number, request: nil, at: time, draining: &events)
    }

    /// Notes a frame, or the field block of some.
    package func appendFrame(_ event: JournalEvent) {
        forEach { attachment, isCopy in
            guard attachment.takesFrames else { return }
            attachment.journal.append(
                epoch: attachment.epoch, connection: attachment.number, isCopy: isCopy, event)
        }
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
        appendHead(head)
    }

    func appendHead(_ head: RequestHead) {
        append(.requestHead(head, target: head.target))
        for violation in head.violations { append(.violation(violation)) }
    }
}

extension JournalEvents {
    /// Appends the verdicts of the guards, in the order in which the guards were asked.
    package mutating func append(verdictsOf answers: GuardAnswers) {
        for verdict in answers.verdicts { append(.guarded(verdict)) }
    }
}
