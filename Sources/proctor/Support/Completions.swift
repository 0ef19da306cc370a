/// Completions made from the commands and flags, so that they can't drift from them.
enum Completions {
    private static var commands: [Command] { CommandLine.commands }
    private static var names: [String] { commands.map(\.name) + ["help", "version"] }

    /// What stands for the value tells whether it is a file.
    private static func isFile(_ flag: Flag) -> Bool {
        ["FILE", "PATH", "FOLDER", "DIR"].contains(flag.value)
    }

    static var bash: String {
        var lines = [
            "# bash completion for proctor", "_proctor() {",
            "    local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\"",
            "    COMPREPLY=()", "    if [[ $COMP_CWORD -eq 1 ]]; then",
            "        COMPREPLY=($(compgen -W \"\(names.joined(separator: " "))\" -- \"$current\")); return", "    fi",
            "    case \"$previous\" in",
        ]
        let files = Set(commands.flatMap(\.flags).filter(isFile).map(\.name)).sorted()
        if !files.isEmpty {
            lines.append(
                "        \(files.joined(separator: "|"))) COMPREPLY=($(compgen -f -- \"$current\")); return ;;")
        }
        lines += ["    esac", "    case \"${COMP_WORDS[1]}\" in"]
        for command in commands {
            let words = (command.flags.map(\.name) + operands(of: command)).joined(separator: " ")
            lines.append("        \(command.name)) COMPREPLY=($(compgen -W \"\(words)\" -- \"$current\")) ;;")
        }
        lines += [
            "        help) COMPREPLY=($(compgen -W \"\(commands.map(\.name).joined(separator: " "))\" -- \"$current\")) ;;",
            "    esac", "    [[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- \"$current\"))", "}",
            "complete -o filenames -F _proctor proctor",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    static var zsh: String {
        var lines = [
            "#compdef proctor", "local -a commands", "commands=(",
        ]
        for command in commands { lines.append("    '\(command.name):\(quoted(command.summary))'") }
        lines += [
            "    'help:Says more about a command'", "    'version:Prints the version'", ")",
            "if (( CURRENT == 2 )); then _describe command commands; return; fi", "case $words[2] in",
        ]
        for command in commands {
            lines.append("    \(command.name))")
            let flags = command.flags.map { flag in
                let value = flag.value.map { ":\($0):\(isFile(flag) ? "_files" : "")" } ?? ""
                return "'\(flag.name)\(flag.value == nil ? "" : "=")[\(quoted(flag.help))]\(value)'"
            }
            let operands = operands(of: command)
            let rest = operands.isEmpty ? "'*:file:_files'" : "'2:what:(\(operands.joined(separator: " ")))'"
            lines.append("        _arguments -s : \(((["'1:command:'"] + flags)).joined(separator: " ")) \(rest) ;;")
        }
        lines += ["    help) _describe command commands ;;", "esac"]
        return lines.joined(separator: "\n") + "\n"
    }

    static var fish: String {
        var lines = ["# fish completion for proctor", "complete -c proctor -n __fish_use_subcommand -f"]
        for command in commands {
            lines.append(
                "complete -c proctor -n __fish_use_subcommand -a \(command.name) -d '\(quoted(command.summary))'")
        }
        lines.append("complete -c proctor -n __fish_use_subcommand -a help -d 'Says more about a command'")
        lines.append("complete -c proctor -n __fish_use_subcommand -a version -d 'Prints the version'")
        for command in commands {
            let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
            for flag in command.flags {
                let value = flag.value == nil ? "" : isFile(flag) ? " -r -F" : " -x"
                lines.append(
                    "complete -c proctor \(condition) -l \(flag.name.dropFirst(2))\(value) -d '\(quoted(flag.help))'")
            }
            for word in operands(of: command) { lines.append("complete -c proctor \(condition) -f -a \(word)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The words an operand can be, where they are few.
    private static func operands(of command: Command) -> [String] {
        switch command.name {
        case "ca": CACommand.actions
        case "completions": ["bash", "zsh", "fish", "man"]
        default: []
        }
    }

    /// For single quotes of all three shells, and for zsh's own brackets.
    private static func quoted(_ text: String) -> String {
        text.map { character in
            switch character {
            case "'": "’"
            case "[": "("
            case "]": ")"
            default: String(character)
            }
        }.joined()
    }
}
