internal import ProctorBase

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
            try take(flag, parts.count == 2 ? parts[1] : nil, &rest)
        }
    }

    private mutating func take(
        _ flag: Flag, _ attached: String?, _ rest: inout ArraySlice<String>
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
        // An ID and a program of somebody else's: so the flag is that program's.
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
