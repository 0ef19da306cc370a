#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Writing to a descriptor until everything is written.
package enum FullWrite {
    /// Returns how many bytes went before a failure, and the failure if there was one; blocks as the descriptor does.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> (byteCount: Int, failure: CallFailure?) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                return (written, .system("write"))
            }
            written += count
        }
        return (written, nil)
    }
}

/// The libc call, where `write` would be a method.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
