import ProctorBase
import ProctorHTTP

/// Every object of a journal: its keys in the order in which they are written, with type and meaning.
///
/// The writer, the reader and the tables of Docs/judging/journal.md and entries.md use this list.
enum JournalTable {
    static let readers: [String: @Sendable (JournalFields) throws(LineFault) -> JournalEvent] = {
        var readers: [String: @Sendable (JournalFields) throws(LineFault) -> JournalEvent] = [:]
        for event in events { readers[event.name] = event.read }
        return readers
    }()

    static let events: [JournalEventDescription] = [
        runBegun.described, connectionOpened.described, clientHello.described, secured.described,
        handshakeFailed.described,
        alert.described, requestHead.described, pipelined.described, routed.described, tunnelOpened.described,
        cookiesSet.described,
        cookiesJudged.described, requestBody.described, bytesReceived.described, bytesExpected.described,
        continueSent.described, violation.described, frame.described, fieldBlock.described, frameViolation.described,
        webSocketOpened.described, webSocketFrame.described, webSocketViolation.described, webSocketExpected.described,
        socksGreeting.described, socksLogin.described, socksRequest.described, socksViolation.described,
        dnsQuestion.described, dnsReply.described, dnsViolation.described,
        exchangeChosen.described, clockMoved.described, stateChanged.described,
        stateRefused.described, missed.described, guarded.described, described.described,
        webhookSent.described, webhookAnswered.described, webhookUnanswered.described,
        effectPlayed.described, slicesKept.described, syncPassed.described, replyBegun.described, replySent.described,
        replyAborted.described, replyFailed.described, finReceived.described, connectionClosed.described,
        boundReached.described, loopHeld.described, turnedAway.described, clientReached.described,
    ]

    static let line: JournalShape<JournalLineStart, JournalLineStart> = JournalShape(
        named: "", says: "",
        fields: JournalKey<JournalLineStart>.unsigned(
            "seq",
            says: "counts from 1 in each journal, without gaps; a gap means that entries were dropped, "
                + "which a line `entriesDropped` says where it can", of: \.sequence),
        JournalKey<JournalLineStart>.unsigned(
            "ns", says: "nanoseconds of CLOCK_MONOTONIC, the same clock for every process of the machine",
            of: \.nanoseconds),
        JournalKey<JournalLineStart>.text(
            "scenario", says: "whose journal the line is from",
            when: "not on the shared port's own lines (the catalogue, control calls, requests that could not be read)",
            of: \.scenario),
        JournalKey<JournalLineStart>.text(
            "run", says: "the run; below the shared port the one that stands for the scenario",
            when: "where `scenario` is", of: \.run),
        JournalKey<JournalLineStart>.integer(
            "connection", says: "counts from 0 in each journal", when: "not for what came by another way",
            of: \.connection),
        JournalKey<JournalLineStart>.integer(
            "request", says: "counts from 0 in each journal", when: "not for what belongs to no request", of: \.request),
        JournalKey<JournalLineStart>.text("ev", says: "what happened; the other keys depend on it", of: \.event)
    ) { JournalLineStart(sequence: $0, nanoseconds: $1, scenario: $2, run: $3, connection: $4, request: $5, event: $6) }

    // MARK: The client and the run

    static let turnedAway: JournalShape<TurnedAway, JournalEvent> = JournalShape(
        named: "turnedAway", says: "a connection or a stream was refused, at a limit of the server",
        fields: JournalKey<TurnedAway>.word("of", says: "what the limit counts", of: \.kind),
        JournalKey<TurnedAway>.integer("limit", says: "the limit", of: \.limit),
        JournalKey<TurnedAway>.integer(
            "stream", says: "the stream", when: "where `of` is `streams`", of: { $0.stream.map { Int($0) } }
        ).within(UInt32.self),
        JournalKey<TurnedAway>.text("text", says: "a sentence", of: \.sentence).writtenOnly
    ) { kind, limit, stream, _ in .turnedAway(TurnedAway(kind, limit: limit, stream: stream)) }

    static let runBegun: JournalShape<UInt64, JournalEvent> = JournalShape(
        named: "runBegun",
        says: "the first line, and again after a reset, where anything is random",
        field: JournalKey<UInt64>.unsigned(
            "seed", says: "the seed of the run, by which it can be [played again](../format/values.md#random-values)",
            of: \.self)
    ) { .runBegun(seed: $0) }

