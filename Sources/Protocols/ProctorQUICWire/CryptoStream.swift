/// The bytes of CRYPTO frames of one level, put in order (RFC 9000 §19.6), within bounds.
package struct CryptoStream: Sendable {
    /// What has come without a gap.
    package private(set) var bytes: [UInt8] = []
    /// What has come behind a gap: in order, apart from one another.
    private var waiting: [Piece] = []

    fileprivate struct Piece {
        let offset: Int
        var bytes: ArraySlice<UInt8>

        var end: Int { offset + bytes.count }
    }

    /// A ClientHello of more bytes is refused; ones with keys that resist quantum computers have some 1,800.
    package static let mostBytes = 32 << 10
    /// So many pieces may stand behind gaps; a client that mixes its frames on purpose has some 20.
    static let mostPieces = 128

    package init() {}

    /// Whether nothing waits behind a gap.
    package var hasNoGap: Bool { waiting.isEmpty }

    /// Takes the bytes of a frame; returns whether any of them are new.
    ///
    /// Bytes that came before must be the same again: otherwise two readers could read two messages.
    package mutating func insert(_ new: ArraySlice<UInt8>, at offset: UInt64) throws(OpeningFault) -> Bool {
        guard offset <= UInt64(Self.mostBytes), new.count <= Self.mostBytes - Int(offset) else {
            throw .cryptoBuffer("CRYPTO goes beyond \(Self.mostBytes) bytes", "RFC 9000 §7.5")
        }
        var piece = Piece(offset: Int(offset), bytes: new)
        try Self.compare(piece, with: Piece(offset: 0, bytes: bytes[...]))
        if piece.offset < bytes.count { piece = piece.dropping(bytes.count - piece.offset) }
        guard !piece.bytes.isEmpty else { return false }
        let hasNew = try insertWaiting(piece)
        joinWaiting()
        return hasNew
    }

    /// Adds what is new in a piece to those that wait.
    private mutating func insertWaiting(_ piece: Piece) throws(OpeningFault) -> Bool {
        var rest = piece
        var hasNew = false
        var index = waiting.firstIndex { $0.end > rest.offset } ?? waiting.count
        while !rest.bytes.isEmpty {
            guard index < waiting.count, waiting[index].offset < rest.end else {
                hasNew = true
                waiting.insert(rest, at: index)
                break
            }
            let known = waiting[index]
            try Self.compare(rest, with: known)
            if rest.offset < known.offset {
                hasNew = true
                waiting.insert(
                    Piece(offset: rest.offset, bytes: rest.bytes.prefix(known.offset - rest.offset)), at: index)
                index += 1
            }
            rest = rest.dropping(min(rest.bytes.count, known.end - rest.offset))
            index += 1
        }
        guard waiting.count <= Self.mostPieces else {
            throw .cryptoBuffer("more than \(Self.mostPieces) pieces of CRYPTO wait for others", "RFC 9000 §7.5")
        }
        return hasNew
    }

    /// Moves to ``bytes`` what follows them.
    private mutating func joinWaiting() {
        var joined = 0
        while joined < waiting.count, waiting[joined].offset == bytes.count {
            bytes += waiting[joined].bytes
            joined += 1
        }
        if joined > 0 { waiting.removeFirst(joined) }
    }

    /// Throws where two pieces have other bytes at the same place.
    private static func compare(_ one: Piece, with other: Piece) throws(OpeningFault) {
        let (start, end) = (max(one.offset, other.offset), min(one.end, other.end))
        guard start < end else { return }
        let (first, second) = (one.part(start..<end), other.part(start..<end))
        guard first == second else {
            throw .protocolViolation("CRYPTO came twice with other bytes", "RFC 9000 §2.2")
        }
    }
}

extension CryptoStream.Piece {
    fileprivate func part(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bytes.dropFirst(range.lowerBound - offset).prefix(range.count)
    }

    fileprivate func dropping(_ count: Int) -> Self {
        Self(offset: offset + min(count, bytes.count), bytes: bytes.dropFirst(count))
    }
}
