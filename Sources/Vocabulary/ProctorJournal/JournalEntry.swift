public import ProctorHTTP

/// One thing that the server saw or did.
public struct JournalEntry: Sendable {
    /// Counts from 1 in each journal; a gap means dropped entries.
    public let sequence: UInt64
    /// The time by CLOCK_MONOTONIC.
    public let nanoseconds: UInt64
    // -1 stands for none, so that an entry has 64 bytes.
    @usableFromInline let connectionNumber: Int
    @usableFromInline let requestNumber: Int
    /// What happened, with its details.
    public let event: JournalEvent

    /// 0-based, counted for each run; nil for an entry about no connection.
    @inlinable public var connection: Int? { connectionNumber < 0 ? nil : connectionNumber }
    /// 0-based, counted for each run; nil for an entry about no request.
    @inlinable public var request: Int? { requestNumber < 0 ? nil : requestNumber }

    /// Only a journal makes entries, because it counts the sequence.
    @inlinable package init(sequence: UInt64, nanoseconds: UInt64, connection: Int?, request: Int?, event: JournalEvent)
    {
        (self.sequence, self.nanoseconds) = (sequence, nanoseconds)
        connectionNumber = connection ?? -1
        requestNumber = request ?? -1
        self.event = event
    }
}

/// What a journal entry reports.
public enum JournalEvent: Sendable {
    /// The first entry of a run that takes anything at random: the seed by which it can be played again.
    case runBegun(seed: UInt64)
    /// A connection opened: the name of the origin, and the addresses of both ends, as `127.0.0.1:8088`.
    indirect case connectionOpened(origin: String, peer: String, local: String)
    /// The ClientHello came whole, on a connection with TLS.
    indirect case clientHello(ClientHelloNote)
    /// A handshake of TLS is complete; requests can follow.
    indirect case secured(HandshakeNote)
    /// A handshake ended without success: how far it was, and why, as a sentence.
    indirect case handshakeFailed(moment: String, reason: String)
    /// An alert of TLS was sent or received; close_notify is one too.
    indirect case alert(AlertNote)
    /// A complete request head; `target` is the request-target as the scenario sees it (without a mount's prefix).
    case requestHead(RequestHead, target: [UInt8])
    /// The request came before the replies to so many requests before it on its connection had gone out (RFC 9112
    /// §9.3.2); noted where a case of the scenario asks for it.
    case pipelined(behind: Int)
    /// The origin that answers the request or its tunnel is not the connection's own; `by` says how it was found.
    case routed(origin: String, by: Routing)
    /// A proxy opened a tunnel to an origin; the bytes in it have a connection number of their own.
    indirect case tunnelOpened(authority: String, origin: String, connection: Int)
    /// How the reference model judges the Set-Cookie fields of the reply that begins now.
    indirect case cookiesSet([SetCookieNote])
    /// How the reference model judges the request's cookies.
    indirect case cookiesJudged(CookieVerdict)
    /// The end of a request: its content as far as it is kept, its byte count, and its trailer fields.
    indirect case requestBody(RequestBody)
    /// Bytes that no other entry holds, as far as they are kept; with a request number they belong to that request.
    indirect case bytesReceived(ReceivedBytes)
    /// A script step that expects bytes after the end of HTTP on a connection is over.
    indirect case bytesExpected(ExpectedBytes)
    /// 100 (Continue) was sent, because the request expects it and its body is wanted (RFC 9110 §10.1.1).
    ///
    /// A 100 (Continue) that a fixture writes is part of its reply.
    case continueSent
    /// The client departed from the specification, in the head, the body or between requests.
    indirect case violation(Violation)
    /// A frame of HTTP/2 came, or is part of the next write.
    case frame(FrameNote)
    /// A field block of HTTP/2 came whole, or is part of the next write; it stands behind its frames.
    case fieldBlock(FieldBlockNote)
    /// The client's frames departed from the specification of HTTP/2; it stands behind the frame.
    indirect case frameViolation(FrameViolationNote)
    /// The opening handshake of a WebSocket, a frame of it, or what was expected on it.
    indirect case webSocket(WebSocketNote)
    /// What a client of a SOCKS proxy says before its tunnel.
    indirect case socks(SOCKSNote)
    /// What the run's server of DNS was asked, what it did, or what is wrong with a question.
    indirect case dns(DNSNote)
    /// What a client that sends given bytes sent, got and missed, at its own end of what stands between it and the server.
    indirect case downstream(DownstreamNote)
    /// The exchange and reply (by turn, 0-based) that answer the request.
    case exchangeChosen(exchange: Int, turn: Int)
    /// The chosen reply, or a call of the control API, changed a value of the run's state.
    indirect case stateChanged(StateChange)
    /// The run's clock was set or moved, or stands still.
    indirect case clockMoved(ClockNote)
    /// A change of the state was not possible; it fails the case.
    indirect case stateRefused(StateRefusal)
    /// No exchange matched; the payload has the nearest one and why it did not match.
    indirect case missed(Miss)
    /// A guard of the chosen exchange judged the request's credential; one entry for each guard.
    indirect case guarded(GuardVerdict)
    /// What the scenario's OpenAPI description says of the request or the reply, where that is not "nothing wrong".
    indirect case described(DescriptionNote)
    /// The server made a request to the client's listener, or an answer came.
    indirect case webhook(WebhookNote)
    /// An effect happened: `wait 0.05 seconds` at `body 4096`.
    indirect case effectPlayed(PlayedEffect)
    /// A reply was cut into this many slices; `by` says how their boundaries were kept.
    case slicesKept(count: Int, by: SliceKeeping)
    /// A reply waited for an event of the client; `how` says why it went on.
    case syncPassed(event: String, how: SyncPassing)
    /// The first byte of a reply's head, or of an interim one, is part of the next write.
    case replyBegun(SentReply)
    /// A reply was sent: its status (nil for raw bytes) and the bytes handed to the socket.
    case replySent(status: Int?, byteCount: Int)
    /// A reply could not be sent to its end; `client` says how the client ended it, nil where it did not.
    case replyAborted(sentByteCount: Int, reason: String, client: ClientEnd? = nil)
    /// A reply could not be made: the request gets a 500, and the case fails.
    indirect case replyFailed(FailedReply)
    /// FIN of the client has come while a reply waits: it sends nothing more, and may still read.
    case finReceived
    case connectionClosed(by: Party, how: Ending)
    /// The client reached a bound of the run; one entry for each bound, and for each guard.
    indirect case boundReached(ReachedBound)
    /// A loop's thread worked at one thing for longer than the server's bound, so that other connections waited.
    indirect case loopHeld(HeldLoop)
    /// A connection or a stream beyond a bound of the server was refused.
    indirect case turnedAway(TurnedAway)
    /// The client reported an event of its own, for the task of that number.
    case clientReached(event: String, task: Int)

