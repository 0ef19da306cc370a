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
