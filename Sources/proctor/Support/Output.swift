internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where a command writes: what was asked for to `out`, everything about it to `err`.
struct Output: Sendable {
    let out: @Sendable (String) -> Void
    let err: @Sendable (String) -> Void

    /// The process's own streams, unbuffered, so that a ready line is seen at once.
    static let standard = Output(
        out: { writeAll($0, to: STDOUT_FILENO) },
        err: { writeAll($0, to: STDERR_FILENO) })

    func line(_ text: String) { out(text + "\n") }

    /// A message about the run, prefixed so that it can be told from a client's own.
    func note(_ text: String) { err("proctor: \(text)\n") }
}

private func writeAll(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
            return unsafe write(descriptor, rest.baseAddress, rest.count)
        }
        // A closed pipe is the reader's decision; there is nobody left to tell.
        if count < 0 {
            guard errno == EINTR else { return }
        } else {
            written += count
        }
    }
}
