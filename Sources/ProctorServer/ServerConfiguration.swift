public import ProctorBase
public import ProctorHTTP
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
    /// Every journal counts there what clients do wrong; nil: it is not counted.
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
    /// Gets a line for each request that is answered; nil: none is written.
    public var requestLines: RequestLines?
    /// Where the private authority lives that certificates are minted by; opened at the first use of TLS.
    public var authority: AuthorityStorage = .ephemeral(seed: nil)
    /// Folders that describe certificates (`certs/`), later ones for more; the package's own where it is a checkout.
    public var certificateFolders = ServerConfiguration.shippedCertificates
    /// Secrets of every session of TLS are written there, for Wireshark and its like.
    public var keyLogPath: String?
    /// Where the shared port speaks TLS, on a free port where that is 0; nil: nowhere.
    public var tlsAddress: SocketAddress?
    /// Of the process; says where ``AuthorityStorage/userData`` is.
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

/// What the server bounds; each bound that is hit is named in the refusal or the journal.
public struct ServerLimits: Sendable {
    /// Parts of one request, in bytes.
    public var request = RequestLimits()
    /// Connections of one listening address on one loop; a further one is answered with 503.
    public var connectionCount = 20_000
    /// Time for a handshake of TLS, but for the making of a certificate.
    public var handshakeDuration = Duration.seconds(10)
    /// Time from the first byte of a head to its end.
    public var headDuration = Duration.seconds(20)
    /// Time a kept-alive connection may be silent between requests.
    public var idleDuration = Duration.seconds(75)
    /// Time without any progress while a body is read or a reply is written.
    public var progressDuration = Duration.seconds(60)
    /// The longest a `stall` lasts.
    public var stallDuration = Duration.seconds(60)
    /// How long a reply waits for an event that the client is to report, where its fixture says nothing.
    public var awaitDuration = Duration.seconds(10)
    /// The same for a client of which nothing was heard yet and nothing promised.
    public var unreportedAwaitDuration = Duration.milliseconds(100)
    /// How long `close` and `reset` wait until the peer has received what was sent.
    public var settleDuration = Duration.seconds(2)
    /// How long a closing connection waits for what the peer still sends, so that it gets our last bytes.
    public var lingerDuration = Duration.seconds(2)
    /// How long that may go on with a peer that sends all the time.
    public var wholeLingerDuration = Duration.seconds(30)
    /// Bytes read and dropped while a connection closes.
    public var lingerByteCount = 64 << 20
    /// The first bytes of a request's content that are kept for matching and the journal.
    public var keptBodyByteCount = 1 << 20
    /// Bytes of a reply's content when it is coded; beyond memory they stand in a temporary file.
    public var codedByteCount = 4 << 30
    /// For each run.
    public var journal = Journal.Limits()
    /// For each scenario of the shared port, which is kept for looking, not for judging.
    public var standingJournal = Journal.Limits(entryCount: 1_000, byteCount: 4 << 20)
    /// Runs at a time.
    public var runCount = 4_096

    /// Bounds that no honest client of a test meets.
    public init() {}
}

/// The server's limits as connections use them, with times in the unit that waits take.
///
/// One for all connections of an address, so that an idle one costs a reference.
final class ConnectionBounds: Sendable {
    let request: RequestLimits
    let keptBodyByteCount: Int
    let lingerByteCount: Int
    let codedByteCount: Int
    // Nanoseconds.
    let handshake: UInt64
    let head: UInt64
    let idle: UInt64
    let progress: UInt64
    let stall: UInt64
    let settle: UInt64
    let linger: UInt64
    let wholeLinger: UInt64
    let `await`: UInt64
    let unreportedAwait: UInt64

    init(_ limits: ServerLimits) {
        request = limits.request
        keptBodyByteCount = limits.keptBodyByteCount
        lingerByteCount = limits.lingerByteCount
        codedByteCount = limits.codedByteCount
        handshake = limits.handshakeDuration.wholeNanoseconds
        head = limits.headDuration.wholeNanoseconds
        idle = limits.idleDuration.wholeNanoseconds
        progress = limits.progressDuration.wholeNanoseconds
        stall = limits.stallDuration.wholeNanoseconds
        settle = limits.settleDuration.wholeNanoseconds
        linger = limits.lingerDuration.wholeNanoseconds
        wholeLinger = limits.wholeLingerDuration.wholeNanoseconds
        `await` = limits.awaitDuration.wholeNanoseconds
        unreportedAwait = limits.unreportedAwaitDuration.wholeNanoseconds
    }
}
