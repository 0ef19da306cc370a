import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Looks at files that downloads leave.
enum TextFile {
    /// nil when there is none.
    static func read(_ path: String) -> String? {
        guard let file = try? OpenFile(path: path), let bytes = try? file.bytes(from: 0, byteCount: file.byteCount)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
