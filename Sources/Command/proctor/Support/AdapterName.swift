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
    /// file.
    static func name(of command: [String]) -> String {
        let program = lastSegment(of: command[0])
        let family = program.prefix { !$0.isNumber && $0 != "." && $0 != "-" }
        guard interpreters.contains(String(family)) else { return program }
        return command.dropFirst().first { FileKind(of: $0) == .regular }.map(lastSegment) ?? program
    }

    private static func lastSegment(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
