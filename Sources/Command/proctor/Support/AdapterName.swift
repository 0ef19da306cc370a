/// Makes a client's name for reports from the command of its adapter.
enum AdapterName {
    /// Programs that run a script, such as `python3` and `python3.12`.
    private static let interpreters: Set<String> = [
        "bash", "bun", "deno", "env", "java", "node", "perl", "php", "pypy", "python", "ruby", "sh", "swift", "zsh",
    ]

    private static let longest = 100
    static let permission = "1 to \(longest) characters without control characters"

    static func isPermitted(_ name: String) -> Bool {
        1...longest ~= name.count && !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }

    /// The program's name without its folder; for an interpreter, that of its script, the first argument that is a
    /// file, or of its module, as `python3 -m NAME` has it.
    static func name(of command: [String]) -> String { lastSegment(of: command[place(of: command) ?? 0]) }

    /// The index of the word that names the program; nil for an interpreter without a script or a module.
    static func place(of command: [String]) -> Int? {
        let program = lastSegment(of: command[0])
        let family = program.prefix { !$0.isNumber && $0 != "." && $0 != "-" }
        guard interpreters.contains(String(family)) else { return 0 }
        if command.count > 2, command[1] == "-m" { return 2 }
        return command.indices.dropFirst().first { FileKind(of: command[$0]) == .regular }
    }

    private static func lastSegment(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
