internal import ProctorBase
internal import ProctorScenario
internal import ProctorServer

struct Command: Sendable {
    let name: String
    /// The part of a synopsis after the name.
    let operands: String
    let summary: String
    /// What stands for `{{NAME}}` in the chapter of the command (``discussion``).
    var fillings: KeyValuePairs<String, String> = [:]
    let flags: [Flag]
    /// The permitted words of an operand; empty when any word is permitted.
    var words: [String] = []
    /// The names that operands are: `ids`, or a ``NameKind``; nil: others.
    var operandNames: String?
    /// Called after an error in the command line, for programs that read the command's output.
    var whenMisused: @Sendable (_ arguments: [String], _ output: Output) -> Void = { _, _ in }
    let run: @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode
}

/// The arguments, environment and output of a command.
struct CommandContext: Sendable {
    let environment: [String: String]
    let output: Output
}

/// A flag of a command, from which help, parser and suggestions are made.
struct Flag: Sendable {
    /// The name with its dashes: `--port`.
    let name: String
    /// The name of the value in help; nil for a flag without one.
    let value: String?
    let help: String
    /// Whether it may be given several times.
    let isRepeatable: Bool
    /// A short name with one dash, as `-o`; nil: none.
    let short: String?
    /// The permitted values; empty when the command checks the value.
    ///
    /// A flag with choices and without `value` may be written without a value, which means the first choice.
    let choices: [String]
    /// The words of the value, which are joined by a space; more than one for a value such as `body 50ms`.
    let wordCount: Int

    init(
        _ name: String, _ value: String? = nil, help: String, isRepeatable: Bool = false, short: String? = nil,
        choices: [String] = [], wordCount: Int = 1
    ) {
        (self.choices, self.wordCount, self.name, self.short, self.value) = (choices, wordCount, name, short, value)
        (self.help, self.isRepeatable) = (help, isRepeatable)
    }
}

extension Flag {
    /// The name and its value, as help shows them: `--port N`, `--log [text|json|none]`.
    var synopsis: String {
        if let value { return "\(name) \(value)" }
        return choices.isEmpty ? name : "\(name) [\(choices.joined(separator: "|"))]"
    }

    static let color = Flag(
        "--color", "WHEN", help: "auto, always or never; auto means on a terminal, and not where NO_COLOR is set",
        choices: Style.choices)
    static let caseName = Flag("--case", "NAME", help: "the case to judge by")
    static let seed = Flag(
        "--seed", "N", help: "what runs take at random depends on N alone; each run's journal has its seed")
    static let wantedProtocol = Flag(
        "--protocol", "NAME", help: "the protocol of origins for which the scenario names none: http/1.1, h2 or h3",
        choices: ApplicationProtocol.allCases.map(\.rawValue))
    static let fixtures = Flag(
        "--fixtures", "PATH",
        help: "your scenarios, before those of proctor (default: PROCTOR_FIXTURES, or the nearest folder 'fixtures')")
    static let bodyLimit = Flag(
        "--body-limit", "KIB",
        help: "how many KiB of each request's content are kept for matching and the journal, 1 to 65536 (default 1024)")
    static let trace = Flag("--trace", "FILE", help: "the client's trace, where it is not the operand")
    static let journal = Flag("--journal", "FILE", help: "what the server saw, as JSON lines")

    static let ofControlConnection = [
        Flag("--server", "URL", help: "where the server stands (default: PROCTOR_SERVER, or http://127.0.0.1:8088)"),
        Flag("--token", "TEXT", help: "the server's token, if it was started with one (default: PROCTOR_TOKEN)"),
    ]
}

struct ParsedArguments {
    private var values: [String: [String]] = [:]
    private var switches: Set<String> = []
    private(set) var operands: [String] = []

    /// Reads `--name value`, `--name=value`, switches, and `--` before operands that begin with a dash.
    init(_ arguments: [String], flags: [Flag], command: String) throws(UsageError) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let flag = flags.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
                throw UsageError.unknownFlag(parts[0], among: flags, command: command, behind: operands)
            }
            try readValue(flag, parts.count == 2 ? parts[1] : nil, rest: &rest)
        }
    }

    private mutating func readValue(
        _ flag: Flag, _ attached: String?, rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let placeholder = flag.value else {
            if let first = flag.choices.first {
                // The next word is the value only when it is one of the choices.
                let following = rest.first.flatMap { flag.choices.contains($0) ? $0 : nil }
                if attached == nil, following != nil { rest.removeFirst() }
                return try set(flag, attached ?? following ?? first)
            }
            guard attached == nil else { throw UsageError("\(flag.name) takes no value") }
            switches.insert(flag.name)
            return
        }
        var words = attached.map { [$0] } ?? []
        // A value in quotes may have its blanks already.
        while attached == nil, words.joined(separator: " ").split(separator: " ").count < flag.wordCount {
            guard let word = rest.popFirst() else {
                throw UsageError("\(flag.name) needs a value: \(flag.name) \(placeholder)")
            }
            words.append(word)
            if flag.wordCount == 1 { break }
        }
        try set(flag, words.joined(separator: " "))
    }

    private mutating func set(_ flag: Flag, _ value: String) throws(UsageError) {
        guard flag.choices.isEmpty || flag.choices.contains(value) else {
            let hint = NearestName.hint(for: value, in: flag.choices, else: "that is none of them")
            throw UsageError("\(flag.name) takes \(flag.choices.joined(separator: ", ")), not '\(value)'; \(hint)")
        }
        guard flag.isRepeatable || values[flag.name] == nil else { throw UsageError("\(flag.name) is given twice") }
        values[flag.name, default: []].append(value)
    }

    subscript(_ name: String) -> String? { values[name]?.first }

    /// The values of a repeatable flag, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    func has(_ name: String) -> Bool { switches.contains(name) }

    func isGiven(_ flag: Flag) -> Bool { has(flag.name) || self[flag.name] != nil }

    /// The number; nil without the flag.
    func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// `--body-limit` in bytes; nil without it.
    var bodyByteCount: Int? {
        get throws(UsageError) { try number("--body-limit", in: 1...65_536).map { $0 << 10 } }
    }

    /// `--protocol`; HTTP/1.1 without it.
    var wantedProtocol: ApplicationProtocol {
        self["--protocol"].flatMap(ApplicationProtocol.init) ?? .http11
    }

    /// `--seed`; nil without it.
    var seed: UInt64? {
        get throws(UsageError) {
            try number("--seed", in: 0...Int(ServerConfiguration.seedRange.upperBound)).map { UInt64($0) }
        }
    }
}

struct UsageError: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// `operands` are those before the flag.
    static func unknownFlag(
        _ name: String, among flags: [Flag], command: String, behind operands: [String] = []
    ) -> UsageError {
        // A flag after an id and a program may be one for that program.
        if command == "run", operands.count >= 2 {
            let example = (operands[1...] + [name]).joined(separator: " ")
            return UsageError(
                "'run' has no flag '\(name)'; if it is for '\(operands[1])', write two dashes before the command: "
                    + "proctor run \(operands[0]) -- \(example)")
        }
        let hint = NearestName.hint(for: name, in: flags.map(\.name), else: "see 'proctor help \(command)'")
        return UsageError("'\(command)' has no flag '\(name)'; \(hint)")
    }
}

extension NearestName {
    /// A hint with the most similar candidate, or `other` when none is similar.
    static func hint(for name: String, in candidates: [String], else other: String) -> String {
        find(name, in: candidates).map { "did you mean '\($0)'?" } ?? other
    }
}
