internal import ProctorBase

let completionsCommand = Command(name: "completions", words: { ["bash", "zsh", "fish", "man"] }) { arguments, context in
    switch (arguments.operands.first, arguments.operands.count) {
    case ("bash", 1): context.output.out(Completions.bash)
    case ("zsh", 1): context.output.out(Completions.zsh)
    case ("fish", 1): context.output.out(Completions.fish)
    case ("man", 1): context.output.out(ManualPage.text)
    default: throw UsageError("'completions' takes one of bash, zsh, fish and man")
    }
    return .success
}

/// Shell completions, generated from the commands and flags.
///
/// Scenario ids and case names are read with `proctor list` during the completion.
enum Completions {
    static let file = "Help/shells.txt"

    private static let commands = CommandLine.commands.map { (command: $0, flags: $0.flags) }
    private static let switches = names { $0.value == nil }

    /// The names of the flags of all commands that are so, each once.
    private static func names(where isWanted: (Flag) -> Bool) -> [String] {
        Set(commands.flatMap(\.flags).filter(isWanted).map(\.name)).sorted()
    }

    /// Whether the value is a file, by its name in help.
    private static func isFile(_ flag: Flag) -> Bool {
        ["FILE", "PATH", "FOLDER", "DIR"].contains(flag.value)
    }

    static var bash: String {
        let words = commands.map { command, flags in
            let words = (flags.map(\.name) + command.words()).joined(separator: " ")
            let ids = command.operandNames == nil ? "" : " $ids"
            return "        \(command.name)) COMPREPLY=($(compgen -W \"\(words)\(ids)\" -- \"$current\")) ;;"
        }
        let operands = Dictionary(grouping: commands.map(\.command).filter { $0.operandNames != nil }) {
            $0.operandNames ?? ""
        }
        .sorted { $0.key < $1.key }.map { kind, commands in
            "            \(commands.map { "'\($0.name) '*" }.joined(separator: "|")))\n                [[ $current == -* ]]"
                + " || ids=\"$(\(listing(of: kind, in: "${from[*]}")))\" ;;"
        }
        let values = commands.flatMap { command, flags in
            flags.compactMap { flag -> String? in
                guard let kind = flag.names, kind != "cases" else { return nil }
                return "            '\(command.name) \(flag.name)')\n                COMPREPLY=($(compgen -W \"$("
                    + "\(listing(of: kind, in: "${from[*]}")))\" -- \"$current\")); return ;;"
            }
        }
        return ContainedFile.chapter("bash", of: file).filled([
            "commands": commands.map(\.command.name).joined(separator: " "),
            "switches": switches.joined(separator: "|"), "files": names(where: isFile).joined(separator: "|"),
            "values": values.joined(separator: "\n"), "operands": operands.joined(separator: "\n"),
            "words": words.joined(separator: "\n"),
        ])
    }

    /// A shell command that prints names, one a line, without errors; `command` avoids an alias or function of that name,
    /// and an empty path means no folder.
    private static func listing(of kind: String, in paths: String) -> String {
        let flag = kind == "ids" ? "--ids" : "--names \(kind)"
        return "command proctor list --fixtures \"\(paths)\" \(flag) 2>/dev/null"
    }

    /// The text escaped for single quotes of all three shells, and for zsh's own brackets.
    private static func quoted(_ text: String) -> String {
        text.replacing(text: "'", with: "’").replacing(text: "[", with: "(").replacing(text: "]", with: ")")
    }

    static var fish: String {
        var lines: [String] = []
        let more = [("help", "Says more about a command")]
        for (name, summary) in commands.map({ ($0.command.name, $0.command.summary) }) + more {
            lines.append("complete -c proctor -n __fish_use_subcommand -a \(name) -d '\(quoted(summary))'")
        }
        for (command, flags) in commands {
            let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
            for flag in flags {
                let value = flag.value == nil ? "" : isFile(flag) ? " -r -F" : " -x"
                let function = flag.names.map { " -a '(__proctor_\($0))'" } ?? ""
                lines.append(
                    "complete -c proctor \(condition) -l \(flag.name.dropFirst(2))\(value)\(function)"
                        + " -d '\(quoted(flag.help))'")
            }
            for word in command.words() { lines.append("complete -c proctor \(condition) -f -a \(word)") }
            if let names = command.operandNames {
                lines.append("complete -c proctor \(condition) -a '(__proctor_\(names))'")
            }
        }
        let kinds = NameKind.offered.map { kind in
            "function __proctor_\(kind.rawValue)\n    set -l fixtures (__proctor_value --fixtures)\n    "
                + "\(listing(of: kind.rawValue, in: "$fixtures"))\nend"
        }
        return ContainedFile.chapter("fish", of: file).filled([
            "kinds": kinds.joined(separator: "\n"), "switches": switches.joined(separator: " "),
            "lines": lines.joined(separator: "\n"),
        ])
    }

    static var zsh: String {
        let words = commands.map { command, flags in
            let flags = flags.map { flag in
                let action = flag.names.map { "_proctor_\($0)" } ?? (isFile(flag) ? "_files" : "")
                let value = flag.value.map { ":\($0):\(action)" } ?? ""
                return "'\(flag.name)\(flag.value == nil ? "" : "=")[\(quoted(flag.help))]\(value)'"
            }
            return "    \(command.name))\n"
                + "        _arguments -s : \((["'1:command:'"] + flags).joined(separator: " ")) \(zshRest(command)) ;;"
        }
        let kinds = NameKind.offered.map { kind in
            "_proctor_\(kind.rawValue)() {\n    local -a fixtures found; _proctor_fixtures\n    "
                + "found=(${(f)\"$(\(listing(of: kind.rawValue, in: "${fixtures[*]}")))\"})\n    compadd -a found\n}"
        }
        let summaries = commands.map { "    '\($0.command.name):\(quoted($0.command.summary))'" }
        return ContainedFile.chapter("zsh", of: file).filled([
            "kinds": kinds.joined(separator: "\n"), "summaries": summaries.joined(separator: "\n"),
            "words": words.joined(separator: "\n"),
        ])
    }

    private static func zshRest(_ command: Command) -> String {
        let (operands, names) = (command.words(), command.operandNames)
        if names != nil, !operands.isEmpty {
            return "'*:what:{compadd \(operands.joined(separator: " ")); _proctor_ids}'"
        }
        if !operands.isEmpty {
            let files = command.operands.contains(text: "FILE") ? " '*:file:_files'" : ""
            return "'2:what:(\(operands.joined(separator: " ")))'\(files)"
        }
        if command.name == "run" { return "'2:scenario:_proctor_ids' '*:file:_files'" }
        return names.map { "'*:\($0 == "ids" ? "scenario" : "page"):_proctor_\($0)'" } ?? "'*:file:_files'"
    }
}
