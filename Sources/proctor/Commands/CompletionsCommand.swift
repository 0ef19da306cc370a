/// Prints completions for a shell, and the manual page.
let completionsCommand = Command(
    name: "completions", operands: "bash|zsh|fish|man", summary: "Prints shell completions, or the manual page",
    discussion: """
        bash:  proctor completions bash > ~/.local/share/bash-completion/completions/proctor
        zsh:   proctor completions zsh > "${fpath[1]}/_proctor"
        fish:  proctor completions fish > ~/.config/fish/completions/proctor.fish
        man:   proctor completions man > ~/.local/share/man/man1/proctor.1
        """,
    flags: []
) { arguments, context in
    switch (arguments.operands.first, arguments.operands.count) {
    case ("bash", 1): context.output.out(Completions.bash)
    case ("zsh", 1): context.output.out(Completions.zsh)
    case ("fish", 1): context.output.out(Completions.fish)
    case ("man", 1): context.output.out(ManualPage.text)
    default: throw UsageError("'completions' takes one of bash, zsh, fish and man")
    }
    return .success
}

/// Completions made from the commands and flags, so that they can't drift from them.
///
/// Ids of scenarios and names of cases are asked of `proctor list` while a person types, from the fixtures that the line
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

extension Completions {
    static var fish: String {
        var lines = ["# fish completion for proctor"]
        lines += fishNames
        lines.append("complete -c proctor -n __fish_use_subcommand -f")
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
                    "complete -c proctor \(condition) -l \(flag.name.dropFirst(2))\(value)\(fishWords(flag, command))"
                        + " -d '\(quoted(flag.help))'")
            }
            for word in operands(of: command) { lines.append("complete -c proctor \(condition) -f -a \(word)") }
            if takesID(command) { lines.append("complete -c proctor \(condition) -a '(__proctor_ids)'") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fishWords(_ flag: Flag, _ command: Command) -> String {
        switch (command.name, flag.name) {
        case ("run", "--case"), ("grade", "--case"): " -a '(__proctor_cases)'"
        case ("grade", "--scenario"): " -a '(__proctor_ids)'"
        default: ""
        }
    }

    /// Functions that ask for names.
    private static var fishNames: [String] {
        [
            "function __proctor_value -a flag",
            "    set -l words (commandline -opc)",
            "    set -l at (contains -i -- $flag $words); and echo $words[(math $at + 1)]",
            "    string replace -rf -- \"^$flag=\" '' $words",
            "end",
            "function __proctor_ids",
            "    set -l fixtures (__proctor_value --fixtures)",
            "    \(names(of: "ids", in: "$fixtures").replacing("\"$fixtures\"", with: "$fixtures"))",
            "end",
            "function __proctor_cases",
            "    set -l fixtures (__proctor_value --fixtures)",
            "    set -l id (__proctor_value --scenario)",
            "    if not set -q id[1]",
            "        set -l words (commandline -opc)",
            "        set -l skips 0",
            "        for word in $words[3..-1]",
            "            if test $skips = 1; set skips 0; continue; end",
            "            if string match -q -- '--*' $word",
            "                string match -q -- '*=*' $word; or contains -- $word \(switches.joined(separator: " ")); or set skips 1",
            "            else",
            "                set id $word; break",
            "            end",
            "        end",
            "    end",
            "    \(names(of: "cases", in: "$fixtures", of: "$id").replacing("\"$fixtures\"", with: "$fixtures"))",
            "end",
        ]
    }
}

extension Completions {
    static var zsh: String {
        var lines = ["#compdef proctor"]
        lines += zshNames
        lines += ["local -a commands", "commands=("]
        for command in commands { lines.append("    '\(command.name):\(quoted(command.summary))'") }
        lines += [
            "    'help:Says more about a command'", "    'version:Prints the version'", ")",
            "if (( CURRENT == 2 )); then _describe command commands; return; fi", "case $words[2] in",
        ]
        for command in commands {
            lines.append("    \(command.name))")
            let flags = command.flags.map { flag in
                let value = flag.value.map { ":\($0):\(zshAction(flag, command))" } ?? ""
                return "'\(flag.name)\(flag.value == nil ? "" : "=")[\(quoted(flag.help))]\(value)'"
            }
            lines.append(
                "        _arguments -s : \(((["'1:command:'"] + flags)).joined(separator: " ")) \(zshRest(command)) ;;")
        }
        lines += ["    help) _describe command commands ;;", "esac"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func zshRest(_ command: Command) -> String {
        let operands = operands(of: command)
        if !operands.isEmpty { return "'2:what:(\(operands.joined(separator: " ")))'" }
        if command.name == "run" { return "'2:scenario:_proctor_ids' '*:file:_files'" }
        return takesID(command) ? "'*:scenario:_proctor_ids'" : "'*:file:_files'"
    }

    private static func zshAction(_ flag: Flag, _ command: Command) -> String {
        switch (command.name, flag.name) {
        case ("run", "--case"), ("grade", "--case"): "_proctor_cases"
        case ("grade", "--scenario"): "_proctor_ids"
        default: isFile(flag) ? "_files" : ""
        }
    }

    /// Functions that ask for names; the line is in `words` as it was typed.
    private static var zshNames: [String] {
        [
            "_proctor_fixtures() {",
            "    local at=${words[(I)--fixtures]} joined=${(M)words:#--fixtures=*}",
            "    fixtures=()",
            "    (( at == 0 )) || fixtures=(\"${(Q)words[at+1]}\")",
            "    [[ -z $joined ]] || fixtures=(\"${(Q)joined#--fixtures=}\")",
            "}",
            "_proctor_ids() {",
            "    local -a fixtures ids; _proctor_fixtures",
            "    ids=(${(f)\"$(\(names(of: "ids", in: "${fixtures[@]}")))\"})",
            "    compadd -a ids",
            "}",
            "_proctor_cases() {",
            "    local -a fixtures cases; _proctor_fixtures",
            "    local at=${words[(I)--scenario]} joined=${(M)words:#--scenario=*} word id=${line[2]-}",
            "    (( at == 0 )) || id=${words[at+1]}",
            "    [[ -z $joined ]] || id=${joined#--scenario=}",
            "    cases=(${(f)\"$(\(names(of: "cases", in: "${fixtures[@]}", of: "$id")))\"})",
            "    compadd -a cases",
            "}",
        ]
    }
}
