public import ProctorBase
public import ProctorLoop

/// How a server is set up; the default suits a test process.
public struct ServerConfiguration: Sendable {
    /// Where the shared port listens; port 0 asks the system for a free one.
    public var address: SocketAddress = .ipv4(host: "127.0.0.1", port: 0)
    /// A Unix socket that serves the same.
    public var unixPath: String?
    /// Loops, each on a thread of its own; 1 or more.
    public var threadCount = 1
    /// What is bounded, and by how much.
    public var limits = ServerLimits()
    /// Every journal is also written here.
    public var journalFile: JournalFile?
    /// Whether each run gets a 127.x address of its own where the system has them (Linux), so that cookies of one run
    /// never reach another.
    ///
    /// Runs share the server's host otherwise.
    public var givesRunsAddresses = true
    /// What calls of the control API must show as `Authorization: Bearer`; wanted off loopback.
    public var token: String?
    /// Gets a sentence about trouble that no client sees.
    public var report: @Sendable (String) -> Void = { _ in }

    /// A free port of 127.0.0.1 and one loop.
    public init() {}
}

/// Why a server or a run could not begin.
public enum ServerStartFailure: Error, Sendable, CustomStringConvertible {
    /// An address can't be bound.
    case address(SocketAddress, CallFailure)
    /// There is no such scenario.
    case unknownScenario(String, nearest: String?)
    /// The server is being stopped.
    case stopped
    /// The limit of runs at a time is reached.
    case tooManyRuns(limit: Int)

    /// One sentence for a person, with what to do where that is known.
    public var description: String {
        switch self {
        case .address(let address, let failure): "can't listen on \(address): \(failure.text)"
        case .unknownScenario(let id, let nearest):
            "there is no scenario '\(id)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .stopped: "the server is being stopped"
        case .tooManyRuns(let limit): "\(limit) runs are open, which is the limit; end some first"
        }
    }
}
