internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorLoop
internal import ProctorServing

/// The frames that go out on one connection, in their order; on the loop's thread only.
final class HTTP2Output {
    private let socket: Socket
    private let bounds: ConnectionBounds
    /// Bytes that the system has not taken.
    private var pending: [UInt8] = []
    /// Bytes of frames so far, sent or pending.
    private(set) var byteCount = 0
    /// Bytes that ``write()`` sends now.
    private var writingByteCount = 0
    /// What wants to know when so many bytes have gone out, in their order.
    private var departures: [(byteCount: Int, note: () -> Void)] = []
    private(set) var isWriting = false
    /// Whether bytes wait that ``write()`` has to send.
    private(set) var needsWriter = false

    /// Streams wait while so many bytes are pending.
    private static let roomByteCount = 128 << 10
    /// More room is given back once nothing is pending.
    private static let keptByteCount = 4 << 10

    init(socket: Socket, bounds: ConnectionBounds) {
        (self.socket, self.bounds) = (socket, bounds)
    }

    /// Bytes of content that streams may add now.
    var room: Int { max(0, Self.roomByteCount - pending.count) }

    var isEmpty: Bool { pending.isEmpty }

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

    /// Appends bytes as they are.
    func append(raw bytes: [UInt8]) {
        pending += bytes
        byteCount += bytes.count
    }

    /// Gives back the room of what was sent.
    func trim() { if pending.isEmpty, !isWriting { pending = [] } }

    /// Sends what the system takes at once.
    func flush() {
        guard !isWriting, !pending.isEmpty else { return }
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

    private func noteDepartures() {
        guard !departures.isEmpty else { return }
        let sent = byteCount - pending.count - writingByteCount
        while let first = departures.first, first.byteCount <= sent {
            departures.removeFirst()
            first.note()
        }
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
            do throws(SocketError) {
                try await socket.write(bytes, within: bounds.progress)
            } catch {
                throw ConnectionEnd(error)
            }
            writingByteCount = 0
            noteDepartures()
        }
    }
}
