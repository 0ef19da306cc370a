#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A failed system or C library call, captured at the call.
public struct CallFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The C function, with its argument where that helps: `open fixtures/a.yaml`.
    public let call: String
    /// The value of `errno`, or the library's own code.
    public let code: Int32
    /// The system's sentence for the code.
    public let text: String

    /// Makes a failure from known parts, for a library with its own codes.
    package init(call: String, code: Int32, text: String) {
        (self.call, self.code, self.text) = (call, code, text)
    }

    /// `open a.yaml: No such file or directory (2)`.
    public var description: String { "\(call): \(text) (\(code))" }

    /// Captures `errno` before `call` is evaluated; call it directly after the call that failed.
    package static func system(_ call: @autoclosure () -> String) -> CallFailure {
        let code = errno
        return system(call(), code: code)
    }

    /// Makes a failure from an `errno` that the caller has stored.
    package static func system(_ call: String, code: Int32) -> CallFailure {
        CallFailure(call: call, code: code, text: text(of: code))
    }

    /// Whether the machine had nothing left (descriptors, memory, room) or broke off the call, so that the same call may
    /// succeed later and says nothing about the file or peer that it was made for.
    package var isTransient: Bool { Self.transientCodes.contains(code) }

    private static let transientCodes: [Int32] = [
        EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOSPC, EDQUOT, EIO, EINTR, EAGAIN,
    ]

    private static func text(of code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}

package enum FullWrite {
    /// Writes all bytes and blocks as the descriptor does; returns how many were written, and the failure if there was
    /// one.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> (byteCount: Int, failure: CallFailure?) {
        write(bytes.span, to: descriptor)
    }

    /// Writes as the function of the same name for an array does.
    package static func write(
        _ bytes: borrowing Span<UInt8>, to descriptor: Int32
    ) -> (byteCount: Int, failure: CallFailure?) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return unsafe systemWrite(descriptor, rest.baseAddress, count: rest.count)
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
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
