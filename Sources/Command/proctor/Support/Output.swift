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
    var bytes: @Sendable ([UInt8]) -> Void = { StandardOutput.write($0) }

    /// Whether `out` is a terminal.
    var isTerminal: @Sendable () -> Bool = { isatty(STDOUT_FILENO) == 1 }

    /// Whether `err` is a terminal.
    var isErrorTerminal: @Sendable () -> Bool = { isatty(STDERR_FILENO) == 1 }

    var style = Style.plain

    /// The process's own streams, unbuffered, so that a ready line is seen at once.
    static let standard = Output(
        out: { StandardOutput.write(Array($0.utf8)) },
        err: { _ = FullWrite.write(Array($0.utf8), to: STDERR_FILENO) })

    func line(_ text: String) { out(text + "\n") }

    /// Prints a message about the run, with a prefix that distinguishes it from a client's own messages.
    ///
    /// On a terminal its lines have at most 80 columns unless a word is longer.
    func message(_ text: String) {
        guard isErrorTerminal() else { return err("proctor: \(text)\n") }
        var indentation = 0
        for line in "proctor: \(text)".split(separator: "\n", omittingEmptySubsequences: false) {
            let parts =
                line.count <= 80 ? [String(line)] : LineBreaking.wrapped(String(line), indentation: indentation)
            for part in parts { err(part + "\n") }
            indentation = 2
        }
    }

    /// Prints a report to standard error.
    ///
    /// On a terminal a longer line is broken at blanks, and goes on below the last of its columns, which two blanks part.
    func report(_ text: String) {
        guard isErrorTerminal() else { return err(text) }
        let width = TerminalWidth.columns(of: STDERR_FILENO)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast(text.last == "\n" ? 1 : 0) {
            let indentation = Self.lastColumn(of: line)
            let pieces = LineBreaking.pieces(of: String(line), width: width, first: 0, rest: indentation)
            for (index, piece) in pieces.enumerated() {
                err(String(repeating: " ", count: index == 0 ? 0 : indentation) + piece + "\n")
            }
        }
    }

    /// Where the last column begins among the first 30 characters; 2 where a line has no columns.
    private static func lastColumn(of line: Substring) -> Int {
        var (last, blankCount) = (2, 0)
        for (index, character) in line.prefix(30).enumerated() {
            if character != " ", blankCount > 1 { last = index }
            blankCount = character == " " ? blankCount + 1 : 0
        }
        return last
    }
}

/// Colours for the words of a verdict; by default only on a terminal and without NO_COLOR; --color changes that.
struct Style: Sendable {
    let isOn: Bool

    static let plain = Style(isOn: false)

    static func ofStandardError(environment: [String: String]) -> Style {
        choose("auto", isTerminal: isatty(STDERR_FILENO) == 1, environment)
    }

    /// `choice` is the value of --color: auto, which is the default, always or never.
    ///
    /// With `auto` there are colours on a terminal; any value of NO_COLOR except the empty one turns them off
    /// (no-color.org).
    static func choose(_ choice: String?, isTerminal: Bool, _ environment: [String: String]) -> Style {
        switch choice {
        case "always": return Style(isOn: true)
        case "never": return .plain
        default:
            let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
            return Style(isOn: isTerminal && !isRefused && environment["TERM"] != "dumb")
        }
    }

    func good(_ text: String) -> String { paint(text, "1;32") }
    func bad(_ text: String) -> String { paint(text, "1;31") }
    /// The colour for something that looks like a failure but is wanted by the fixture: a status from 400 on, an
    /// effect.
    func odd(_ text: String) -> String { paint(text, "33") }
    func strong(_ text: String) -> String { paint(text, "1") }
    func faint(_ text: String) -> String { paint(text, "2") }
    /// The colours for connections, used in turn so that adjacent connections differ.
    func lane(_ text: String, _ number: Int) -> String { paint(text, Self.lanes[number % Self.lanes.count]) }

    private static let lanes = ["36", "35", "34", "96", "95", "94"]

    private func paint(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
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
        // When the reader of a pipe closes it, the write fails instead of ending the server.
        _ = signal(SIGPIPE, SIG_IGN)
        return ProcessContext(
            arguments: Array(Swift.CommandLine.arguments.dropFirst()), environment: readEnvironment())
    }

    /// The process's streams, with colours on a terminal.
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

    /// Ends the process; a success is a failure where standard output has lost something, which is told.
    func exit(_ code: ExitCode) -> Never {
        var code = code
        if let complaint = StandardOutput.complaint {
            output.message(complaint)
            if code == .success { code = .failure }
        }
        #if canImport(Darwin)
            Darwin.exit(code.rawValue)
        #else
            Glibc.exit(code.rawValue)
        #endif
    }
}
