import ProctorBase
import ProctorHTTP

/// Every object of a journal: its keys in the order in which they are written, with their types.
///
/// The writer and the reader use this list, and the tables of Docs/judging, which say what each key means, are compared
/// with it.
enum JournalTable {
    typealias Key = JournalField
    typealias Event<Payload> = JournalShape<Payload, JournalEvent>
    typealias Object<Value> = JournalShape<Value, Value>

    static let shapes = Dictionary(uniqueKeysWithValues: events.map { ($0.name, $0) })

    /// In the order of the documentation.
    static let events: [any JournalEventShape] = [
        runBegun, connectionOpened, clientHello, secured, handshakeFailed, alert, requestHead, pipelined, routed,
        tunnelOpened, cookiesSet, cookiesJudged, requestBody, bytesReceived, bytesExpected, continueSent, violation,
        frame, fieldBlock, frameViolation, webSocketOpened, webSocketFrame, webSocketViolation, webSocketExpected,
        socksGreeting, socksLogin, socksRequest, socksViolation, dnsQuestion, dnsReply, dnsViolation,
        downstreamOpened, downstreamSent, downstreamReceived, downstreamSaid, downstreamEnded, downstreamBetween,
        downstreamMissed, exchangeChosen,
        clockMoved, stateChanged, stateRefused, missed, guarded, described, webhookSent, webhookAnswered,
        webhookUnanswered, effectPlayed, slicesKept, syncPassed, replyBegun, replySent, replyAborted, replyFailed,
        finReceived, connectionClosed, boundReached, loopHeld, turnedAway, clientReached,
    ]

    static let line: Object<JournalLineStart> = Object {
        Key("seq", .number, \.sequence)
        Key("ns", .number, \.nanoseconds)
        Key("scenario", .text, ifAny: \.scenario)
        Key("run", .text, ifAny: \.run)
        Key("connection", .number, ifAny: \.connection)
        Key("request", .number, ifAny: \.request)
        Key("ev", .text, \.event)
    } make: {
        JournalLineStart(sequence: $0, nanoseconds: $1, scenario: $2, run: $3, connection: $4, request: $5, event: $6)
    }

    // MARK: The client and the run

    static let turnedAway: Event<TurnedAway> = Event("turnedAway") {
        Key("of", .word, \.kind)
        Key("limit", .number, \.limit)
        Key("stream", .number, ifAny: \.stream)
        Key(written: Key("text", .text, \.sentence))
    } make: { kind, limit, stream, _ in
        .turnedAway(TurnedAway(kind, limit: limit, stream: stream))
    }

    static let runBegun: Event<UInt64> = Event("runBegun") {
        Key("seed", .number, \.self)
    } make: {
        .runBegun(seed: $0)
    }

    static let boundReached: Event<ReachedBound> = Event("boundReached") {
        Key("of", .word, \.kind)
        Key("count", .number, \.count)
        Key("guard", .text, ifAny: \.guardName)
        Key("fault", .object(fault), ifAny: \.fault)
        Key(written: Key("text", .text, \.sentence))
    } make: { kind, count, guardName, fault, _ in
        .boundReached(ReachedBound(kind, count: count, guardName: guardName, fault: fault))
    }

    static let loopHeld: Event<HeldLoop> = Event("loopHeld") {
        Key("loop", .number, \.loop)
        Key("milliseconds", .number, \.milliseconds)
        Key("line", .text, ifAny: \.line)
        Key("work", .word, \.work)
        Key("exchange", .number, ifAny: \.exchange)
        Key(written: Key("text", .text, \.sentence))
    } make: { loop, milliseconds, line, work, exchange, _ in
        .loopHeld(HeldLoop(loop: loop, milliseconds: milliseconds, line: line, work: work, exchange: exchange))
    }

    static let clientReached: Event<(event: String, task: Int)> = Event("clientReached") {
        Key("event", .text, \.event)
        Key("task", .number, \.task)
    } make: {
        .clientReached(event: $0, task: $1)
    }

    // MARK: Gaps, which are no entries

    static let entriesDropped: JournalShape<Int, JournalGap> = JournalShape("entriesDropped") {
        Key("count", .number, { $0 })
    } make: {
        JournalGap(count: $0)
    }

    static let linesLost: JournalShape<(count: Int, reason: String), JournalGap> = JournalShape("linesLost") {
        Key("count", .number, \.count)
        Key(written: Key("reason", .text, \.reason))
    } make: { count, _ in
        JournalGap(count: count)
    }
}

struct JournalGap: Sendable { let count: Int }

