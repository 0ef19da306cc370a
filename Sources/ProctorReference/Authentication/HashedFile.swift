internal import ProctorBase
internal import ProctorLoop

/// Files whose content a Digest answer protects (RFC 7616 §3.4.3).
enum HashedFile {
    /// One that is longer is not hashed: all of it is in memory then.
    static let byteLimit = 1 << 26

    /// All of it; nil where it is too long, or can't be read, which its sending will tell.
    @Sendable static func read(_ path: String) -> [UInt8]? {
        do throws(CallFailure) {
            let file = try OpenFile(path: path)
            guard file.byteCount <= byteLimit else { return nil }
            var content: [UInt8] = []
            while content.count < file.byteCount {
                let piece = try file.bytes(from: content.count, byteCount: file.byteCount - content.count)
                guard !piece.isEmpty else { return nil }
                content += piece
            }
            return content
        } catch {
            return nil
        }
    }
}
