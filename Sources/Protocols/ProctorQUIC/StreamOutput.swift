internal import CNGTCP2

/// What we send on one stream: bytes that wait, and bytes that the peer has not acknowledged.
///
/// ngtcp2 sends lost bytes again from where they lay, so they keep their place in memory until they are acknowledged.
struct StreamOutput {
    private var pieces: [Piece] = []
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

    @safe private final class Piece {
        let bytes: UnsafeMutableBufferPointer<UInt8>
        /// The offset in the stream behind the last byte.
        let end: Int

        init(_ given: [UInt8], end: Int) {
            unsafe bytes = .allocate(capacity: given.count)
            unsafe _ = bytes.initialize(fromContentsOf: given)
            self.end = end
        }

        deinit { unsafe bytes.deallocate() }
    }

    /// Bytes in memory.
    var byteCount: Int { end - acknowledged }

    var hasWork: Bool { !isBlocked && (sent < end || ends && !hasSentEnd) }

    mutating func append(_ bytes: [UInt8], ends: Bool) {
        guard !self.ends else { return }
        self.ends = ends
        guard !bytes.isEmpty else { return }
        end += bytes.count
        pieces.append(Piece(bytes, end: end))
    }

    /// Lends the bytes that are sent next, of a few pieces; and whether FIN is behind them.
    func withNext<Result>(_ body: ([ngtcp2_vec], Bool) -> Result) -> Result {
        var vectors: [ngtcp2_vec] = unsafe []
        var offset = nextOffset
        for piece in pieces[next...].prefix(Self.mostVectors) {
            unsafe vectors.append(
                ngtcp2_vec(
                    base: piece.bytes.baseAddress.map { unsafe $0 + offset }, len: piece.bytes.count - offset))
            offset = 0
        }
        return unsafe body(vectors, ends && pieces.count - next <= Self.mostVectors)
    }

    private static let mostVectors = 16

    /// Called when the first bytes that ``withNext(_:)`` lent were put into a packet.
    mutating func advance(_ count: Int, withEnd: Bool) {
        sent += count
        if withEnd, sent == end { hasSentEnd = true }
        var rest = count
        while rest > 0, next < pieces.count {
            let left = unsafe pieces[next].bytes.count - nextOffset
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
    mutating func acknowledge(upTo offset: Int) {
        acknowledged = max(acknowledged, min(offset, sent))
        let count = pieces.prefix(next).prefix { $0.end <= acknowledged }.count
        guard count > 0 else { return }
        pieces.removeFirst(count)
        next -= count
    }
}
