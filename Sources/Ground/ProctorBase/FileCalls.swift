#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The calls of libc for files, made again where a signal broke them off (EINTR); else they return what libc does, with
/// `errno`.
package enum FileCalls {
    /// The descriptor, which the caller closes; -1 on failure.
    ///
    /// `mode` is for O_CREAT alone.
    package static func open(_ path: String, _ flags: Int32, _ mode: UInt16 = 0) -> Int32 {
        repeated { systemOpen(path, flags, mode) }
    }

    /// How many bytes came, at most `count`; 0 at the end, -1 on failure.
    @unsafe package static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        repeated { unsafe systemRead(descriptor, buffer, count) }
    }

    /// How many bytes came from `offset` on, at most `count`; 0 at the end, -1 on failure.
    @unsafe package static func pread(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
    ) -> Int {
        repeated { unsafe systemRead(descriptor, buffer, count, from: offset) }
    }

    private static func repeated<Result: BinaryInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            guard result < 0, errno == EINTR else { return result }
        }
    }
}

// Methods of the same names would hide the calls.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: UInt16) -> Int32 {
    unsafe open(path, flags, mode_t(mode))
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(descriptor, buffer, count)
}

private func systemRead(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int, from offset: Int
) -> Int {
    unsafe pread(descriptor, buffer, count, off_t(offset))
}
