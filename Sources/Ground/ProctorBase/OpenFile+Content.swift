#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension OpenFile {
    /// The whole content of a regular file; nil where it is longer than `byteLimit` or can't be read.
    package static func content(of path: String, upTo byteLimit: Int, followsLinks: Bool = true) -> [UInt8]? {
        do throws(CallFailure) {
            return try OpenFile(path: path, followsLinks: followsLinks).content(upTo: byteLimit)
        } catch {
            return nil
        }
    }

    /// The whole content; throws where it is longer than `byteLimit` bytes (EFBIG), and where the file has become shorter
    /// since it was opened.
    package borrowing func content(upTo byteLimit: Int) throws(CallFailure) -> [UInt8] {
        guard byteCount <= byteLimit else {
            throw CallFailure(
                call: "read", code: EFBIG, text: "it has more than \(byteLimit) bytes, which is the limit")
        }
        var content = try bytes(from: 0, byteCount: byteCount)
        while content.count < byteCount {
            let piece = try bytes(from: content.count, byteCount: byteCount - content.count)
            guard !piece.isEmpty else { throw CallFailure(call: "read", code: EIO, text: "it became shorter") }
            content += piece
        }
        return content
    }
}
