public import ProctorHTTP

/// One thing the server saw or did.
public struct JournalEntry: Sendable {
    /// Counts from 1 in each journal, without gaps; a gap means dropped entries.
    public let sequence: UInt64
    /// CLOCK_MONOTONIC.
    public let nanoseconds: UInt64
    /// 0-based, counted for each run; nil for what came by another way.
    public let connection: Int?
    /// 0-based, counted for each run; nil for what belongs to no request.
    public let request: Int?
    /// What it tells.
    public let event: JournalEvent

    /// Made by a journal, which alone knows the sequence.
    public init(sequence: UInt64, nanoseconds: UInt64, connection: Int?, request: Int?, event: JournalEvent) {
        self.sequence = sequence
        self.nanoseconds = nanoseconds
        self.connection = connection
        self.request = request
        self.event = event
    }
}

/// What a journal entry tells.
public enum JournalEvent: Sendable {
    /// The names of the origin and of both ends, as `127.0.0.1:8088`.
    indirect case connectionOpened(origin: String, peer: String, local: String)
    /// The first message of TLS came whole, on a connection that speaks it.
    indirect case clientHello(ClientHelloNote)
    /// A handshake of TLS is complete; requests can follow.
    indirect case secured(HandshakeNote)
    /// A handshake ended without success: where it stood, and why, as a sentence.
    indirect case handshakeFailed(moment: String, reason: String)
    /// An alert of TLS was sent or has come; close_notify too.
    indirect case alert(AlertNote)
    /// A complete request head; `target` is the request-target as the scenario sees it (without a mount's prefix).
    case requestHead(RequestHead, target: [UInt8])
    /// Another origin than the connection's own answers the request, or its tunnel; how it was found.
    case routed(origin: String, by: Routing)
    /// A proxy has opened a tunnel to an origin; what comes through it is told of as a connection of its own.
    case tunnelOpened(authority: String, origin: String, connection: Int)
    /// What the reference model makes of the Set-Cookie fields of the reply that begins now.
    indirect case cookiesSet([SetCookieNote])
    /// What the reference model makes of the request's cookies.
    indirect case cookiesJudged(CookieVerdict)
    /// The end of a request: its content as far as kept, how long it was in all, and its trailer fields.
    indirect case requestBody(RequestBody)
    /// Bytes that no other entry holds, as far as they are kept; of a request where its number stands with it.
    indirect case bytesReceived(ReceivedBytes)
    /// A step of a reply's script that expects bytes on a connection that is no HTTP any more is over.
    indirect case bytesExpected(ExpectedBytes)
    /// 100 (Continue) went out, for the request expects it and its body is wanted (RFC 9110 §10.1.1).
    ///
    /// A 100 (Continue) that a fixture writes is part of its reply.
    case continueSent
    /// A departure from the specification, in the head, the body or between requests.
    indirect case violation(Violation)
    /// Exchange and reply (by turn, 0-based) that answer the request.
    case exchangeChosen(exchange: Int, turn: Int)
    /// No exchange matched: what was nearest and why it did not match.
    indirect case missed(Miss)
    /// A guard of the chosen exchange has looked at the request's credential; one entry for each guard that was asked.
    indirect case guarded(GuardVerdict)
    /// An effect was played: `wait 50ms` at `body 4096`.
    case effectPlayed(action: String, position: String)
    /// A reply was cut into this many slices, and how their boundaries were kept.
    case slicesKept(count: Int, by: SliceKeeping)
    /// A sync point was passed: the event, and why the reply went on.
    case syncPassed(event: String, how: SyncPassing)
    /// The first byte of a reply's head, or of an interim one, goes out with the next write: what the client is told.
    case replyBegun(SentReply)
    /// A reply went out: its status (nil for raw bytes) and the bytes handed to the socket.
    case replySent(status: Int?, byteCount: Int)
    /// A reply could not be sent to its end.
    case replyAborted(sentByteCount: Int, reason: String)
    case connectionClosed(by: Party, how: Ending)
    /// The client has reached a bound of the run; said once for each bound, and of each guard.
    indirect case boundReached(ReachedBound)
    /// The client has reported that an event of its own came, for the task of that number.
    case clientReached(event: String, task: Int)

    /// How the end of one write was kept apart from the beginning of the next.
    public enum SliceKeeping: String, Sendable, CaseIterable {
        /// The peer's receive queue was seen to be empty before each write.
        case queue
        /// A pause stood before each write; the system does not tell of the peer's queue.
        case pause
    }

    /// How the origin of a request was found.
    public enum Routing: String, Sendable, CaseIterable {
        /// By its Host field.
        case host
        /// By its target in absolute-form, which a proxy is sent (RFC 9112 §3.2.2).
        case absolute
        /// By the target of CONNECT.
        case tunnel
    }

    /// Why a reply that awaited an event of the client went on.
    public enum SyncPassing: String, Sendable, CaseIterable {
        /// The client had reported it.
        case reached
        /// The client had not reported it when the bound was over.
        case timedOut
        /// This client reports nothing, so that only a short while was waited.
        case unreported
    }

    /// Who ended a connection.
    public enum Party: String, Sendable, CaseIterable {
        case client, server
    }

    /// How a connection ended.
    public enum Ending: String, Sendable, CaseIterable {
        /// FIN.
        case closed
        /// RST.
        case reset
        /// Our own limit of time.
        case timedOut
        /// The peer's bytes could not be read as HTTP.
        case refused
        /// The server or the run ended.
        case stopped
    }
}

/// A request's content as it arrived.
public struct RequestBody: Sendable, Equatable {
    /// The first bytes of the content, up to the journal's limit.
    public let kept: [UInt8]
    /// Bytes of content (without chunk heads).
    public let byteCount: Int
    /// False when the peer left or was not read to the end.
    public let isComplete: Bool
    /// Trailer field lines, each raw without its line end, in order.
    public let trailers: [[UInt8]]
    /// Bytes of each chunk in order, the last one left out; empty where the content was not chunked; the first 1,000.
    public let chunks: [Int]
    /// The line before each chunk as it came, without its line end, the last one too; the first 1,001, and 64 KiB of them.
    public let chunkLines: [[UInt8]]
    /// Whether the client kept it back: it had asked for 100 (Continue) and was not sent it, and not a byte had come when its
    /// next request began, or when the connection ended (RFC 9110 §10.1.1).
    public let isWithheld: Bool

    /// `byteCount` may be greater than the count of `kept`.
    public init(
        kept: [UInt8], byteCount: Int, isComplete: Bool, trailers: [[UInt8]], chunks: [Int] = [],
        chunkLines: [[UInt8]] = [], isWithheld: Bool = false
    ) {
        self.chunkLines = chunkLines
        self.isWithheld = isWithheld
        self.kept = kept
        self.byteCount = byteCount
        self.isComplete = isComplete
        self.trailers = trailers
        self.chunks = chunks
    }
}

/// A request that no exchange answers, and the exchange it came nearest to.
public struct Miss: Sendable, Equatable {
    /// 0-based; nil when the scenario has none for this origin.
    public let nearestExchange: Int?
    /// One sentence a field: what was wanted, what came.
    public let differences: [String]

    /// Differences are whole sentences, for a person.
    public init(nearestExchange: Int?, differences: [String]) {
        self.nearestExchange = nearestExchange
        self.differences = differences
    }
}
