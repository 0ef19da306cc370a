/// The page for `man`, generated from the commands.
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH PROCTOR 1 \"\" \"proctor \(CommandLine.version)\" \"User Commands\"", ".SH NAME",
            "proctor \\- tests HTTP clients", ".SH SYNOPSIS", ".B proctor", "COMMAND [ARGUMENTS]",
            ".SH DESCRIPTION",
            "Serves scripted scenarios from fixture files on loopback, byte for byte, and keeps a journal of what a client",
            "really sent.", ".SH COMMANDS",
        ]
        for command in CommandLine.commands {
            lines += [
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
        }
        lines += [
            ".SH ENVIRONMENT", ".TP", ".B PROCTOR_FIXTURES",
            "your own scenarios, when the command line names none; they stand before those that come with proctor",
            ".TP", ".B XDG_CACHE_HOME",
            "where the files inside the program are unpacked: the folder proctor in it, or in ~/.cache", ".TP",
            ".B NO_COLOR",
            "turns colour off, which is used on terminals only; --color always wins", ".TP", ".B PROCTOR_SERVER",
            "the server that commands ask, where --server names none", ".TP", ".B PROCTOR_TOKEN",
            "the token of that server, where --token gives none", ".SH EXIT STATUS",
            "0 done, 1 something is wrong, 2 the command line can\\(aqt be read",
        ]
        return lines.joined(separator: "\n") + "\n"
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
