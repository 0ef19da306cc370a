/// Completions made from the commands and flags, so that they can't drift from them.
///
/// Ids of scenarios and names of cases are asked of `proctor list` while somebody types, from the fixtures that the line
/// itself names.
enum Completions {
    static var commands: [Command] { CommandLine.commands }
    private static var names: [String] { commands.map(\.name) + ["help", "version"] }

    /// What stands for the value tells whether it is a file.
    static func isFile(_ flag: Flag) -> Bool {
        ["FILE", "PATH", "FOLDER", "DIR"].contains(flag.value)
    }

    static var bash: String {
        var lines = [
            "# bash completion for proctor", "_proctor() {",
            "    local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" ids=\"\"",
            "    COMPREPLY=()", "    if [[ $COMP_CWORD -eq 1 ]]; then",
            "        COMPREPLY=($(compgen -W \"\(names.joined(separator: " "))\" -- \"$current\")); return", "    fi",
        ]
        lines += bashNames
        lines.append("    case \"$previous\" in")
        let files = Set(commands.flatMap(\.flags).filter(isFile).map(\.name)).sorted()
        if !files.isEmpty {
            lines.append(
                "        \(files.joined(separator: "|"))) COMPREPLY=($(compgen -f -- \"$current\")); return ;;")
        }
        lines += ["    esac", "    case \"${COMP_WORDS[1]}\" in"]
        for command in commands {
            let words = (command.flags.map(\.name) + operands(of: command)).joined(separator: " ")
            let ids = takesID(command) ? " $ids" : ""
            lines.append("        \(command.name)) COMPREPLY=($(compgen -W \"\(words)\(ids)\" -- \"$current\")) ;;")
        }
        lines += [
            "        help) COMPREPLY=($(compgen -W \"\(commands.map(\.name).joined(separator: " "))\" -- \"$current\")) ;;",
            "    esac", "    [[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- \"$current\"))", "}",
            "complete -o filenames -F _proctor proctor",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Where an id or a case is wanted, what there is.
    private static var bashNames: [String] {
        [
            "    local -a from=(); local word before=\"\" id=\"\"",
            "    for word in \"${COMP_WORDS[@]:2}\"; do",
            "        case \"$before\" in \(switches.joined(separator: "|"))) before=\"\" ;; esac",
            "        [[ $before != --fixtures ]] || from=(\"$word\")",
            "        [[ $before != --scenario ]] || id=\"$word\"",
            "        [[ -n $id || $word == -* || $before == --* ]] || id=\"$word\"",
            "        before=\"$word\"", "    done",
            "    case \"${COMP_WORDS[1]} $previous\" in",
            "        'run --case'|'grade --case')",
            "            COMPREPLY=($(compgen -W \"$(\(names(of: "cases", in: "${from[@]}", of: "$id")))\" -- \"$current\")); return ;;",
            "        'grade --scenario')",
            "            COMPREPLY=($(compgen -W \"$(\(names(of: "ids", in: "${from[@]}")))\" -- \"$current\")); return ;;",
            "        'run '*|'exam '*)",
            "            [[ $current == -* ]] || ids=\"$(\(names(of: "ids", in: "${from[@]}")))\" ;;",
            "    esac",
        ]
    }

    /// The command line that prints names, one a line; a shell's completion has nothing to say where it fails.
    static func names(of kind: String, in paths: String, of id: String? = nil) -> String {
        let flag = id.map { "--cases-of \"\($0)\"" } ?? "--\(kind)"
        // Not an alias or a function of that name.
        return "command proctor list \"\(paths)\" \(flag) 2>/dev/null"
    }

    /// Flags without a value, of any command.
    static var switches: [String] { Set(commands.flatMap(\.flags).filter { $0.value == nil }.map(\.name)).sorted() }

    /// Whether an operand of the command is the id of a scenario.
    static func takesID(_ command: Command) -> Bool { ["run", "exam"].contains(command.name) }

    /// The words an operand can be, where they are few.
    static func operands(of command: Command) -> [String] {
        switch command.name {
        case "ca": CACommand.actions
        case "completions": ["bash", "zsh", "fish", "man"]
        default: []
        }
    }

    /// For single quotes of all three shells, and for zsh's own brackets.
    static func quoted(_ text: String) -> String {
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
