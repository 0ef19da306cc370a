/// A program that takes an assignment on standard input, drives a client, and writes the client's trace.
///
/// Docs/adapters.md says what is expected of one.
public struct Adapter: Sendable {
    /// The program and its arguments; never empty.
    public var command: [String]
    /// What it finds in its environment.
    public var environment: [String: String]

    /// Names that an adapter needs of its surroundings; proxies and their like are kept from it.
    private static let inherited = [
        "PATH", "HOME", "TMPDIR", "USER", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME",
    ]

    /// Takes what it needs from `environment`, which is usually this process's.
    public init(command: [String], environment: [String: String]) {
        self.command = command
        self.environment = environment.filter { Self.inherited.contains($0.key) }
        self.environment["NO_PROXY"] = "*"
        self.environment["no_proxy"] = "*"
        // A backtrace takes longer than the watchdog likes, and hides the line that says what happened.
        self.environment["SWIFT_BACKTRACE"] = "enable=no"
    }
}
