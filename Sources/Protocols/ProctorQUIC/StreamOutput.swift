internal import CNGTCP2
internal import ProctorQUICLink

/// What we send on one stream: bytes that wait, and bytes that the peer has not acknowledged.
///
/// ngtcp2 sends lost bytes again from where they lay, so they keep their place in memory until they are acknowledged.
final class StreamOutput {
    private(set) var stream: UInt64
    private var pieces: [Piece] = []
    /// A short piece that was acknowledged, for what is sent next.
    private var spare: Piece?
    /// The piece and the byte of it that are sent next.
    private var next = 0
    private var nextOffset = 0
    /// Offsets in the stream.
    private var acknowledged = 0
    private(set) var end = 0
    private(set) var sent = 0
    private(set) var ends = false
    private(set) var hasSentEnd = false
    /// Set while the peer's windows have no room.
    var isBlocked = false
    /// Whether the stream stands among those that have a turn.
    var isInTurn = false
    /// Set once nothing more is sent on the stream.
    var isDropped = false

    init(_ stream: UInt64) { self.stream = stream }

    /// Whether all was sent and acknowledged, so that nothing refers to its memory any more.
    var isDone: Bool { hasSentEnd && acknowledged == end && pieces.isEmpty && !isInTurn }

    /// Serves another stream, once it ``isDone``.
    func serve(_ stream: UInt64) {
        self.stream = stream
        (next, nextOffset, acknowledged, end, sent) = (0, 0, 0, 0, 0)
        (ends, hasSentEnd, isBlocked, isDropped) = (false, false, false, false)
    }

    /// Bytes in one allocation, which never move.
    @safe private struct Piece {
        private let buffer: ManagedBuffer<Int, UInt8>
        private let capacity: Int
        /// The offset in the stream behind the last byte.
        private(set) var end: Int

        /// Short ones have room for what is sent behind them.
        static let leastCapacity = 200

        /// Room for so many bytes, the first of which stands at an offset in the stream.
        init(capacity: Int, at offset: Int) {
            self.capacity = max(capacity, Self.leastCapacity)
            buffer = .create(minimumCapacity: self.capacity) { _ in 0 }
            end = offset
        }

        /// Makes a piece for other bytes in the memory of a former one.
        init(_ former: Piece, at offset: Int) {
            self = former
            buffer.header = 0
            end = offset
        }

        var isShort: Bool { capacity == Self.leastCapacity }

        func hasRoom(for byteCount: Int) -> Bool { byteCount <= capacity - count }

        /// The caller has looked that there is room.
        mutating func append(_ given: UnsafeBufferPointer<UInt8>) {
            guard let first = given.baseAddress else { return }
            let count = count
            unsafe buffer.withUnsafeMutablePointerToElements { start in
                unsafe (start + count).update(from: first, count: given.count)
            }
            buffer.header = count + given.count
            end += given.count
        }

        var count: Int { buffer.header }

        /// Good as long as the piece is.
        var start: UnsafeMutablePointer<UInt8> { unsafe buffer.withUnsafeMutablePointerToElements { unsafe $0 } }
    }

    /// Bytes that no packet has had yet.
    var unsentByteCount: Int { end - sent }

    var hasUnsent: Bool { sent < end || ends && !hasSentEnd }

    var progress: SendingProgress {
        SendingProgress(queuedByteCount: end, sentByteCount: sent, ends: ends, hasSentEnd: hasSentEnd)
    }

    /// Bytes in memory.
    var byteCount: Int { end - acknowledged }

    var hasWork: Bool { !isBlocked && !isDropped && hasUnsent }

    /// Returns the count of bytes that wait now besides those before.
    func append(_ head: [UInt8], _ content: ArraySlice<UInt8>, ends: Bool) -> Int {
        guard !self.ends else { return 0 }
        self.ends = ends
        let byteCount = head.count + content.count
        guard byteCount > 0 else { return 0 }
        // One that was sent whole may be gone as soon as it is acknowledged.
        if next == pieces.count || !pieces[pieces.count - 1].hasRoom(for: byteCount) {
            pieces.append(makePiece(byteCount))
        }
        let last = pieces.count - 1
        unsafe head.withUnsafeBufferPointer { unsafe pieces[last].append($0) }
        unsafe content.withUnsafeBufferPointer { unsafe pieces[last].append($0) }
        end += byteCount
        return byteCount
    }

    private func makePiece(_ byteCount: Int) -> Piece {
        guard byteCount <= Piece.leastCapacity, let former = spare.take() else {
            return Piece(capacity: byteCount, at: end)
        }
        return Piece(former, at: end)
    }

    /// Lends the bytes that are sent next, of a few pieces; and whether FIN is behind them.
    func withNext<Result>(_ body: (UnsafeBufferPointer<ngtcp2_vec>, Bool) -> Result) -> Result {
        let count = min(pieces.count - next, Self.mostVectors)
        return unsafe withUnsafeTemporaryAllocation(of: ngtcp2_vec.self, capacity: count) { vectors in
            var offset = nextOffset
            for index in 0..<count {
                let piece = pieces[next + index]
                let vector = unsafe ngtcp2_vec(base: piece.start + offset, len: piece.count - offset)
                unsafe vectors.initializeElement(at: index, to: vector)
                offset = 0
            }
            return unsafe body(UnsafeBufferPointer(vectors), ends && pieces.count - next == count)
        }
    }

    private static let mostVectors = 16

    /// Called when the first bytes that ``withNext(_:)`` lent were put into a packet.
    func advance(_ count: Int, withEnd: Bool) {
        sent += count
        if withEnd, sent == end { hasSentEnd = true }
        var rest = count
        while rest > 0, next < pieces.count {
            let left = pieces[next].count - nextOffset
            if rest < left {
                nextOffset += rest
                return
            }
            rest -= left
            next += 1
            nextOffset = 0
        }
    }

    /// Called when all bytes before this offset were acknowledged.
    func acknowledge(upTo offset: Int) {
        acknowledged = max(acknowledged, min(offset, sent))
        var count = 0
        while count < next, pieces[count].end <= acknowledged { count += 1 }
        guard count > 0 else { return }
        if pieces[0].isShort { spare = pieces[0] }
        pieces.removeFirst(count)
        next -= count
    }
}

/// The streams of a connection that have something to send, in turn.
struct SendingTurns {
    /// Streams whose room stays when none is left.
    private static let keptRoom = 32
    private var streams: [StreamOutput] = []
    private var start = 0

    var first: StreamOutput? { start < streams.count ? streams[start] : nil }

    mutating func append(_ stream: StreamOutput) { streams.append(stream) }

    mutating func removeFirst() {
        start += 1
        if start == streams.count {
            streams.removeAll(keepingCapacity: streams.capacity <= Self.keptRoom)
            start = 0
            return
        }
        // Half of the room is enough for those that had their turn.
        guard start * 2 >= streams.count else { return }
        streams.removeFirst(start)
        start = 0
    }
}
