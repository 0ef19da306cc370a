/// What `proctor help` prints; made from the commands, so that it can't drift from them.
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
            "  \(padded("version", 13))Prints the version", "",
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
            let names = command.flags.map { $0.name + ($0.value.map { " \($0)" } ?? "") }
            let width = (names.map(\.count).max() ?? 0) + 2
            for (flag, name) in zip(command.flags, names) { lines.append("  \(padded(name, width))\(flag.help)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
