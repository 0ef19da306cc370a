package import ProctorBase
public import ProctorHTTP
public import ProctorJournal
public import ProctorLoop
package import ProctorReplies
package import ProctorServing
public import ProctorTLS

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The configuration of a server; the default suits a test process.
public struct ServerConfiguration: Sendable {
    /// Where the shared port listens; port 0 asks the system for a free one.
    public var address: SocketAddress = .ipv4(host: "127.0.0.1", port: 0)
    /// Path of a Unix socket that serves the same as the shared port; nil: none.
    public var unixPath: String?
    /// The number of event loops, each on a thread of its own; 1 or more.
    public var threadCount = 1
    /// The server's bounds of bytes, time and connections.
    public var limits = ServerLimits()
    /// The file to which every journal is also written; nil: none.
    package var journalFile: JournalFile?
    /// Counts what clients do wrong, over all journals; nil: nothing is counted.
    package var faults: ClientFaults?
    /// Whether each run gets a 127.x address of its own where the system has them (Linux), so that a client does not
    /// send cookies of one run to another.
    ///
    /// Otherwise runs use the server's host.
    public var givesRunsAddresses = true
    /// The token that calls of the control API must send as `Authorization: Bearer`; needed when the address is not
    /// loopback.
    public var token: String?
    /// Origins whose pages may call the control API, besides the server's own; written as browsers write them:
    /// `http://localhost:3000`.
    public var allowedOrigins: Set<String> = []
    /// The host by which browsers reach the pages and the control API, and at which no scenario answers.
    ///
    /// Browsers lead names below `localhost` to 127.0.0.1 by themselves; any other must lead to the server's address.
    public var pagesHost = "proctor.localhost"
    /// Gets a line for each answered request; nil: no lines are made.
    package var requestLines: RequestLines?
    /// Where the private certificate authority is stored; opened at the first use of TLS.
    public var authority: AuthorityStorage = .ephemeral(seed: nil)
    /// Folders that describe certificates (`certs/`); a later folder wins.
    ///
    /// The default is the package's own, where it is a checkout.
    public var certificateFolders = ServerConfiguration.shippedCertificates
    /// The file to which the secrets of every TLS session are written, for Wireshark and similar tools; nil: none.
    public var keyLogPath: String?
    /// The address at which the shared port speaks TLS; port 0 asks for a free one; nil: no TLS on the shared port.
    public var tlsAddress: SocketAddress?
    /// Whether plain HTTP that comes to ``tlsAddress`` gets no answer and its connection is closed.
    package var closesPlainHTTP = false
    /// Whether the shared port speaks HTTP/2 beside HTTP/1.1: where ALPN agrees on it, and without TLS where a client
    /// begins with its preface (RFC 9113 §3).
    public var speaksHTTP2 = false
    /// What serves HTTP/3; nil: this build has nothing that does.
    package var http3: (any DatagramProtocol)?
    /// Whether HTTP/3 is spoken too, at the UDP port with the number of ``tlsAddress``.
    package var speaksHTTP3 = false
    /// Ids of scenarios that answer at the root of the shared port too, and there before all that stands below an id.
    ///
    /// An id with a slash at its end is all scenarios below it, sorted. A request goes to the first scenario that has an
    /// exchange with its method, target and fields.
    public var rootScenarios: [String] = []
    /// Prefixes of the ids of packs, whose exchanges are not expected: a client uses what it needs of them.
    package var packs: [String] = []
    /// Environment variables of the process, which decide where ``AuthorityStorage/userData`` is.
    public var environment: [String: String] = [:]
    /// The seed of every run that is not given one, 0 to 2⁵³ − 1: what a run takes at random depends on it alone; nil:
    /// each run chooses one, which its journal has.
    public var seed: UInt64?
    /// The report of an exam, whose marks the catalogue shows and whose pages are served; nil: none.
    package var examReport: (any CatalogueMarks)?
    /// Calls of the control API that modules beside the core answer.
    package var calls: [ControlCall] = []
    /// Pages of modules beside the core.
    package var pages: [ServedPage] = []
    /// The folder of the packs of which runs are made; the default is that of the package, where it is a checkout.
    package var packFolder = ServerConfiguration.checkoutFolder("packs")
    /// Which exchanges were asked for, over all runs; that of a server is its own.
    package var uses = ExchangeUses()
    /// What the journals of the server have counted; that of a server is its own.
    package var tallies = JournalTallies()
    /// Gets a sentence about each problem that no client sees.
    public var report: @Sendable (String) -> Void = { _ in }

    /// A configuration with a free port of 127.0.0.1 and one loop.
    public init() {}

    /// The folder `certs` of the checkout that the package was built from; empty where that is gone.
    public static let shippedCertificates = checkoutFolder("certs").map { [$0] } ?? []