    static let boundReached: JournalShape<ReachedBound, JournalEvent> = JournalShape(
        named: "boundReached", says: "the client has reached a bound of the run",
        fields: JournalKey<ReachedBound>.word("of", says: "what the bound counts", of: \.kind),
        JournalKey<ReachedBound>.integer("count", says: "the bound", of: \.count),
        JournalKey<ReachedBound>.text(
            "guard", says: "the name of the guard", when: "where `of` is `refusals`", of: \.guardName),
        JournalKey<ReachedBound>.object(
            "fault", fault, says: "what was wrong with the last credential",
            when: "where `of` is `refusals` and the credential was not only too old", of: \.fault),
        JournalKey<ReachedBound>.text("text", says: "a sentence", of: \.sentence).writtenOnly
    ) { kind, count, guardName, fault, _ in
        .boundReached(ReachedBound(kind, count: count, guardName: guardName, fault: fault))
    }

    static let loopHeld: JournalShape<HeldLoop, JournalEvent> = JournalShape(
        named: "loopHeld",
        says: "a loop works at one thing for longer than a bound; once for each",
        fields: JournalKey<HeldLoop>.integer("loop", says: "the position of the loop, from 0", of: \.loop),
        JournalKey<HeldLoop>.integer("milliseconds", says: "for how long when it was noticed", of: \.milliseconds),
        JournalKey<HeldLoop>.text(
            "line", says: "method and target of the request", when: "for one of a scenario",
            of: \.line),
        JournalKey<HeldLoop>.word("work", says: "what the thread works at", of: \.work),
        JournalKey<HeldLoop>.integer(
            "exchange", says: "the exchange whose script runs", when: "where `work` is `script` or `condition`",
            of: \.exchange), JournalKey<HeldLoop>.text("text", says: "a sentence", of: \.sentence).writtenOnly
    ) { loop, milliseconds, line, work, exchange, _ in
        .loopHeld(HeldLoop(loop: loop, milliseconds: milliseconds, line: line, work: work, exchange: exchange))
    }

    static let clientReached: JournalShape<(event: String, task: Int), JournalEvent> = JournalShape(
        named: "clientReached", says: "the client has reported an event of its own; the first 1,000 of a run",
        fields: JournalKey.text("event", says: "the event as the client reported it", of: \.event),
        JournalKey.integer("task", says: "the number of the client's task", of: \.task)
    ) { .clientReached(event: $0, task: $1) }

    // MARK: Gaps, which are no entries

    static let entriesDropped: JournalShape<Int, JournalGap> = JournalShape(
        named: "entriesDropped",
        says: "stands where the control API leaves out entries that found no room in memory; `seq` is that of the last",
        field: JournalKey<Int>.integer("count", says: "how many", of: { $0 })
    ) { JournalGap(count: $0) }

    static let linesLost: JournalShape<(count: Int, reason: String), JournalGap> = JournalShape(
        named: "linesLost",
        says: "in a file alone: lines could not be written, or were beyond its bound; the line has no other keys",
        fields: JournalKey.integer("count", says: "how many", of: \.count),
        JournalKey.text("reason", says: "a sentence", of: \.reason).writtenOnly
    ) { count, _ in JournalGap(count: count) }
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

/// An event without the type of its payload: its documentation and its reader.
struct JournalEventDescription: Sendable {
    let name: String
    let says: String
    let notes: [JournalFieldNote]
    let read: @Sendable (JournalFields) throws(LineFault) -> JournalEvent
}

extension JournalShape where Output == JournalEvent {
    var described: JournalEventDescription { JournalEventDescription(name: name, says: says, notes: notes, read: read) }
}

// Connections, their handshakes, and what comes on them.
extension JournalTable {
    // MARK: Connections and TLS

    static let connectionOpened: JournalShape<(origin: String, peer: String, local: String), JournalEvent> =
        JournalShape(
            named: "connectionOpened", says: "a connection was accepted",
            fields: JournalKey.text("origin", says: "the name of the origin", of: \.origin),
            JournalKey.text("peer", says: "the client's end as `address:port`", of: \.peer),
            JournalKey.text("local", says: "the server's end as `address:port`", of: \.local)
        ) { .connectionOpened(origin: $0, peer: $1, local: $2) }

