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

    /// What is no text, to where `out` goes.
    var bytes: @Sendable ([UInt8]) -> Void = { _ = FullWrite.write($0, to: STDOUT_FILENO) }

    /// Whether a person's terminal shows what goes to `out`.
    var isTerminal: @Sendable () -> Bool = { isatty(STDOUT_FILENO) == 1 }

    /// The same for `err`.
    var isErrorTerminal: @Sendable () -> Bool = { isatty(STDERR_FILENO) == 1 }

    /// For words that may be coloured on `err`.
    var style = Style.plain

    /// The process's own streams, unbuffered, so that a ready line is seen at once.
    static let standard = Output(
        out: { writeAll($0, to: STDOUT_FILENO) },
        err: { writeAll($0, to: STDERR_FILENO) })

    func line(_ text: String) { out(text + "\n") }

    /// A message about the run, prefixed so that it can be told from a client's own.
    func note(_ text: String) { err("proctor: \(text)\n") }
}

/// A closed pipe is the reader's decision; there is nobody left to tell.
private func writeAll(_ text: String, to descriptor: Int32) {
    _ = FullWrite.write(Array(text.utf8), to: descriptor)
}
