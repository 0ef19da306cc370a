public import ProctorBase
public import ProctorLoop
public import ProctorTLS

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

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
    /// Every journal counts there what clients do wrong; nil: nobody counts.
    public var faults: ClientFaults?
    /// Whether each run gets a 127.x address of its own where the system has them (Linux), so that cookies of one run
    /// never reach another.
    ///
    /// Runs share the server's host otherwise.
    public var givesRunsAddresses = true
    /// What calls of the control API must show as `Authorization: Bearer`; wanted off loopback.
    public var token: String?
    /// Origins whose pages may call the control API beside the server's own, as browsers write them:
    /// `http://localhost:3000`.
    public var allowedOrigins: Set<String> = []
    /// Gets a line for each request that is answered; nil: nobody does.
    public var requestLines: RequestLines?
    /// Where the private authority lives that certificates are minted by; opened at the first use of TLS.
    public var authority: AuthorityPlace = .ephemeral(seed: nil)
    /// Folders that describe certificates (`certs/`), later ones for more; the package's own where it is a checkout.
    public var certificateFolders = ServerConfiguration.shippedCertificates
    /// Secrets of every session of TLS are written there, for Wireshark and its like.
    public var keyLogPath: String?
    /// Where the shared port speaks TLS, on a free port where that is 0; nil: nowhere.
    public var tlsAddress: SocketAddress?
    /// Of the process; says where ``AuthorityPlace/userData`` is.
    public var environment: [String: String] = [:]
    /// Gets a sentence about trouble that no client sees.
    public var report: @Sendable (String) -> Void = { _ in }

    /// A free port of 127.0.0.1 and one loop.
    public init() {}

    /// The folder `certs` of the checkout that the package is built from; none when that is gone.
    public static let shippedCertificates: [String] = {
        let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/certs"
        return unsafe access(folder, R_OK) == 0 ? [folder] : []
    }()
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
    /// The shared port can't speak TLS.
    case tls(SecurityRefusal)

    /// One sentence for a person, with what to do where that is known.
    public var description: String {
        switch self {
        case .address(let address, let failure): "can't listen on \(address): \(failure.text)"
        case .unknownScenario(let id, let nearest):
            "there is no scenario '\(id)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .tls(let refusal): "TLS can't be spoken: \(refusal)"
        case .stopped: "the server is being stopped"
        case .tooManyRuns(let limit): "\(limit) runs are open, which is the limit; end some first"
        }
    }
}