    static let clientHello: JournalShape<ClientHelloNote, JournalEvent> = JournalShape(
        named: "clientHello", says: "the first message of TLS has come whole: what the client offers, in its order",
        fields: JournalKey<ClientHelloNote>.texts("versions", says: "versions of TLS", of: \.versions),
        JournalKey<ClientHelloNote>.texts("cipherSuites", says: "cipher suites", of: \.cipherSuites),
        JournalKey<ClientHelloNote>.text(
            "serverName", says: "the name of the server", when: "where the client sent one", of: \.serverName),
        JournalKey<ClientHelloNote>.texts(
            "applicationProtocols", says: "the protocols of ALPN", of: \.applicationProtocols),
        JournalKey<ClientHelloNote>.texts("extensions", says: "extensions", of: \.extensions),
        JournalKey<ClientHelloNote>.texts("groups", says: "groups for the key exchange", of: \.groups),
        JournalKey<ClientHelloNote>.integer(
            "byteCount", says: "bytes of the message, without record heads", of: \.byteCount)
    ) {
        .clientHello(
            ClientHelloNote(
                versions: $0, cipherSuites: $1, serverName: $2, applicationProtocols: $3, extensions: $4, groups: $5,
                byteCount: $6))
    }

    static let secured: JournalShape<HandshakeNote, JournalEvent> = JournalShape(
        named: "secured", says: "a handshake of TLS is complete: what was agreed on",
        fields: JournalKey<HandshakeNote>.text("version", says: "the version of TLS", of: \.version),
        JournalKey<HandshakeNote>.text("cipherSuite", says: "the cipher suite", of: \.cipherSuite),
        JournalKey<HandshakeNote>.text(
            "group", says: "the group of the key exchange", when: "where one was used", of: \.group),
        JournalKey<HandshakeNote>.text(
            "applicationProtocol", says: "the protocol of ALPN", when: "where one was selected",
            of: \.applicationProtocol),
        JournalKey<HandshakeNote>.text(
            "serverName", says: "as the client sent it", when: "where the client sent one",
            of: \.serverName),
        JournalKey<HandshakeNote>.flag("isResumed", says: "an earlier session goes on", of: \.isResumed),
        JournalKey<HandshakeNote>.text(
            "certificate", says: "the profile of the server's certificate", of: \.certificate),
        JournalKey<HandshakeNote>.text(
            "clientCertificate", says: "the name of an identity of the scenario, or the subject of another certificate",
            when: "where the client sent a certificate", of: \.clientCertificate)
    ) {
        .secured(
            HandshakeNote(
                version: $0, cipherSuite: $1, group: $2, applicationProtocol: $3, serverName: $4, isResumed: $5,
                certificate: $6, clientCertificate: $7))
    }

    static let handshakeFailed: JournalShape<(moment: String, reason: String), JournalEvent> = JournalShape(
        named: "handshakeFailed", says: "a handshake of TLS ended without success",
        fields: JournalKey.text(
            "moment", says: "the moment that it had come to, in the words of a fixture", of: \.moment),
        JournalKey.text("reason", says: "a sentence", of: \.reason)
    ) { .handshakeFailed(moment: $0, reason: $1) }

    static let alert: JournalShape<AlertNote, JournalEvent> = JournalShape(
        named: "alert", says: "an alert of TLS was sent or has come",
        fields: JournalKey<AlertNote>.word("by", says: "who sent it", of: \.party),
        JournalKey<AlertNote>.flag("isFatal", says: "otherwise it is a warning", of: \.isFatal),
        JournalKey<AlertNote>.integer(
            "number", says: "its number from 0 to 255; 0 is close_notify", of: { Int($0.number) }),
        JournalKey<AlertNote>.text("name", says: "its name in IANA's registry", of: \.name)
    ) { (party, isFatal, number, name) throws(LineFault) in
        guard let number = UInt8(exactly: number) else {
            throw LineFault(0, "'number' of an alert is a whole number from 0 to 255")
        }
        return .alert(AlertNote(by: party, isFatal: isFatal, number: number, name: name))
    }

    static let finReceived: JournalShape<Void, JournalEvent> = JournalShape(
        named: "finReceived",
        says: "FIN of the client has come while a reply waits, which goes on, for the client may still read"
    ) { .finReceived }

    static let connectionClosed: JournalShape<(party: JournalEvent.Party, how: JournalEvent.Ending), JournalEvent> =
        JournalShape(
            named: "connectionClosed", says: "a connection has ended",
            fields: JournalKey.word("by", says: "who ended it", of: \.party),
            JournalKey.word("how", says: "how it ended", of: \.how)
        ) { .connectionClosed(by: $0, how: $1) }

    // MARK: Requests

