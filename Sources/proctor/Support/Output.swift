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

    /// Whether a person's terminal shows what goes to `err`.
    var isErrorTerminal: @Sendable () -> Bool = { isatty(STDERR_FILENO) == 1 }

    /// The style of words that may be coloured on `err`.
    var style = Style.plain

    /// The process's own streams, unbuffered, so that a ready line is seen at once.
    static let standard = Output(
        out: { writeAll($0, to: STDOUT_FILENO) },
        err: { writeAll($0, to: STDERR_FILENO) })

    func line(_ text: String) { out(text + "\n") }

    /// A message about the run, prefixed so that it can be told from a client's own.
    func note(_ text: String) { err("proctor: \(text)\n") }
}

/// A closed pipe is the reader's decision; no other stream is left for the failure.
private func writeAll(_ text: String, to descriptor: Int32) {
    _ = FullWrite.write(Array(text.utf8), to: descriptor)
}

/// Colour for the few words that carry a judgement; only on a terminal, and never against NO_COLOR.
struct Style: Sendable {
    let isOn: Bool

    static let plain = Style(isOn: false)

    /// The style for standard error; see no-color.org: any value but the empty one turns colour off.
    static func ofStandardError(environment: [String: String]) -> Style {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Style(isOn: isatty(STDERR_FILENO) == 1 && !isRefused && environment["TERM"] != "dumb")
    }

    func good(_ text: String) -> String { paint(text, 32) }
    func bad(_ text: String) -> String { paint(text, 31) }

    private func paint(_ text: String, _ code: Int) -> String {
        isOn ? "\u{1B}[1;\(code)m\(text)\u{1B}[0m" : text
    }
}

/// What the process tells its caller.
enum ExitCode: Int32, Sendable {
    /// Done, or passed.
    case success = 0
    /// The command ran and the answer is no: bad fixtures, a busy port, a failed case.
    case failure = 1
    /// The command line can't be understood.
    case usage = 2
}
