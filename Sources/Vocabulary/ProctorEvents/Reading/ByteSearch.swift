#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

enum ByteSearch {
    /// The index of the first such byte from `start` on, or the count of the bytes.
    static func first(_ byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int {
        guard start < bytes.count else { return bytes.count }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                let match = unsafe memchr(base + start, CInt(byte), buffer.count - start)
            else { return buffer.count }
            return unsafe UnsafePointer(match.assumingMemoryBound(to: UInt8.self)) - base
        }
    }
}