/// The first keys of every line.
struct JournalLineStart: Sendable {
    let sequence: UInt64
    let nanoseconds: UInt64
    let scenario: String?
    let run: String?
    let connection: Int?
    let request: Int?
    let event: String
}

/// The shape of an event, whatever it is written from.
protocol JournalEventShape: Sendable {
    var name: String { get }
    var notes: [JournalFieldNote] { get }
    var read: @Sendable (JournalFields) throws(LineFault) -> JournalEvent { get }
}

extension JournalShape: JournalEventShape where Output == JournalEvent {}

// Connections, their handshakes, and what comes on them.
extension JournalTable {
    // MARK: Connections and TLS

    static let connectionOpened: Event<(origin: String, peer: String, local: String)> = Event("connectionOpened") {
        Key("origin", .text, \.origin)
        Key("peer", .text, \.peer)
        Key("local", .text, \.local)
    } make: {
        .connectionOpened(origin: $0, peer: $1, local: $2)
    }

    static let clientHello: Event<ClientHelloNote> = Event("clientHello") {
        Key("versions", .list(.text), \.versions)
        Key("cipherSuites", .list(.text), \.cipherSuites)
        Key("serverName", .text, ifAny: \.serverName)
        Key("applicationProtocols", .list(.text), \.applicationProtocols)
        Key("extensions", .list(.text), \.extensions)
        Key("groups", .list(.text), \.groups)
        Key("byteCount", .number, \.byteCount)
    } make: {
        .clientHello(
            ClientHelloNote(
                versions: $0, cipherSuites: $1, serverName: $2, applicationProtocols: $3, extensions: $4, groups: $5,
                byteCount: $6))
    }

    static let secured: Event<HandshakeNote> = Event("secured") {
        Key("version", .text, \.version)
        Key("cipherSuite", .text, \.cipherSuite)
        Key("group", .text, ifAny: \.group)
        Key("applicationProtocol", .text, ifAny: \.applicationProtocol)
        Key("serverName", .text, ifAny: \.serverName)
        Key("isResumed", .flag, \.isResumed)
        Key("certificate", .text, \.certificate)
        Key("clientCertificate", .text, ifAny: \.clientCertificate)
    } make: {
        .secured(
            HandshakeNote(
                version: $0, cipherSuite: $1, group: $2, applicationProtocol: $3, serverName: $4, isResumed: $5,
                certificate: $6, clientCertificate: $7))
    }

    static let handshakeFailed: Event<(moment: String, reason: String)> = Event("handshakeFailed") {
        Key("moment", .text, \.moment)
        Key("reason", .text, \.reason)
    } make: {
        .handshakeFailed(moment: $0, reason: $1)
    }

    static let alert: Event<AlertNote> = Event("alert") {
        Key("by", .word, \.party)
        Key("isFatal", .flag, \.isFatal)
        Key("number", .number, \.number)
        Key("name", .text, \.name)
    } make: {
        .alert(AlertNote(by: $0, isFatal: $1, number: $2, name: $3))
    }

    static let finReceived: Event<Void> = Event("finReceived") {
    } make: {
        .finReceived
    }

    static let connectionClosed: Event<(party: JournalEvent.Party, how: JournalEvent.Ending)> = Event(
        "connectionClosed"
    ) {
        Key("by", .word, \.party)
        Key("how", .word, \.how)
    } make: {
        .connectionClosed(by: $0, how: $1)
    }

    // MARK: Requests

    static let requestHead: Event<(head: RequestHead, target: [UInt8])> = Event("requestHead") {
        Key(written: Key(bytes: "method", slice: { $0.head.methodBytes }))
        Key(bytes: "target", \.target)
        Key(written: Key("version", .text, { $0.head.version.text }))
        Key(written: Key("stream", .number, ifAny: { $0.head.stream }))
        Key(written: Key(bytes: "protocol", ifAny: { $0.head.protocolName }))
        Key(written: Key("framing", .text, { $0.head.framing.word }))
        Key(
            written: Key(
                "contentLength", .number, ifAny: { if case .length(let count) = $0.head.framing { count } else { nil } }
            ))
        Key(written: Key("fields", .fieldLines, { $0.head.fields }))
        Key(written: Key("trace", .text, ifAny: { TraceParent(of: $0.head.fields)?.traceID }))
        Key(written: Key("span", .text, ifAny: { TraceParent(of: $0.head.fields)?.parentID }))
        Key(
            Key(bytes: "bytes", { $0.head.bytes }),
            reading: { (fields, bytes) throws(LineFault) in
                StreamHead.isToldBy(fields) ? try StreamHead.read(fields, bytes) : try readAgain(bytes)
            })
    } make: { _, target, _, _, _, _, _, _, _, _, head in
        .requestHead(head, target: target)
    }