    /// How a server keeps the end of one write apart from the beginning of the next.
    public enum SliceKeeping: String, Sendable, CaseIterable {
        /// The peer's receive queue was empty before each write.
        case queue
        /// A pause came before each write, because the system does not report the peer's queue.
        case pause
    }

    /// How the origin of a request was found.
    public enum Routing: String, Sendable, CaseIterable {
        /// The Host field names the origin.
        case host
        /// The target names the origin, in absolute-form, which a proxy is sent (RFC 9112 §3.2.2).
        case absolute
        /// The target of CONNECT names the origin.
        case tunnel
    }

    /// Why a reply that awaited an event of the client went on.
    public enum SyncPassing: String, Sendable, CaseIterable {
        /// The client reported the event.
        case reached
        /// The client did not report the event within the time bound.
        case timedOut
        /// The client reports no events, so that the reply waited only for a short time.
        case unreported
    }

    /// How a client ends a reply before its end: it closes the connection, or resets it or the stream.
    public enum ClientEnd: String, Sendable, CaseIterable { case left, reset }

    /// Who ended a connection.
    public enum Party: String, Sendable, CaseIterable { case client, server }

    /// How a connection ended.
    public enum Ending: String, Sendable, CaseIterable {
        /// FIN.
        case closed
        /// RST.
        case reset
        /// A time limit of the server.
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
    /// Whether the client kept the content back.
    ///
    /// It had asked for 100 (Continue), did not get it, and had sent no byte of content when its next request began,
    /// or when the connection ended (RFC 9110 §10.1.1).
    public let isWithheld: Bool
    /// The content without its codings; nil where it came without one, is not what they say, or is not kept as a whole.
    package let decoded: SentContent?

