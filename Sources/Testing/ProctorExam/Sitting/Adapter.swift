/// A program that reads an assignment from standard input, drives a client, and writes the client's trace
/// (Docs/clients/adapters.md).
package struct Adapter: Sendable {
    /// The program and its arguments; never empty.
    package var command: [String]
    package var environment: [String: String]
    /// Whether one process is given several assignments in turn, which the adapter must support (Docs/clients/kits.md).
    package var takesManyAssignments = false
    /// The command line that is the client; nil: the command is an adapter.
    package var commandLine: CommandClient?
    /// The port at which the adapter connects; nil: it is started as a child.
    ///
    /// The command is then the port's address, for reports.
    package var port: AdapterPort?

    /// The variables that an adapter inherits; those of proxies and similar settings are left out.
    private static let inherited = [
        "PATH", "HOME", "TMPDIR", "USER", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "JAVA_HOME",
        // The folders in which adapters keep what they build or install at their first start.
        "XDG_CACHE_HOME", "XDG_DATA_HOME",
    ]

    /// Copies the needed variables from `environment`, usually that of this process.
    package init(command: [String], environment: [String: String]) {
        self.command = command
        self.environment = environment.filter { Self.inherited.contains($0.key) }
        self.environment["NO_PROXY"] = "*"
        self.environment["no_proxy"] = "*"
        // A backtrace takes longer than the watchdog waits, and hides the line with the reason.
        self.environment["SWIFT_BACKTRACE"] = "enable=no"
    }
}