    static let pipelined: Event<Int> = Event("pipelined") {
        Key("behind", .number, { $0 })
    } make: {
        .pipelined(behind: $0)
    }

    /// Parses a head with the server's own parser, without limits, and accepts every fault that the server may have accepted.
    private static func readAgain(_ bytes: [UInt8]) throws(LineFault) -> RequestHead {
        var reader = RequestReader(
            RequestRules(
                RequestLimits(
                    emptyLineCount: bytes.count, methodByteCount: bytes.count, targetByteCount: bytes.count,
                    fieldLineByteCount: bytes.count, fieldCount: bytes.count, headByteCount: bytes.count)),
            acceptsAnything: true)
        var offset = 0
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else {
            throw LineFault(0, "'bytes' of a requestHead hold no complete request head")
        }
        return head
    }

    static let requestBody: Event<RequestBody> = Event("requestBody") {
        Key(bytes: "body", \.kept)
        Key("byteCount", .number, \.byteCount)
        Key("isComplete", .flag, \.isComplete)
        Key("trailers", .list(.bytes), \.trailers)
        Key("chunks", .list(.number), ifNotEmpty: \.chunks)
        Key("chunkLines", .list(.bytes), ifNotEmpty: \.chunkLines)
        Key("isWithheld", ifTrue: \.isWithheld)
        Key("decoded", .object(sentContent), ifAny: \.decoded)
    } make: {
        .requestBody(
            RequestBody(
                kept: $0, byteCount: $1, isComplete: $2, trailers: $3, chunks: $4, chunkLines: $5, isWithheld: $6,
                decoded: $7))
    }

    static let routed: Event<(origin: String, routing: JournalEvent.Routing)> = Event("routed") {
        Key("origin", .text, \.origin)
        Key("by", .word, \.routing)
    } make: {
        .routed(origin: $0, by: $1)
    }

    static let tunnelOpened: Event<(authority: String, origin: String, connection: Int)> = Event("tunnelOpened") {
        Key("authority", .text, \.authority)
        Key("origin", .text, \.origin)
        Key("tunnelConnection", .number, \.connection)
    } make: {
        .tunnelOpened(authority: $0, origin: $1, connection: $2)
    }

    static let bytesReceived: Event<ReceivedBytes> = Event("bytesReceived") {
        Key("of", .word, \.kind)
        Key(bytes: "bytes", \.kept)
        Key("byteCount", .number, \.byteCount)
    } make: {
        .bytesReceived(ReceivedBytes($0, kept: $1, byteCount: $2))
    }

    static let bytesExpected: Event<ExpectedBytes> = Event("bytesExpected") {
        Key("how", .word, \.outcome)
        Key("byteCount", .number, \.byteCount)
        Key("metByteCount", .number, \.metByteCount)
        Key(bytes: "wanted", ifAny: \.wantedWhereUnmet)
        Key(bytes: "got", ifAny: \.gotWhereUnmet)
    } make: { (outcome, byteCount, metByteCount, wanted, got) throws(LineFault) in
        guard outcome != .met else {
            return .bytesExpected(ExpectedBytes(byteCount: byteCount, metByteCount: metByteCount, outcome: .met))
        }
        guard let got else { throw JournalFields.missing("got") }
        return .bytesExpected(
            ExpectedBytes(byteCount: byteCount, metByteCount: metByteCount, outcome: outcome, wanted: wanted, got: got))
    }

    static let violation: Event<Violation> = Event("violation") {
        Key("kind", .kind(unknown: "there is no violation of kind"), \.kind)
        Key("offset", .number, \.offset)
        Key("isFatal", .flag, ifMissing: true, \.isFatal)
        Key(written: Key("status", .number, ifAny: { $0.isFatal ? $0.status : nil }))
        Key(written: Key("section", .text, \.section))
        Key(written: Key("sentence", .text, \.sentence))
    } make: { kind, offset, isFatal, _, _, _ in
        .violation(Violation(kind, at: offset, isReadOver: kind.isFatal(in: .request) && !isFatal))
    }
}

// In the table these would be closures of two branches each, which take the compiler five seconds.
extension ExpectedBytes {
    fileprivate var wantedWhereUnmet: [UInt8]? { outcome == .met ? nil : wanted }
    fileprivate var gotWhereUnmet: [UInt8]? { outcome == .met ? nil : got }
}