    /// `byteCount` may exceed the count of `kept`.
    package init(
        kept: [UInt8], byteCount: Int, isComplete: Bool, trailers: [[UInt8]], chunks: [Int] = [],
        chunkLines: [[UInt8]] = [], isWithheld: Bool = false, decoded: SentContent? = nil
    ) {
        self.decoded = decoded
        (self.chunkLines, self.isWithheld, self.kept, self.byteCount) = (chunkLines, isWithheld, kept, byteCount)
        (self.isComplete, self.trailers, self.chunks) = (isComplete, trailers, chunks)
    }
}

/// A loop whose thread works at one thing for long, as it was when the bound was reached.
public struct HeldLoop: Sendable, Equatable {
    /// The position of the loop, from 0.
    package let loop: Int
    package let milliseconds: Int
    /// The request line, cut at 300 bytes; nil where the thread works at no request of a scenario.
    package let line: String?
    package let work: Work
    /// The exchange whose script runs.
    package let exchange: Int?

    package enum Work: String, Sendable, CaseIterable {
        /// A script that answers.
        case script
        /// A script that says whether a request is the one that its exchange waits for.
        case condition
        /// The scripts and libraries of the scenario are compiled, and the libraries run.
        case libraries
        /// The reply is chosen or made.
        case reply
        case unknown
    }

    package init(loop: Int, milliseconds: Int, line: String?, work: Work, exchange: Int?) {
        (self.loop, self.milliseconds, self.line, self.work, self.exchange) = (loop, milliseconds, line, work, exchange)
    }

    /// For a person: `loop 0 is held for 1.2 s by GET /a: the script of exchange 0 runs`.
    package var sentence: String {
        let work =
            switch work {
            case .script: "the script of exchange \(exchange ?? 0) runs"
            case .condition: "the script of exchange \(exchange ?? 0) is asked whether it is its request"
            case .libraries: "scripts are compiled and libraries loaded"
            case .reply: "its reply is chosen or made"
            case .unknown: "what it works at is not known"
            }
        let by = line.map { " by \($0)" } ?? ""
        return "loop \(loop) is held for \(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s\(by): \(work)"
    }
}

/// Why the fixture's reply to a request could not be made.
public struct FailedReply: Sendable, Equatable {
    /// A sentence without a subject, or with a place: `it needs all content of its request, which is …`.
    public let reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    /// For a person.
    package var sentence: String { "the reply could not be made: \(reason)" }
}

/// A request that no exchange answers, and the nearest exchange, if one is near.
public struct Miss: Sendable, Equatable {
    /// 0-based; nil when the request is like none of this origin.
    package let nearestExchange: Int?
    /// One sentence for each field: what was wanted and what came.
    package let differences: [String]

    package init(nearestExchange: Int?, differences: [String]) {
        (self.nearestExchange, self.differences) = (nearestExchange, differences)
    }
}

/// A bound of a run that its client reached; further input is refused.
public struct ReachedBound: Sendable, Equatable {
    package let kind: Kind
    package let count: Int
    /// The guard whose refusals are counted; nil for the other kinds.
    package let guardName: String?
    /// The fault of the last credential; nil for the other kinds, and where only the nonce was too old.
    package let fault: CredentialFault?

