internal import ProctorBase

/// The output of `proctor help`, generated from the commands.
enum Help {
    static var overview: String {
        var lines = [
            "proctor tests HTTP clients: it serves scripted scenarios and judges what",
            "a client does.", "",
            "usage: proctor COMMAND [ARGUMENTS]", "",
        ]
        for command in CommandLine.commands {
            lines += columns(command.name, command.summary, width: 13)
        }
        lines += [
            "  \(padded("help", 13))Says more about a command: proctor help serve",
            "",
            "exit status: 0 done, 1 something is wrong, 2 the command line can't be read",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    static func text(of command: Command) -> String {
        var lines = RulePage.wrapped(command.summary + ".", indentation: 0) + [""]
        lines += RulePage.wrapped("usage: proctor \(command.name) \(command.operands)", indentation: 0) + [""]
        lines += paragraphs(command.discussion)
        if !command.flags.isEmpty {
            lines.append("")
            let names = command.flags.map(\.synopsis)
            let width = min(24, (names.map(\.count).max() ?? 0) + 2)
            for (flag, name) in zip(command.flags, names) { lines += columns(name, flag.help, width: width) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Breaks prose into lines of at most 80 columns; empty lines and lines that begin with a space, which are
    /// examples, are kept.
    static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var prose = ""
        func endParagraph() {
            if !prose.isEmpty { lines += RulePage.wrapped(prose, indentation: 0) }
            prose = ""
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.hasPrefix(" ") {
                endParagraph()
                lines.append(String(line))
            } else {
                prose += (prose.isEmpty ? "" : " ") + line
            }
        }
        endParagraph()
        return lines
    }

    /// A name with a text beside it, whose further lines are indented.
    private static func columns(_ name: String, _ text: String, width: Int) -> [String] {
        var lines = RulePage.wrapped(text, indentation: width + 2)
        if name.count < width {
            lines[0] = "  \(padded(name, width))" + lines[0].dropFirst(width + 2)
        } else {
            lines.insert("  \(name)", at: 0)
        }
        return lines
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension Command {
    /// The text of `proctor help NAME` between the summary and the flags: the chapter `# NAME` of `CFiles/Help/commands.txt`.
    ///
    /// A command without a chapter is a mistake of the program's.
    var discussion: String {
        let text = String(decoding: ContainedFile.bytes(of: "Help/commands.txt"), as: UTF8.self)
        guard let chapter = text.split(separator: "\n# ").first(where: { $0.hasPrefix("\(name)\n") }) else {
            preconditionFailure("commands.txt has no chapter of '\(name)'")
        }
        let end = chapter.hasSuffix("\n") ? 1 : 0
        return fillings.reduce(String(chapter.dropFirst(name.count + 1).dropLast(end))) { text, filling in
            text.replacing(text: "{{\(filling.key)}}", with: filling.value)
        }
    }
}

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
