internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The streams of a command: results go to `out`, messages to `err`.
struct Output: Sendable {
    let out: @Sendable (String) -> Void
    let err: @Sendable (String) -> Void

    /// Writes binary data to the stream of `out`.
    var bytes: @Sendable ([UInt8]) -> Void = { _ = FullWrite.write($0, to: STDOUT_FILENO) }

    /// Whether `out` is a terminal.
    var isTerminal: @Sendable () -> Bool = { isatty(STDOUT_FILENO) == 1 }

    /// Whether `err` is a terminal.
    var isErrorTerminal: @Sendable () -> Bool = { isatty(STDERR_FILENO) == 1 }

    var style = Style.plain

    /// The process's own streams, unbuffered, so that a ready line is seen at once.
    static let standard = Output(
        // A closed pipe is the reader's decision; no other stream is left for the failure.
        out: { _ = FullWrite.write(Array($0.utf8), to: STDOUT_FILENO) },
        err: { _ = FullWrite.write(Array($0.utf8), to: STDERR_FILENO) })

    func line(_ text: String) { out(text + "\n") }

    /// A message about the run, prefixed so that it can be told from a client's own.
    func note(_ text: String) { err("proctor: \(text)\n") }
}

/// Colours of the words of a verdict; only on a terminal, and not with NO_COLOR.
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

enum ExitCode: Int32, Sendable {
    /// The command succeeded, or all cases passed.
    case success = 0
    /// The command ran and failed: invalid fixtures, a used port, a failed case.
    case failure = 1
    /// The command line is invalid.
    case usage = 2
}

struct ProcessContext {
    let arguments: [String]
    let environment: [String: String]

    static func current() -> ProcessContext {
        // A reader that went away must not end the server by SIGPIPE.
        _ = signal(SIGPIPE, SIG_IGN)
        return ProcessContext(
            arguments: Array(Swift.CommandLine.arguments.dropFirst()), environment: readEnvironment())
    }

    /// The process's streams, coloured where a person reads them.
    var output: Output {
        var output = Output.standard
        output.style = Style.ofStandardError(environment: environment)
        return output
    }

    private static func readEnvironment() -> [String: String] {
        #if canImport(Darwin)
            // NULL only before the process has its environment.
            guard var entry = unsafe _NSGetEnviron().pointee else { return [:] }
        #else
            var entry = unsafe environ
        #endif
        var variables: [String: String] = [:]
        while let text = unsafe entry.pointee {
            let words = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2 { variables[String(words[0])] = String(words[1]) }
            unsafe entry += 1
        }
        return variables
    }

    func exit(_ code: ExitCode) -> Never {
        #if canImport(Darwin)
            Darwin.exit(code.rawValue)
        #else
            Glibc.exit(code.rawValue)
        #endif
    }
}