    private static func checkoutFolder(_ name: String) -> String? {
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/\(name)"
        return unsafe access(folder, R_OK) == 0 ? folder : nil
    }
}

extension ServerConfiguration {
    /// The seed of a run that is not given one.
    var runSeed: RunSeed { seed.map { RunSeed($0) } ?? .chosen() }

    /// The seeds that a run can be given.
    package static var seedRange: ClosedRange<UInt64> { RunSeed.range }
}

package enum ServerStartFailure: Error, Sendable, CustomStringConvertible {
    case address(SocketAddress, CallFailure)
    case unknownScenario(String, nearest: String?)
    case stopped
    case tooManyRuns(limit: Int)
    case tls(SecurityRefusal)
    /// A scenario of ``ServerConfiguration/rootScenarios`` that can't be served there.
    case root(String, reason: String)

    package var description: String {
        switch self {
        case .address(let address, let failure): "can't listen on \(address): \(failure.text)"
        case .unknownScenario(let id, let nearest):
            "there is no scenario '\(id)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
        case .tls(let refusal): "TLS can't be spoken: \(refusal)"
        case .root(let id, let reason): "scenario \(id) can't answer at the root of the shared port: \(reason)"
        case .stopped: "the server is being stopped"
        case .tooManyRuns(let limit): "\(limit) runs are open, which is the limit; end some first"
        }
    }
}

/// The bounds of a server; the refusal or the journal names each bound that is reached.
public struct ServerLimits: Sendable {
    /// The bounds of one request, in bytes.
    public var request = RequestLimits()
    /// Connections of one listening address on one loop; a further connection gets 503.
    public var connectionCount = 20_000
    /// Connections of the whole server; a further connection gets 503.
    public var wholeConnectionCount = 50_000
    /// Streams of HTTP/2 of the whole server whose replies wait; while there are as many, a connection that has a stream
    /// open gets no further one (RST_STREAM with REFUSED_STREAM).
    package var streamCount = 20_000
    /// What is open of that; a server makes it anew.
    var usage = ServerUsage()
    /// The longest duration of a TLS handshake, without the time to make a certificate.
    public var handshakeDuration = Duration.seconds(10)
    /// Time from the first byte of a head to its end.
    public var headDuration = Duration.seconds(20)
    /// The longest time that a kept-alive connection may be silent between requests.
    public var idleDuration = Duration.seconds(75)
    /// Connections of HTTP/2 of one listening address on one loop that keep, while they wait, what makes the next
    /// request cheap.
    package var awakeConnectionCount = 64
    /// How long any further one waits before it gives that back.
    package var restDuration = Duration.milliseconds(100)
    /// Connections of HTTP/3 of one listening address on one loop, beyond which a further one closes the one whose client
    /// has been silent longest: on which nothing is asked, or silent for 5 s.
    package var http3ConnectionCount = 500
    /// Time without any progress while a body is read or a reply is written.
    public var progressDuration = Duration.seconds(60)
    /// The longest a `stall` lasts.
    public var stallDuration = Duration.seconds(60)
    /// How long a reply waits for an event that the client is to report, where the fixture has no bound of its own.
    public var awaitDuration = Duration.seconds(10)
    /// How long a reply waits for an event of a client that has reported nothing and has not promised to report.
    package var unreportedAwaitDuration = Duration.milliseconds(100)
    /// How long a loop may work at one thing before a journal and ``ServerConfiguration/report`` say so.
    package var heldLoopDuration = Duration.seconds(1)
    /// How long the effects `close` and `reset` wait until the peer has received what was sent.
    package var settleDuration = Duration.seconds(2)
    /// How long a closing connection waits for more bytes of the peer, so that the peer receives our last bytes, and how
    /// long the connection of a client that said `close` is held behind a redirect, a challenge or a refusal for now.
    public var lingerDuration = Duration.seconds(2)
    /// How long a connection may stay in that state with a peer that sends all the time.
    package var wholeLingerDuration = Duration.seconds(30)
    /// Bytes read and dropped while a connection closes.
    package var lingerByteCount = 64 << 20
    /// The first bytes of a request's content that are kept for matching and the journal.
    package var keptBodyByteCount = 1 << 20
    /// Bytes of a reply's content after coding; content that is too long for memory is kept in a temporary file.
    package var codedByteCount = 4 << 30
    /// The bounds of each run's journal.
    public var journal = Journal.Limits()
    /// The bounds of the journal of each scenario of the shared port.
    package var standingJournal = Journal.Limits(entryCount: 1_000, byteCount: 4 << 20)
    /// The most runs at a time.
    public var runCount = 4_096

    /// Bounds that a correct client of a test does not reach.
    public init() {}
}
