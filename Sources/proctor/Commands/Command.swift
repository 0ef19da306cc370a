internal import ProctorBase

/// One verb of the command line.
struct Command: Sendable {
    let name: String
    /// What follows the name in a synopsis.
    let operands: String
    /// One line for the overview.
    let summary: String
    /// What `proctor help NAME` says beyond summary and flags.
    let discussion: String
    let flags: [Flag]
    /// Called with a command line that can't be understood, for a program that reads the output of it.
    var whenMisused: @Sendable (_ arguments: [String], _ output: Output) -> Void = { _, _ in }
    let run: @Sendable (ParsedArguments, CommandContext) async throws -> ExitCode
}

/// What a command may look at and write to.
struct CommandContext: Sendable {
    let environment: [String: String]
    let output: Output
}

/// A flag that a command understands; help, parsing and suggestions all come from it.
struct Flag: Sendable {
    /// The name with its dashes: `--port`.
    let name: String
    /// What stands for the value in help; nil for a flag without one.
    let value: String?
    let help: String

    init(_ name: String, _ value: String? = nil, help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}

/// A command's arguments, sorted into flags and the rest.
struct ParsedArguments {
    private var values: [String: String] = [:]
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
            guard let flag = flags.first(where: { $0.name == parts[0] }) else {
                throw UsageError.unknownFlag(parts[0], among: flags, command: command, behind: operands)
            }
            try take(flag, parts.count == 2 ? parts[1] : nil, rest: &rest)
        }
    }

    private mutating func take(
        _ flag: Flag, _ attached: String?, rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let placeholder = flag.value else {
            guard attached == nil else { throw UsageError("\(flag.name) takes no value") }
            switches.insert(flag.name)
            return
        }
        guard let value = attached ?? rest.popFirst() else {
            throw UsageError("\(flag.name) needs a value: \(flag.name) \(placeholder)")
        }
        guard values.updateValue(value, forKey: flag.name) == nil else {
            throw UsageError("\(flag.name) is given twice")
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    func has(_ name: String) -> Bool { switches.contains(name) }

    /// A whole number within a range, or nil when the flag is not there.
    func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(name) takes a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }
}

/// A command line that can't be understood, and what would be.
struct UsageError: Error {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// `operands` are those that stand before the flag.
    static func unknownFlag(
        _ name: String, among flags: [Flag], command: String, behind operands: [String] = []
    ) -> UsageError {
        // Behind an ID and a program the flag is for that program.
        if command == "run", operands.count >= 2 {
            let example = (operands[1...] + [name]).joined(separator: " ")
            return UsageError(
                "'run' has no flag '\(name)'; if it is for '\(operands[1])', write two dashes before the command: "
                    + "proctor run \(operands[0]) -- \(example)")
        }
        let nearest = NearestName.find(name, in: flags.map(\.name))
        let hint = nearest.map { "did you mean '\($0)'?" } ?? "see 'proctor help \(command)'"
        return UsageError("'\(command)' has no flag '\(name)'; \(hint)")
    }
}