    static let requestHead: JournalShape<(head: RequestHead, target: [UInt8]), JournalEvent> = JournalShape(
        named: "requestHead", says: "the head of a request has come whole",
        fields: JournalKey.bytes("method", orBase64: "methodBase64", says: "the method", of: { $0.head.methodBytes })
            .writtenOnly,
        JournalKey.bytes(
            "target", orBase64: "targetBase64", says: "the target as the scenario sees it",
            of: { $0.target[...] }),
        JournalKey.text(
            "version", says: "as `HTTP/1.1` or `HTTP/2`", of: { $0.head.version.text }
        ).writtenOnly,
        JournalKey.integer(
            "stream", says: "the stream that it came on", when: "where `version` is `HTTP/2`",
            of: { $0.head.stream.map { Int($0) } }
        ).writtenOnly,
        JournalKey.bytes(
            "protocol", orBase64: "protocolBase64", says: "its `:protocol`", when: "of an extended CONNECT",
            of: { $0.head.protocolName?[...] }
        ).writtenOnly,
        JournalKey.text(
            "framing",
            says: "`none`, `length`, `chunked`, or `frames` of HTTP/2 without a length",
            of: { $0.head.framing.word }
        ).writtenOnly,
        JournalKey.integer(
            "contentLength", says: "bytes of the content", when: "where `framing` is `length`",
            of: { if case .length(let count) = $0.head.framing { count } else { nil } }
        ).writtenOnly,
        JournalKey.fieldLines("fields", says: "the field lines", when: nil, of: { $0.head.fields }).writtenOnly,
        JournalKey.text(
            "trace", says: "the trace of `traceparent`", when: "where that is valid",
            of: { TraceParent(of: $0.head.fields)?.traceID }
        ).writtenOnly,
        JournalKey.text(
            "span", says: "its span", when: "the same",
            of: { TraceParent(of: $0.head.fields)?.parentID }
        ).writtenOnly,
        JournalKey.bytes(
            "bytes", orBase64: "bytesBase64",
            says: "what arrived, from which the head is read again; of HTTP/2 as HTTP/1.1 has it",
            of: { $0.head.bytes[...] }
        ).reading { (fields, bytes) throws(LineFault) in
            StreamHead.isToldBy(fields) ? try StreamHead.read(fields, bytes) : try readAgain(bytes)
        }
    ) { _, target, _, _, _, _, _, _, _, _, head in .requestHead(head, target: target) }

    static let pipelined: JournalShape<Int, JournalEvent> = JournalShape(
        named: "pipelined",
        says: "it came before other replies were out; where a case asks",
        field: JournalKey<Int>.integer("behind", says: "how many", of: { $0 })
    ) { .pipelined(behind: $0) }

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

    static let requestBody: JournalShape<RequestBody, JournalEvent> = JournalShape(
        named: "requestBody", says: "the end of a request: its content",
        fields: JournalKey<RequestBody>.bytes(
            "body", orBase64: "bodyBase64",
            says: "the content as far as it is kept: 1 MiB, or what `--body-limit` says", of: { $0.kept[...] }),
        JournalKey<RequestBody>.integer(
            "byteCount", says: "bytes of the whole content, without the heads of chunks", of: \.byteCount),
        JournalKey<RequestBody>.flag(
            "isComplete", says: "false where the client left before, or where the server read no further",
            of: \.isComplete),
        JournalKey<RequestBody>.byteList(
            "trailers", says: "the trailer field lines, without line ends", of: \.trailers),
        JournalKey<RequestBody>.integers(
            "chunks", says: "the bytes of each chunk in order, the last chunk left out; the first 1,000",
            when: "where it came in chunks", of: \.chunks),
        JournalKey<RequestBody>.byteList(
            "chunkLines",
            says:
                "the lines before the chunks as they came, that of the last chunk too, without line ends; the first 64 KiB",
            when: "where it came in chunks", of: \.chunkLines),
        JournalKey<RequestBody>.flag(
            "isWithheld", says: "the client kept the body back: see [below](journal.md#what-was-not-read)",
            whenTrue: "only where it is true", of: \.isWithheld)
    ) {
        .requestBody(
            RequestBody(
                kept: $0, byteCount: $1, isComplete: $2, trailers: $3, chunks: $4, chunkLines: $5, isWithheld: $6))
    }

    static let routed: JournalShape<(origin: String, routing: JournalEvent.Routing), JournalEvent> = JournalShape(
        named: "routed", says: "another origin than the connection's own answers the request, or its tunnel",
        fields: JournalKey.text("origin", says: "the origin that answers", of: \.origin),
        JournalKey.word(
            "by", says: "what of the request names it: its Host, its target in absolute-form, or its CONNECT",
            of: \.routing)
    ) { .routed(origin: $0, by: $1) }

