internal import ProctorBase
internal import ProctorScenario
internal import ProctorServer

/// A command, whose usage, summary and description are a chapter of `CFiles/Help/commands.txt`.
struct Command: Sendable {
    let name: String
    /// What stands for `{{NAME}}` in the chapter, and in what is said of the flags.
    var fillings: @Sendable () -> KeyValuePairs<String, String> = { [:] }
    /// The permitted words of an operand; empty when any word is permitted.
    var words: @Sendable () -> [String] = { [] }
    /// The names that operands are: `ids`, or a ``NameKind``; nil: others.
    var operandNames: String?
    /// Called after an error in the command line, for programs that read the command's output.
    var whenMisused: @Sendable (_ arguments: [String], _ output: Output) -> Void = { _, _ in }
    let run: @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode

    /// The command's flags that this program has: some flags are those of a module.
    var flags: [Flag] {
        Flag.rows.filter { Flag.isRow($0, of: name) }.map { row in
            var flag = Flag(row)
            flag.help = filled(flag.help)
            return flag
        }
    }

    /// The part of a synopsis after the name.
    var operands: String { chapter[0] }
    var summary: String { filled(chapter[1]) }
    /// The text of `proctor help NAME` between the summary and the flags.
    var discussion: String { filled(chapter[3]) }

    /// A line with the operands, a line with the summary, an empty one, and the rest; a command without a chapter is a
    /// mistake of the program's.
    private var chapter: [String] {
        ContainedFile.chapter(name, of: "Help/commands.txt").dropLast()
            .split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    }

    private func filled(_ text: String) -> String { text.filled(fillings()) }
}

extension String {
    /// The text with a value in place of each `{{NAME}}`.
    func filled(_ values: KeyValuePairs<String, String>) -> String {
        values.reduce(self) { $0.replacing(text: "{{\($1.key)}}", with: $1.value) }
    }
}

/// The arguments, environment and output of a command.
struct CommandContext: Sendable {
    let environment: [String: String]
    let output: Output
}

/// A flag, from which help, parser, completions and the manual page are made: a row of `CFiles/Tables/flags.tsv`.
struct Flag: Sendable {
    /// The name with its dashes: `--port`.
    let name: String
    /// A short name with one dash, as `-o`; nil: none.
    let short: String?
    /// The name of the value in help, with a blank between the words of one that has two; nil for a flag without a value.
    let value: String?
    /// The permitted values; empty when the command checks the value.
    ///
    /// A flag with choices and without `value` may be written without a value, which means the first choice.
    let choices: [String]
    /// The names of which the value is one: `ids`, `cases` or a ``NameKind``; nil: others.
    let names: String?
    /// Whether it may be given several times.
    let isRepeatable: Bool
    var help: String

    /// The rows of the flags of all commands, in the order of help.
    fileprivate static let rows = TableCells.rows(of: "flags")

    /// Whether the command has the flag of that row in this program: some are those of a module.
    fileprivate static func isRow(_ row: TableCells, of command: String) -> Bool {
        row.lists(command, in: "commands") && row.text("module").map(Modules.isPresent) ?? true
    }

    fileprivate init(_ row: TableCells) {
        let spellings = row["flag"].split(separator: " ").map(String.init)
        (name, short) = (spellings[0], spellings.dropFirst().first)
        (value, names) = (row.text("value"), row.text("names"))
        choices = row.text("choices")?.split(separator: " ").map(String.init) ?? []
        isRepeatable = row.text("repeatable") != nil
        help = row["meaning"]
    }

    /// The name and its value, as help shows them: `--port N`, `--log [text|json|none]`.
    var synopsis: String {
        if let value { return "\(name) \(value)" }
        return choices.isEmpty ? name : "\(name) [\(choices.joined(separator: "|"))]"
    }
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
        let wordCount = placeholder.split(separator: " ").count
        // A value in quotes may have its blanks already.
        while attached == nil, words.joined(separator: " ").split(separator: " ").count < wordCount {
            guard let word = rest.popFirst() else {
                throw UsageError("\(flag.name) needs a value: \(flag.name) \(placeholder)")
            }
            words.append(word)
            if wordCount == 1 { break }
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

    func isGiven(_ name: String) -> Bool { has(name) || self[name] != nil }

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

    /// `--protocol`, with `--tls`; HTTP/1.1 without them.
    var wantedProtocol: RunProtocol {
        get throws(UsageError) {
            let wanted = self["--protocol"].flatMap(RunProtocol.init) ?? .http11
            guard has("--tls") else { return wanted }
            guard let secured = wanted.overTLS else {
                throw UsageError("--tls is for --protocol h2, whose scenarios of http it serves by https")
            }
            return secured
        }
    }

    /// The kinds of cases whose failures count, by `--fail-on` or else by `word`.
    func failingKinds(else word: String) throws(UsageError) -> Set<Case.Kind> {
        switch self["--fail-on"] ?? word {
        case "must": [.must]
        case "should": [.must, .should]
        case "never": []
        case let word: throw UsageError("--fail-on takes must, should or never, not '\(word)'")
        }
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
