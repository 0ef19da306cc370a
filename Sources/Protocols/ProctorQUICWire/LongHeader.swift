internal import ProctorBase

/// The long header of one packet of version 1 (RFC 9000 §17.2), whose lengths fit; places are those in its datagram.
package struct LongHeader: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case initial, zeroRTT = "0-RTT", handshake, retry
    }

    package let kind: Kind
    package let destination: Range<Int>
    package let source: Range<Int>
    /// Empty where the packet has none.
    package let token: Range<Int>
    /// Where the packet number begins, and the text behind it; of Retry the integrity tag.
    package let protected: Range<Int>
    package let start: Int
    /// Whether the second bit is set; an end that knows that its peer permits it may clear the bit (RFC 9287 §3).
    package let hasFixedBit: Bool

    /// The whole packet.
    package var range: Range<Int> { start..<protected.upperBound }

    /// The longest connection id of version 1.
    package static let mostIDBytes = 20
    package static let version1: UInt32 = 1
    /// A packet number of four bytes at most, and the sample of the cipher behind it (RFC 9001 §5.4.2).
    static let leastProtected = 4 + 16
    /// The integrity tag of Retry (RFC 9001 §5.8).
    static let tagByteCount = 16

    /// Reads the packet behind its ids, which are known to be there.
    init(
        _ bytes: borrowing Span<UInt8>, at start: Int, _ ids: HeaderIDs
    ) throws(DatagramFault) {
        let first = bytes[start]
        hasFixedBit = first & 0x40 != 0
        guard ids.destination.count <= Self.mostIDBytes, ids.source.count <= Self.mostIDBytes else {
            throw .idTooLong
        }
        (self.start, destination, source) = (start, ids.destination, ids.source)
        var position = ids.end
        switch first >> 4 & 3 {
        case 0:
            kind = .initial
            guard let count = VariableInteger.read(bytes, at: &position) else { throw .lengthCut }
            guard count <= UInt64(bytes.count - position) else { throw .tokenBeyondEnd }
            token = position..<position + Int(count)
            position = token.upperBound
        case 1:
            kind = .zeroRTT
            token = position..<position
        case 2:
            kind = .handshake
            token = position..<position
        default:
            kind = .retry
            // The token goes to the tag at the end, and is never empty (RFC 9000 §17.2.5.2).
            guard bytes.count - position > Self.tagByteCount else { throw .retryCut }
            token = position..<bytes.count - Self.tagByteCount
            protected = token.upperBound..<bytes.count
            return
        }
        guard let count = VariableInteger.read(bytes, at: &position) else { throw .lengthCut }
        guard count <= UInt64(bytes.count - position) else { throw .lengthBeyondEnd }
        guard count >= UInt64(Self.leastProtected) else { throw .packetTooShort }
        protected = position..<position + Int(count)
    }
}

/// What the long headers of all versions have (RFC 8999 §5.1).
struct HeaderIDs: Equatable {
    let version: UInt32
    let destination: Range<Int>
    let source: Range<Int>

    var end: Int { source.upperBound }

    init(_ bytes: borrowing Span<UInt8>, at start: Int) throws(DatagramFault) {
        guard bytes.count - start >= 6 else { throw .headerCut }
        var version: UInt32 = 0
        for index in start + 1...start + 4 { version = version << 8 | UInt32(bytes[index]) }
        self.version = version
        destination = try Self.id(bytes, at: start + 5)
        source = try Self.id(bytes, at: destination.upperBound)
    }

    /// An id behind its length of one byte.
    private static func id(_ bytes: borrowing Span<UInt8>, at position: Int) throws(DatagramFault) -> Range<Int> {
        guard position < bytes.count, bytes.count - position > Int(bytes[position]) else { throw .headerCut }
        return position + 1..<position + 1 + Int(bytes[position])
    }
}
