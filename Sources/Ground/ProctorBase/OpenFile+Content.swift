extension OpenFile {
    /// The whole content of a file; nil where it is longer than `byteLimit` or can't be read.
    package static func content(of path: String, upTo byteLimit: Int) -> [UInt8]? {
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
