internal import ProctorBase

let completionsCommand = Command(
    name: "completions", operands: "bash|zsh|fish|man", summary: "Prints shell completions, or the manual page",
    flags: [], words: ["bash", "zsh", "fish", "man"]
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

/// Shell completions, generated from the commands and flags.
///
/// Scenario ids and case names are read with `proctor list` during the completion.
enum Completions {
    static var commands: [Command] { CommandLine.commands }
    private static var names: [String] { commands.map(\.name) + ["help"] }

    /// Whether the value is a file, by its name in help.
    static func isFile(_ flag: Flag) -> Bool {
        ["FILE", "PATH", "FOLDER", "DIR"].contains(flag.value)
    }

    static var bash: String {
        let files = Set(commands.flatMap(\.flags).filter(isFile).map(\.name)).sorted().joined(separator: "|")
        let words = commands.map { command in
            let words = (command.flags.map(\.name) + command.words).joined(separator: " ")
            let ids = command.operandNames == nil ? "" : " $ids"
            return "        \(command.name)) COMPREPLY=($(compgen -W \"\(words)\(ids)\" -- \"$current\")) ;;"
        }
        let cases = names(of: "cases", in: "${from[*]}", of: "$id")
        let ids = names(of: "ids", in: "${from[*]}")
        let operands = Dictionary(grouping: commands.filter { $0.operandNames != nil }) { $0.operandNames ?? "" }
            .sorted { $0.key < $1.key }.map { kind, commands in
                "            \(commands.map { "'\($0.name) '*" }.joined(separator: "|")))\n                [[ $current == -* ]]"
                    + " || ids=\"$(\(names(of: kind, in: "${from[*]}")))\" ;;"
            }.joined(separator: "\n")
        let named = NameKind.wanted.map { command, flag, kind in
            "            '\(command) \(flag)')\n                COMPREPLY=($(compgen -W \"$(\(names(of: kind.rawValue, in: "${from[*]}")))\""
                + " -- \"$current\")); return ;;"
        }.joined(separator: "\n")
        return """
            # bash completion for proctor
            _proctor() {
                local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" ids=""
                COMPREPLY=()
                if [[ $COMP_CWORD -eq 1 ]]; then
                    COMPREPLY=($(compgen -W "\(names.joined(separator: " "))" -- "$current")); return
                fi
                local -a from=(); local word before="" id=""
                for word in "${COMP_WORDS[@]:2}"; do
                    case "$before" in \(switches.joined(separator: "|"))) before="" ;; esac
                    [[ $before != --fixtures ]] || from=("$word")
                    [[ $before != --scenario ]] || id="$word"
                    [[ -n $id || $word == -* || $before == --* ]] || id="$word"
                    before="$word"
                done
                case "${COMP_WORDS[1]} $previous" in
                    'run --case'|'grade --case')
                        COMPREPLY=($(compgen -W "$(\(cases))" -- "$current")); return ;;
                    'grade --scenario')
                        COMPREPLY=($(compgen -W "$(\(ids))" -- "$current")); return ;;
            \(named)
            \(operands)
                esac
                case "$previous" in
                    \(files)) COMPREPLY=($(compgen -f -- "$current")); return ;;
                esac
                case "${COMP_WORDS[1]}" in
            \(words.joined(separator: "\n"))
                    help) COMPREPLY=($(compgen -W "\(commands.map(\.name).joined(separator: " "))" -- "$current")) ;;
                esac
                [[ ${#COMPREPLY[@]} -gt 0 ]] || COMPREPLY=($(compgen -f -- "$current"))
            }
            complete -o filenames -F _proctor proctor

            """
    }

    /// A shell command that prints names, one a line, without errors.
    static func names(of kind: String, in paths: String, of id: String? = nil) -> String {
        let flag = id.map { "--cases-of \"\($0)\"" } ?? (kind == "ids" ? "--ids" : "--names \(kind)")
        // `command` avoids an alias or function of that name; an empty path means no folder.
        return "command proctor list --fixtures \"\(paths)\" \(flag) 2>/dev/null"
    }

    static var switches: [String] { Set(commands.flatMap(\.flags).filter { $0.value == nil }.map(\.name)).sorted() }

    /// Which names the flag's value is one of: `ids`, `cases` or a ``NameKind``; nil: none.
    static func names(wantedBy flag: Flag, of command: Command) -> String? {
        switch (command.name, flag.name) {
        case ("run", "--case"), ("grade", "--case"): "cases"
        case ("grade", "--scenario"): "ids"
        default: NameKind.wanted.first { $0.command == command.name && $0.flag == flag.name }?.kind.rawValue
        }
    }

    /// The text escaped for single quotes of all three shells, and for zsh's own brackets.
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
        var lines = ["# fish completion for proctor", fishFunctions]
        lines.append("complete -c proctor -n __fish_use_subcommand -f")
        let more = [("help", "Says more about a command")]
        for (name, summary) in commands.map({ ($0.name, $0.summary) }) + more {
            lines.append("complete -c proctor -n __fish_use_subcommand -a \(name) -d '\(quoted(summary))'")
        }
        for command in commands {
            let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
            for flag in command.flags {
                let value = flag.value == nil ? "" : isFile(flag) ? " -r -F" : " -x"
                let function = names(wantedBy: flag, of: command).map { " -a '(__proctor_\($0))'" } ?? ""
                lines.append(
                    "complete -c proctor \(condition) -l \(flag.name.dropFirst(2))\(value)\(function)"
                        + " -d '\(quoted(flag.help))'")
            }
            for word in command.words { lines.append("complete -c proctor \(condition) -f -a \(word)") }
            if let names = command.operandNames {
                lines.append("complete -c proctor \(condition) -a '(__proctor_\(names))'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static var fishFunctions: String {
        let ids = names(of: "ids", in: "$fixtures")
        let cases = names(of: "cases", in: "$fixtures", of: "$id")
        let named = NameKind.offered.map { kind in
            "function __proctor_\(kind.rawValue)\n    set -l fixtures (__proctor_value --fixtures)\n    "
                + "\(names(of: kind.rawValue, in: "$fixtures"))\nend"
        }.joined(separator: "\n")
        return """
            \(named)
            function __proctor_value -a flag
                set -l words (commandline -opc)
                set -l at (contains -i -- $flag $words); and echo $words[(math $at + 1)]
                string replace -rf -- "^$flag=" '' $words
            end
            function __proctor_ids
                set -l fixtures (__proctor_value --fixtures)
                \(ids)
            end
            function __proctor_cases
                set -l fixtures (__proctor_value --fixtures)
                set -l id (__proctor_value --scenario)
                if not set -q id[1]
                    set -l words (commandline -opc)
                    set -l skips 0
                    for word in $words[3..-1]
                        if test $skips = 1; set skips 0; continue; end
                        if string match -q -- '--*' $word
                            string match -q -- '*=*' $word; or contains -- $word \(switches.joined(separator: " ")); or set skips 1
                        else
                            set id $word; break
                        end
                    end
                end
                \(cases)
            end
            """
    }
}

extension Completions {
    static var zsh: String {
        var lines = ["#compdef proctor", zshFunctions, "local -a commands", "commands=("]
        for command in commands { lines.append("    '\(command.name):\(quoted(command.summary))'") }
        lines += [
            "    'help:Says more about a command'", "    'version:Prints the version'", ")",
            "if (( CURRENT == 2 )); then _describe command commands; return; fi", "case $words[2] in",
        ]
        for command in commands {
            lines.append("    \(command.name))")
            let flags = command.flags.map { flag in
                let action =
                    names(wantedBy: flag, of: command).map { "_proctor_\($0)" } ?? (isFile(flag) ? "_files" : "")
                let value = flag.value.map { ":\($0):\(action)" } ?? ""
                return "'\(flag.name)\(flag.value == nil ? "" : "=")[\(quoted(flag.help))]\(value)'"
            }
            lines.append(
                "        _arguments -s : \((["'1:command:'"] + flags).joined(separator: " ")) \(zshRest(command)) ;;")
        }
        lines += ["    help) _describe command commands ;;", "esac"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func zshRest(_ command: Command) -> String {
        let (operands, names) = (command.words, command.operandNames)
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

    /// The words of the typed line are in `words`.
    private static var zshFunctions: String {
        let named = NameKind.offered.map { kind in
            "_proctor_\(kind.rawValue)() {\n    local -a fixtures found; _proctor_fixtures\n    "
                + "found=(${(f)\"$(\(names(of: kind.rawValue, in: "${fixtures[*]}")))\"})\n    compadd -a found\n}"
        }.joined(separator: "\n")
        return """
            \(named)
            _proctor_fixtures() {
                local at=${words[(I)--fixtures]} joined=${(M)words:#--fixtures=*}
                fixtures=()
                (( at == 0 )) || fixtures=("${(Q)words[at+1]}")
                [[ -z $joined ]] || fixtures=("${(Q)joined#--fixtures=}")
            }
            _proctor_ids() {
                local -a fixtures ids; _proctor_fixtures
                ids=(${(f)"$(\(names(of: "ids", in: "${fixtures[*]}")))"})
                compadd -a ids
            }
            _proctor_cases() {
                local -a fixtures cases; _proctor_fixtures
                local at=${words[(I)--scenario]} joined=${(M)words:#--scenario=*} word id=${line[2]-}
                (( at == 0 )) || id=${words[at+1]}
                [[ -z $joined ]] || id=${joined#--scenario=}
                cases=(${(f)"$(\(names(of: "cases", in: "${fixtures[*]}", of: "$id")))"})
                compadd -a cases
            }
            """
    }
}
