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
        var lines = LineBreaking.wrapped(command.summary + ".", indentation: 0) + [""]
        lines += LineBreaking.wrapped("usage: proctor \(command.name) \(command.operands)", indentation: 0) + [""]
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
            if !prose.isEmpty { lines += LineBreaking.wrapped(prose, indentation: 0) }
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
        var lines = LineBreaking.wrapped(text, indentation: width + 2)
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
