#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A short file by which the system reports a value, such as those below `/proc`.
package enum SystemFile {
    private static let mostBytes = 256

    /// The first 256 bytes, without a final line break; nil if the file is unreadable or empty.
    package static func text(of path: String) -> String? {
        let descriptor = FileCalls.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = unsafe FileCalls.read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return text.last == "\n" ? String(text.dropLast()) : text
    }

    /// Where a symbolic link such as those below `/proc` leads, its first 256 bytes; nil if it can't be read.
    package static func target(ofLink path: String) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: mostBytes) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = unsafe readlink(path, start, buffer.count)
            guard count > 0 else { return nil }
            return unsafe String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
