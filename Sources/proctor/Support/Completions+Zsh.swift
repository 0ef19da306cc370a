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
