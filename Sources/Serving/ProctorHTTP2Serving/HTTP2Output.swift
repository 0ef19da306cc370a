internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorServing

/// The frames that go out on one connection, in their order; on the loop's thread only.
final class HTTP2Output {
    private let socket: Socket
    private let bounds: ConnectionBounds
    private let journals: ConnectionJournals
    /// Bytes that the system has not taken.
    private var pending: [UInt8] = []
    /// Bytes of frames so far, sent or pending.
    private(set) var byteCount = 0
    /// Bytes that ``write()`` sends now, or could not send.
    private var writingByteCount = 0
    /// What the journal is to say of bytes that the system has not taken.
    private var unsent: [Note] = []
    /// When the system was last given bytes, in MonotonicClock nanoseconds.
    private var writingBegan: UInt64 = 0
    /// What wants to know when so many bytes have gone out, in their order.
    private var departures: [(byteCount: Int, note: () -> Void)] = []
    private(set) var isWriting = false
    /// Whether bytes wait that ``write()`` has to send.
    private(set) var needsWriter = false

    /// Streams wait while so many bytes are pending.
    private static let roomByteCount = 128 << 10
    /// More room is given back once nothing is pending.
    private static let keptByteCount = 4 << 10
    private static let keptNoteCount = 64

    /// Bytes of one stream, or 0, and what is to be said once the system has taken them.
    struct Note {
        let stream: UInt32
        let bytes: Range<Int>
        /// The log of the request whose reply has ended; nil for a frame.
        var log: RequestLog?
        /// nil for a frame without an entry of its own.
        var event: JournalEvent?
    }

    init(socket: Socket, bounds: ConnectionBounds, journals: ConnectionJournals) {
        (self.socket, self.bounds, self.journals) = (socket, bounds, journals)
    }

    /// Bytes of content that streams may add now.
    var room: Int { max(0, Self.roomByteCount - pending.count) }

    var isEmpty: Bool { pending.isEmpty }

    private var sentByteCount: Int { byteCount - pending.count - writingByteCount }

    /// `statedByteCount` stands in its head in place of the length of its payload.
    func append(_ frame: Frame, statedByteCount: Int? = nil) {
        let before = pending.count
        FrameWriter.append(frame, statedByteCount: statedByteCount, to: &pending)
        byteCount += pending.count - before
    }

    /// Appends a DATA frame.
    func appendData(_ content: ArraySlice<UInt8>, on stream: UInt32, endsStream: Bool) {
        FrameWriter.appendData(content, on: stream, endsStream: endsStream, to: &pending)
        byteCount += Frame.headByteCount + content.count
    }

    /// Appends HEADERS with a whole field block.
    func appendHeaders(_ block: [UInt8], on stream: UInt32, endsStream: Bool) {
        FrameWriter.appendHeaders(block, on: stream, endsStream: endsStream, to: &pending)
        byteCount += Frame.headByteCount + block.count
    }

    /// Appends bytes as they are.
    func append(raw bytes: [UInt8]) {
        pending += bytes
        byteCount += bytes.count
    }

    /// Gives back the room of what was sent, and of its notes.
    func trim() {
        if pending.isEmpty, !isWriting { pending = [] }
        if unsent.isEmpty { unsent = [] }
    }

    /// Sends what the system takes at once.
    func flush() {
        guard !isWriting, !pending.isEmpty else { return }
        beginWriting()
        let count = socket.writeAtOnce(pending)
        drop(count)
        needsWriter = !pending.isEmpty
    }

    /// Lets ``write()`` be called, though nothing is pending: more is written than one turn of the loop sends.
    func requestWriter() { if !isWriting { needsWriter = true } }

    /// Calls `note` when the system has taken all bytes so far; never where the connection ends before.
    func whenSent(_ note: @escaping () -> Void) {
        departures.append((byteCount, note))
        noteDepartures()
    }

    /// What is noted has the time before the system took it: the client may act on it before the note is made.
    private func beginWriting() { if !unsent.isEmpty { writingBegan = MonotonicClock.nanoseconds } }

    private func noteDepartures() {
        if !unsent.isEmpty { noteSent() }
        guard !departures.isEmpty else { return }
        let sent = sentByteCount
        while let first = departures.first, first.byteCount <= sent {
            departures.removeFirst()
            first.note()
        }
    }

    // MARK: The journal

    /// Notes what was appended from `start` on once the system has taken it; nil counts the bytes alone.
    func keepNote(_ event: JournalEvent?, of stream: UInt32, from start: Int) {
        if sentByteCount < byteCount {
            unsent.append(Note(stream: stream, bytes: start..<byteCount, event: event))
        } else if let event {
            journals.appendFrame(event)
        }
    }

    /// Keeps the end of a reply until the system has taken all bytes so far; false where it has.
    func keepEnd(_ end: JournalEvent, of stream: UInt32, _ log: RequestLog) -> Bool {
        guard sentByteCount < byteCount else { return false }
        unsent.append(Note(stream: stream, bytes: byteCount..<byteCount, log: log, event: end))
        return true
    }

    private func noteSent() {
        let sent = sentByteCount
        var events = JournalEvents()
        var count = 0
        while count < unsent.count, unsent[count].bytes.upperBound <= sent {
            let note = unsent[count]
            count += 1
            guard let event = note.event else { continue }
            guard let log = note.log else {
                events.append(event)
                continue
            }
            journals.appendFrames(&events, at: writingBegan)
            log.append(event)
        }
        journals.appendFrames(&events, at: writingBegan)
        if count < unsent.count {
            unsent.removeFirst(count)
        } else {
            unsent.removeAll(keepingCapacity: count <= Self.keptNoteCount)
        }
    }

    /// Takes out what is left where nothing more is sent: for each note how many of its bytes the system has not taken.
    func takeUnsent() -> [(note: Note, byteCount: Int)] {
        let sent = sentByteCount
        defer { unsent = [] }
        return unsent.map { ($0, max(0, $0.bytes.upperBound - max($0.bytes.lowerBound, sent))) }
    }

    private func drop(_ count: Int) {
        defer { noteDepartures() }
        guard count < pending.count else {
            if pending.capacity > Self.keptByteCount { pending = [] } else { pending.removeAll(keepingCapacity: true) }
            return
        }
        pending.removeFirst(count)
    }

    /// Sends all that is pending, and what comes meanwhile; returns at once where another task does so.
    func write() async throws(ConnectionEnd) {
        guard !isWriting else { return }
        isWriting = true
        needsWriter = false
        defer { isWriting = false }
        while !pending.isEmpty {
            let bytes = pending
            pending = []
            writingByteCount = bytes.count
            while writingByteCount > 0 {
                beginWriting()
                do throws(SocketError) {
                    writingByteCount -= try await socket.writeSome(
                        bytes, from: bytes.count - writingByteCount, within: bounds.progress)
                } catch {
                    throw ConnectionEnd(error)
                }
                noteDepartures()
            }
        }
    }
}
