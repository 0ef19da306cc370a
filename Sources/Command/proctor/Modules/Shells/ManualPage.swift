internal import ProctorBase

/// The page for `man`, generated from the commands.
enum ManualPage {
    static var text: String {
        ContainedFile.chapter("man", of: Completions.file).filled([
            "version": CommandLine.version, "commands": CommandLine.commands.flatMap(lines).joined(separator: "\n"),
        ])
    }

    private static func lines(of command: Command) -> [String] {
        var lines = [
            ".SS \"proctor \(command.name) \(escaped(command.operands))\"", escaped(command.summary) + ".", ".PP",
        ]
        // The line breaks of the examples are kept.
        lines += [".nf"] + Help.paragraphs(command.discussion).map { escaped($0) } + [".fi"]
        for flag in command.flags {
            let value = String(flag.synopsis.dropFirst(flag.name.count))
            lines += [
                ".TP", "\\fB\(escaped(flag.name))\\fR" + (value.isEmpty ? "" : "\\fI\(escaped(value))\\fR"),
                escaped(flag.help),
            ]
        }
        return lines
    }

    /// Escapes dashes, and control characters of roff at the beginning of a line.
    private static func escaped(_ text: String) -> String {
        let body = text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "\"": "\\(dq"
            default: String(character)
            }
        }.joined()
        return body.hasPrefix(".") ? "\\&" + body : body
    }
}
