/// The output of `proctor help`, generated from the commands.
enum Help {
    static var overview: String {
        var lines = [
            "proctor sets HTTP clients an exam: it serves scripted scenarios and watches what a client does.", "",
            "usage: proctor COMMAND [ARGUMENTS]", "",
        ]
        for command in CommandLine.commands {
            lines.append("  \(padded(command.name, 13))\(command.summary)")
        }
        lines += [
            "  \(padded("help", 13))Says more about a command: proctor help serve",
            "",
            "exit status: 0 done, 1 the answer is no, 2 the command line can't be understood",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    static func text(of command: Command) -> String {
        var lines = [
            command.summary + ".", "", "usage: proctor \(command.name) \(command.operands)", "", command.discussion,
        ]
        if !command.flags.isEmpty {
            lines.append("")
            let names = command.flags.map(\.synopsis)
            let width = (names.map(\.count).max() ?? 0) + 2
            for (flag, name) in zip(command.flags, names) { lines.append("  \(padded(name, width))\(flag.help)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

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
            // Line breaks are kept for the examples.
            lines += [".nf"] + command.discussion.split(separator: "\n").map { escaped(String($0)) } + [".fi"]
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
            "where fixtures are looked for when the command line names none", ".TP", ".B XDG_CACHE_HOME",
            "where the files inside the program are unpacked: the folder proctor in it, or in ~/.cache", ".TP",
            ".B NO_COLOR",
            "turns colour off, which is used on terminals only; --color always wins", ".TP", ".B PROCTOR_SERVER",
            "the server that commands ask, where --server names none", ".TP", ".B PROCTOR_TOKEN",
            "the token of that server, where --token gives none", ".SH EXIT STATUS",
            "0 done, 1 the answer is no, 2 the command line can\\(aqt be understood",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Escapes dashes, and control characters at the begin of a line.
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
