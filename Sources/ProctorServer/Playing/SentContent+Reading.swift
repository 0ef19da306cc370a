internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorJournal

extension SentContent {
    /// Reads the beginning of the content, and all of it where it is short enough to be hashed; nil where a file can't be
    /// read.
    ///
    /// Blocks as the disk does.
    init?(reading pieces: [ContentPiece]) {
        let byteCount = pieces.reduce(0) { $0 + $1.range.count }
        if pieces.count == 1, case .bytes(let bytes) = pieces[0].source, pieces[0].range == bytes.indices,
            bytes.count <= Self.keptByteLimit
        {
            // Shared with the plan, and not copied.
            self.init(byteCount: byteCount, kept: bytes)
            return
        }
        let isHashed = byteCount > Self.keptByteLimit && byteCount <= Self.hashedByteLimit
        let wanted = isHashed ? byteCount : min(byteCount, Self.keptByteLimit)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(wanted)
        for piece in pieces where bytes.count < wanted {
            let count = min(piece.range.count, wanted - bytes.count)
            let part = ContentPiece(piece.source, piece.range.lowerBound..<piece.range.lowerBound + count)
            guard (try? part.read { bytes.append($0) }) != nil else { return nil }
        }
        self.init(
            byteCount: byteCount, kept: Array(bytes.prefix(Self.keptByteLimit)),
            sha256: isHashed ? Self.sha256(bytes) : nil)
    }

    /// Longer content would hold up the loop while it is hashed.
    private static let hashedByteLimit = 1 << 20

    private static let hasher = OpenSSLHasher()

    /// nil where the system's OpenSSL refuses it.
    private static func sha256(_ bytes: [UInt8]) -> String? {
        var hash: [UInt8] = []
        hasher.appendHash(.sha256, of: bytes.span, to: &hash)
        guard !hash.isEmpty else { return nil }
        return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