    package enum Kind: String, Sendable, CaseIterable {
        case requests
        case connections
        case refusals
    }

    package init(_ kind: Kind, count: Int, guardName: String? = nil, fault: CredentialFault? = nil) {
        (self.kind, self.count, self.guardName, self.fault) = (kind, count, guardName, fault)
    }

    /// What the client does wrong, for a person.
    package var sentence: String {
        switch kind {
        case .requests: "the client repeats requests without end: \(count) have come, and no more are answered"
        case .connections: "the client connects without end: \(count) connections have come, and no more are served"
        case .refusals:
            "the client repeats a refused credential without end: guard \(guardName ?? "?") has refused \(count) in a row"
                + (fault.map { ", the last one because \($0.sentence) (\($0.section))" } ?? "")
        }
    }
}

/// A connection or a stream that was refused because the server had as many as it may have.
public struct TurnedAway: Sendable, Equatable {
    package let kind: Kind
    /// So many were open.
    package let limit: Int
    /// The number of the stream of HTTP/2; nil for a connection.
    package let stream: UInt32?

    package enum Kind: String, Sendable, CaseIterable {
        /// A connection was refused: it got 503, or the alert internal_error.
        case connections
        /// A stream was refused: it got RST_STREAM with REFUSED_STREAM.
        case streams
    }

    package init(_ kind: Kind, limit: Int, stream: UInt32? = nil) {
        (self.kind, self.limit, self.stream) = (kind, limit, stream)
    }

    /// For a person.
    package var sentence: String {
        switch kind {
        case .connections: "a connection was refused, since \(limit) were open, which is the limit of the server"
        case .streams:
            "stream \(stream ?? 0) was refused, since the replies on \(limit) streams waited, which is the limit of "
                + "the server"
        }
    }
}

/// Bytes that arrived and stand in no other entry of a journal.
public struct ReceivedBytes: Sendable, Equatable {
    package let kind: Kind
    package let kept: [UInt8]
    package let byteCount: Int

    package enum Kind: String, Sendable, CaseIterable {
        /// A request that was refused, from its first byte; or refused content, from the first byte of the part that
        /// can't be read.
        case refused
        /// A head, or a line within chunked content, that was incomplete when the connection ended.
        case unfinished
        /// Bytes behind a request, on a connection where no other request is read.
        case behind
        /// The framed body of a request that came after the reply had ended the connection.
        case late
        /// Bytes after HTTP: behind 101 (Switching Protocols), or behind a 2xx reply to CONNECT (RFC 9110 §7.8,
        /// §9.3.6).
        case opaque
    }

    /// Bytes that one entry keeps.
    package static let keptByteLimit = 64 << 10

    package init(_ kind: Kind, kept: [UInt8], byteCount: Int) {
        (self.kind, self.kept, self.byteCount) = (kind, kept, byteCount)
    }
}

/// The result of a script step that expects bytes after the end of HTTP on a connection.
public struct ExpectedBytes: Sendable, Equatable {
    package let byteCount: Int
    package let metByteCount: Int
    package let outcome: Outcome
    /// The expected bytes behind the met ones, at most ``shownByteLimit``; nil where any bytes are accepted.
    package let wanted: [UInt8]?
    /// The bytes that came in the place of `wanted`, at most ``shownByteLimit``.
    package let got: [UInt8]

    package enum Outcome: String, Sendable, CaseIterable {
        case met
        case differed
        case ended
        case timedOut
    }

    /// Bytes that an entry shows where others came.
    package static let shownByteLimit = 64

    /// For a step that was met, `wanted` and `got` mean nothing.
    package init(byteCount: Int, metByteCount: Int, outcome: Outcome, wanted: [UInt8]? = nil, got: [UInt8] = []) {
        (self.byteCount, self.metByteCount, self.outcome, self.wanted) = (byteCount, metByteCount, outcome, wanted)
        self.got = got
    }
}
