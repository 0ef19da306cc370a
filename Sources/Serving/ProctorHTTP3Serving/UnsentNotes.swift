internal import ProctorBase
internal import ProctorJournal
internal import ProctorQUICLink

/// What the journal is to say of bytes that were queued on streams, until packets have had them; loop thread only.
struct UnsentNotes {
    private var notes: [Note] = []

    struct Note {
        let stream: UInt64
        /// What has to be sent of the stream before it is said (``SendingProgress/sent``).
        let end: Int
        /// The log of the request whose reply has ended; nil for a frame.
        var log: RequestLog?
        let event: JournalEvent
    }

    /// More room is given back once nothing waits.
    private static let keptCount = 64

    var isEmpty: Bool { notes.isEmpty }

    mutating func append(_ note: Note) { notes.append(note) }

    /// Takes out what packets have had, in its order; `progress` has the streams on which something may wait.
    mutating func takeSent(_ progress: (UInt64) -> SendingProgress?, _ body: (Note) -> Void) {
        var rest: [Note] = []
        // Notes of one stream mostly follow one another.
        var last: (stream: UInt64, sent: Int?)?
        for note in notes {
            let sent: Int?
            if let last, last.stream == note.stream {
                sent = last.sent
            } else {
                sent = progress(note.stream)?.sent
                last = (note.stream, sent)
            }
            if let sent, sent < note.end { rest.append(note) } else { body(note) }
        }
        if rest.isEmpty { notes.removeAll(keepingCapacity: notes.count <= Self.keptCount) } else { notes = rest }
    }

    /// Takes out the notes of a stream on which nothing more is sent, and tells of each whether packets have had all that it is about.
    mutating func takeAll(of stream: UInt64, at progress: SendingProgress, _ body: (Note, _ isSent: Bool) -> Void) {
        for note in notes where note.stream == stream { body(note, note.end <= progress.sent) }
        notes.removeAll { $0.stream == stream }
    }
}
