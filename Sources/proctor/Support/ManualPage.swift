/// The manual page, in roff; made from the commands like everything that speaks of them.
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH PROCTOR 1 \"\" \"proctor \(CommandLine.version)\" \"User Commands\"", ".SH NAME",
            "proctor \\- sets HTTP clients an exam", ".SH SYNOPSIS", ".B proctor", "COMMAND [ARGUMENTS]",
            ".SH DESCRIPTION",
            "Serves scripted scenarios from fixture files on loopback, byte for byte, and keeps a journal of what a client",
            "really sent.", ".SH COMMANDS",
        ]
        for command in CommandLine.commands {
            lines += [
                ".SS \"proctor \(command.name) \(escaped(command.operands))\"", escaped(command.summary) + ".", ".PP",
            ]
            // Lines stay lines: some of them are examples.
            lines += [".nf"] + command.discussion.split(separator: "\n").map { escaped(String($0)) } + [".fi"]
            for flag in command.flags {
                lines += [
                    ".TP", "\\fB\(escaped(flag.name))\\fR" + (flag.value.map { " \\fI\(escaped($0))\\fR" } ?? ""),
                    escaped(flag.help),
                ]
            }
        }
        lines += [
            ".SH ENVIRONMENT", ".TP", ".B PROCTOR_FIXTURES",
            "where fixtures are looked for when the command line names none", ".TP", ".B NO_COLOR",
            "turns colour off, which is used on terminals only", ".SH EXIT STATUS",
            "0 done, 1 the answer is no, 2 the command line can\\(aqt be understood",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// A line must not begin with a control character of roff, and a dash must stay one.
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