    static let tunnelOpened: JournalShape<(authority: String, origin: String, connection: Int), JournalEvent> =
        JournalShape(
            named: "tunnelOpened",
            says: "a proxy has opened a tunnel; `connection` is the one on which the tunnel was asked for",
            fields: JournalKey.text("authority", says: "the authority that was asked for", of: \.authority),
            JournalKey.text("origin", says: "the origin that the tunnel leads to", of: \.origin),
            JournalKey.integer(
                "tunnelConnection", says: "the number by which what comes through the tunnel is told", of: \.connection)
        ) { .tunnelOpened(authority: $0, origin: $1, connection: $2) }

    static let bytesReceived: JournalShape<ReceivedBytes, JournalEvent> = JournalShape(
        named: "bytesReceived",
        says: "bytes have come that no other line holds: see [below](journal.md#what-was-not-read)",
        fields: JournalKey<ReceivedBytes>.word("of", says: "what the bytes are a part of", of: \.kind),
        JournalKey<ReceivedBytes>.bytes(
            "bytes", orBase64: "bytesBase64", says: "the first 64 KiB", of: { $0.kept[...] }),
        JournalKey<ReceivedBytes>.integer("byteCount", says: "how many came", of: \.byteCount)
    ) { .bytesReceived(ReceivedBytes($0, kept: $1, byteCount: $2)) }

    static let bytesExpected: JournalShape<ExpectedBytes, JournalEvent> = JournalShape(
        named: "bytesExpected",
        says: "a step of a script has ended that expects bytes where the connection is no HTTP any more",
        fields: JournalKey<ExpectedBytes>.word("how", says: "how the step ended", of: \.outcome),
        JournalKey<ExpectedBytes>.integer("byteCount", says: "how many bytes the step expects", of: \.byteCount),
        JournalKey<ExpectedBytes>.integer("metByteCount", says: "how many came as expected", of: \.metByteCount),
        JournalKey<ExpectedBytes>.bytes(
            "wanted", orBase64: "wantedBase64", says: "what was expected behind those, the first 64 bytes",
            when: "where `how` is not `met` and the step names bytes",
            of: \.wantedWhereUnmet),
        JournalKey<ExpectedBytes>.bytes(
            "got", orBase64: "gotBase64", says: "what came in their place, the first 64 bytes",
            when: "where `how` is not `met`", of: \.gotWhereUnmet)
    ) { (outcome, byteCount, metByteCount, wanted, got) throws(LineFault) in
        guard outcome != .met else {
            return .bytesExpected(ExpectedBytes(byteCount: byteCount, metByteCount: metByteCount, outcome: .met))
        }
        guard let got else { throw JournalFields.missing("got") }
        return .bytesExpected(
            ExpectedBytes(byteCount: byteCount, metByteCount: metByteCount, outcome: outcome, wanted: wanted, got: got))
    }

    static let violation: JournalShape<Violation, JournalEvent> = JournalShape(
        named: "violation",
        says: "a departure from the specification. Of `bytes-after-request`, `request-after-close` and "
            + "`unanswered-request` the line has the request before them, and it may stand behind `connectionClosed`, "
            + "for the server reads on for a while",
        fields: JournalKey<Violation>.kind(
            "kind", unknown: "there is no violation of kind", says: "its name", of: \.kind),
        JournalKey<Violation>.integer(
            "offset", says: "where it stands, in bytes from the first one of the request", of: \.offset),
        JournalKey<Violation>.flag(
            "isFatal",
            says: "the server read no further; false also where an origin `accepts: anything` and read over it",
            ifMissing: true, of: \.isFatal),
        JournalKey<Violation>.integer(
            "status", says: "the status that answers it", when: "where it is fatal",
            of: { $0.isFatal ? $0.status : nil }
        ).writtenOnly,
        JournalKey<Violation>.text("section", says: "the section of the specification", of: \.section).writtenOnly,
        JournalKey<Violation>.text("sentence", says: "what is wrong, for a person", of: \.sentence).writtenOnly
    ) { kind, offset, isFatal, _, _, _ in
        .violation(Violation(kind, at: offset, isReadOver: kind.isFatal(in: .request) && !isFatal))
    }
}

// In the table these would be closures of two branches each, which take the compiler five seconds.
extension ExpectedBytes {
    fileprivate var wantedWhereUnmet: ArraySlice<UInt8>? { outcome == .met ? nil : wanted?[...] }
    fileprivate var gotWhereUnmet: ArraySlice<UInt8>? { outcome == .met ? nil : got[...] }
}
