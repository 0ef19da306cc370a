import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

struct WireRecord {
    private(set) var requests: [SeenRequest] = []
    private(set) var connections: [SeenConnection] = []
    private(set) var misses: [(sequence: UInt64, request: Int?, miss: Miss)] = []
    private(set) var violations: [(sequence: UInt64, request: Int?, connection: Int, violation: Violation)] = []
    private(set) var frameViolations: [SeenFrameViolation] = []
    /// The streams of HTTP/2 that clients opened, in order over all connections.
    private(set) var streams: [SeenStream] = []
    /// Frames that expressions and edges can name, in order.
    private(set) var frameEvents: [FrameEvent] = []
    private(set) var verdicts: [(sequence: UInt64, request: Int?, verdict: GuardVerdict)] = []
    /// The reference model's verdicts on cookies in order, with their request.
    private(set) var cookieVerdicts: [(sequence: UInt64, request: Int?, verdict: CookieVerdict)] = []
    /// Every reply that sets cookies, at the time its head was sent, with the request that it answers.
    private(set) var cookieSettings: [(sequence: UInt64, request: Int?)] = []
    /// The entries at which proxies of the scenario opened a tunnel.
    private(set) var tunnels: [UInt64] = []
    /// Indexes into ``connections``: those that began a handshake, in the order of their ClientHellos.
    private(set) var handshakes: [Int] = []
    /// The results of script steps that expected bytes after the end of HTTP, in order.
    private(set) var expectations: [(sequence: UInt64, request: Int?, expected: ExpectedBytes)] = []
    private(set) var replies: [(sequence: UInt64, nanoseconds: UInt64, status: Int?)] = []
    /// The ends of connections in the order of the journal, but those at the end of the run.
    private(set) var closings: [(sequence: UInt64, nanoseconds: UInt64, by: JournalEvent.Party)] = []
    private(set) var bounds: [(sequence: UInt64, bound: ReachedBound)] = []
    private(set) var failedReplies: [(sequence: UInt64, failure: FailedReply)] = []
    private(set) var stateRefusals: [(sequence: UInt64, refusal: StateRefusal)] = []
    /// The sequence after which entries are missing; nil where none are.
    private(set) var gapAfter: UInt64?

    struct SeenFrameViolation {
        let sequence: UInt64
        /// Index into `requests`; nil for one of the connection, and of a stream without a request.
        fileprivate(set) var request: Int?
        /// Index into `connections`.
        let connection: Int
        let violation: FrameViolationNote
    }

    struct SeenRequest {
        let sequence: UInt64
        let nanoseconds: UInt64
        /// Index into `connections`.
        let connection: Int
        let head: RequestHead
        let target: [UInt8]
        fileprivate(set) var body: RequestBody?
        fileprivate(set) var violations: [Violation] = []
        /// Those of its stream, where it came by HTTP/2.
        fileprivate(set) var frameViolations: [FrameViolationNote] = []
        /// The verdicts of the guards, in the order in which they were asked.
        fileprivate(set) var verdicts: [GuardVerdict] = []
        /// Another origin than that of its connection, found by a proxy or by Host.
        fileprivate(set) var routedOrigin: String?
        /// The reference model's verdict on its cookies; nil where there is none.
        fileprivate(set) var cookieVerdict: CookieVerdict?
        /// The status of the reply, once all of it was sent; nil for raw bytes too.
        fileprivate(set) var status: Int?
        /// The last final reply that began; nil where none did.
        fileprivate(set) var reply: SentReply?
        /// When the first byte of that reply went out, at the earliest.
        fileprivate(set) var replyNanoseconds: UInt64?
        fileprivate(set) var interim: [SentReply] = []
        fileprivate(set) var isReplySent = false
        /// Whether an effect cut the reply, or may have cut it.
        fileprivate(set) var isReplyCut = false
        /// Whether an effect sent bytes or frames of its own, which may be a reply.
        fileprivate(set) var hasBytesOfEffects = false
        /// Bytes sent before the reply was broken off; nil where it was not.
        fileprivate(set) var abortedByteCount: Int?
        /// Bytes that came behind the reply after the end of HTTP on the connection, in order.
        fileprivate(set) var opaque: [ReceivedBytes] = []
        /// Whether content came after its reply had ended the connection.
        fileprivate(set) var hasLateContent = false

        /// The content as far as it was read; empty for a request without framing, about which a journal has no entry
        /// (RFC 9112 §6.3).
        var content: RequestBody? {
            guard body == nil, head.framing == .none else { return body }
            return RequestBody(kept: [], byteCount: 0, isComplete: true, trailers: [])
        }

        fileprivate mutating func note(_ begun: SentReply, at nanoseconds: UInt64) {
            if begun.isInterim {
                interim.append(begun)
            } else {
                reply = begun
                replyNanoseconds = replyNanoseconds ?? nanoseconds
            }
        }

        /// The request in a `wire:` expression; bytes that are neither printable ASCII nor UTF-8 are escaped.
        var symbol: TraceEventSymbol {
            let bytes = Array(head.methodBytes) + [0x20] + target
            let text = String(validating: bytes, as: UTF8.self) ?? WireText.of(bytes, limit: .max)
            return TraceEventSymbol("request", text)
        }
    }

    struct SeenConnection {
        /// The number in the journal and its timeline; facts count connections in the order of the journal, without
        /// those that only carry a tunnel to a name.
        let number: Int
        let sequence: UInt64
        fileprivate(set) var origin: String?
        fileprivate(set) var tls = SeenHandshake()
        fileprivate(set) var http2 = SeenHTTP2()
        /// The client's port, which can tell connections apart.
        fileprivate(set) var peerPort: Int?
        /// The server's address where the client's connection arrived: `127.0.0.1:8088`.
        fileprivate(set) var localAddress: String?
        /// Indexes into `requests`.
        fileprivate(set) var requests: [Int] = []
        fileprivate(set) var end: (by: JournalEvent.Party, how: JournalEvent.Ending)?
    }

    init(_ entries: [JournalEntry]) {
        var connectionIndexes: [Int: Int] = [:]
        var requestIndexes: [Int: Int] = [:]
        let carriers = Self.carriers(entries)
        var frames = FrameGathering()
        var last: UInt64?
        for entry in entries {
            if let last, gapAfter == nil, entry.sequence != last &+ 1 { gapAfter = last }
            last = entry.sequence
            switch entry.event {
            case .boundReached(let bound): bounds.append((entry.sequence, bound))
            case .replyFailed(let failure): failedReplies.append((entry.sequence, failure))
            case .stateRefused(let refusal): stateRefusals.append((entry.sequence, refusal))
            default: break
            }
            guard let number = entry.connection, !carriers.contains(number) else { continue }
            let connection = connectionIndexes[number] ?? connections.count
            if connection == connections.count {
                connectionIndexes[number] = connection
                connections.append(SeenConnection(number: number, sequence: entry.sequence))
            }
            let request = entry.request.flatMap { requestIndexes[$0] }
            if case .clientHello = entry.event, connections[connection].tls.hello == nil {
                handshakes.append(connection)
            }
            switch entry.event {
            case .connectionOpened(let origin, let peer, let local):
                connections[connection].origin = origin
                connections[connection].localAddress = local
                connections[connection].peerPort = peer.utf8.lastIndex(of: UInt8(ascii: ":")).flatMap {
                    Int(peer[peer.index(after: $0)...])
                }
            case .clientHello, .secured, .handshakeFailed, .alert:
                connections[connection].tls.take(entry.event, at: entry.sequence, entry.nanoseconds)
            case .requestHead(let head, let target):
                if let number = entry.request { requestIndexes[number] = requests.count }
                connections[connection].requests.append(requests.count)
                requests.append(
                    SeenRequest(
                        sequence: entry.sequence, nanoseconds: entry.nanoseconds, connection: connection, head: head,
                        target: target))
            case .requestBody(let body): if let request { requests[request].body = body }
            case .violation(let violation): note(violation, in: entry, of: request, on: connection)
            case .frameViolation(let violation):
                frameViolations.append(
                    SeenFrameViolation(
                        sequence: entry.sequence, request: request, connection: connection, violation: violation))
            case .missed(let miss): misses.append((entry.sequence, request, miss))
            case .guarded(let verdict):
                if let request { requests[request].verdicts.append(verdict) }
                verdicts.append((entry.sequence, request, verdict))
            case .replyBegun(let reply):
                if !reply.isInterim { replies.append((entry.sequence, entry.nanoseconds, reply.status)) }
                if let request { requests[request].note(reply, at: entry.nanoseconds) }
            case .replyAborted(let byteCount, _): if let request { requests[request].abortedByteCount = byteCount }
            case .bytesReceived(let received):
                switch received.kind {
                case .opaque: if let request { requests[request].opaque.append(received) }
                case .late: if let last = connections[connection].requests.last { requests[last].hasLateContent = true }
                case .refused, .unfinished, .behind: break
                }
            case .bytesExpected(let expected): expectations.append((entry.sequence, request, expected))
            case .replySent(let status, _):
                if let request {
                    requests[request].status = status
                    requests[request].isReplySent = true
                }
            case .effectPlayed(let action, _):
                guard let request else { break }
                if Self.cutsReply(action, of: requests[request].head) { requests[request].isReplyCut = true }
                if Self.sendsBytes(action) { requests[request].hasBytesOfEffects = true }
            case .connectionClosed(let party, let how):
                connections[connection].end = (party, how)
                if how != .stopped { closings.append((entry.sequence, entry.nanoseconds, party)) }
            case .routed(let origin, _): if let request { requests[request].routedOrigin = origin }
            case .tunnelOpened: if connections[connection].origin != Self.namesOrigin { tunnels.append(entry.sequence) }
            case .cookiesJudged(let verdict):
                if let request { requests[request].cookieVerdict = verdict }
                cookieVerdicts.append((entry.sequence, request, verdict))
            case .cookiesSet: cookieSettings.append((entry.sequence, request))
            case .runBegun, .exchangeChosen, .clientReached, .slicesKept, .syncPassed, .continueSent, .boundReached,
                .stateChanged, .stateRefused, .replyFailed, .loopHeld, .turnedAway, .finReceived:
                break
            case .frame(let frame):
                let opensStream = frames.take(frame, at: entry.sequence, on: connection)
                connections[connection].http2.take(
                    frame, at: entry.sequence, entry.nanoseconds, opensStream: opensStream)
                if let event = FrameEvent(frame, entry) { frameEvents.append(event) }
            case .fieldBlock(let block): frames.take(block, on: connection)
            }
        }
        streams = frames.opened
        assignFrameViolations()
    }

    /// Gives each violation to the request of its stream, which may stand behind it.
    private mutating func assignFrameViolations() {
        guard !frameViolations.isEmpty else { return }
        var owners: [[UInt32?]: Int] = [:]
        for (index, request) in requests.enumerated() {
            let stream = [UInt32(truncatingIfNeeded: request.connection), request.head.stream]
            if owners[stream] == nil { owners[stream] = index }
        }
        for (index, seen) in frameViolations.enumerated() {
            let stream = [UInt32(truncatingIfNeeded: seen.connection), seen.violation.stream]
            guard let owner = seen.request ?? owners[stream] else { continue }
            frameViolations[index].request = owner
            requests[owner].frameViolations.append(seen.violation)
        }
    }

    /// The journal's name for the proxy that leads to all names; a client need not use it.
    private static let namesOrigin = "names"

    /// Connections that only carried a tunnel to a name: a client that was given the name's address has none.
    private static func carriers(_ entries: [JournalEntry]) -> Set<Int> {
        var opened: Set<Int> = []
        var carriers: Set<Int> = []
        for entry in entries {
            guard let number = entry.connection else { continue }
            switch entry.event {
            case .connectionOpened(namesOrigin, _, _): opened.insert(number)
            case .tunnelOpened where opened.contains(number): carriers.insert(number)
            case .requestHead, .violation, .frameViolation:
                opened.remove(number)
                carriers.remove(number)
            default: break
            }
        }
        return carriers
    }

    /// Whether a client may not have all of a reply because of an effect; so too where the word is unknown.
    private static func cutsReply(_ action: String, of head: RequestHead) -> Bool {
        // What a script reads is no effect.
        guard action.prefix(while: { $0 != " " }) != "read" else { return false }
        return Effect.Verb.cutsReply(action, on: head.stream) ?? true
    }

    /// Whether an effect sends what the fixture spells, which may be a reply without an entry of its own.
    private static func sendsBytes(_ action: String) -> Bool {
        let verb = Effect.Verb(rawValue: String(action.prefix { $0 != " " }))
        return verb == .send || verb == .frame
    }

    /// The name of the origin that a request was for; nil where the journal does not say.
    func origin(of request: Int) -> String? {
        requests[request].routedOrigin ?? connections[requests[request].connection].origin
    }

    private mutating func note(_ violation: Violation, in entry: JournalEntry, of request: Int?, on connection: Int) {
        var owner = request
        if owner == nil, violation.kind.isCutContent || violation.kind.isSurplus {
            owner = connections[connection].requests.last
        }
        if let owner { requests[owner].violations.append(violation) }
        violations.append((entry.sequence, owner, connection, violation))
    }
}

extension Violation.Kind {
    /// The peer left within the content of a request whose head was complete.
    var isCutContent: Bool { self == .incompleteContent || self == .incompleteChunkedContent }

    /// Whether the violation stands behind a request, and no later request follows that it could belong to.
    var isSurplus: Bool { self == .bytesAfterRequest || self == .requestAfterClose || self == .unansweredRequest }

    /// The peer left, which it may do at any time; facts report what is missing (RFC 9112 §8, §9.5).
    var isDeparture: Bool { isCutContent || self == .incompleteHead }
}

extension WireRecord {
    /// Why the journal cannot be judged, a sentence; nil where it is complete.
    static func fault(in entries: [JournalEntry], droppedCount: Int) -> String? {
        guard droppedCount == 0 else {
            return "the journal was full and dropped \(Plural.count(droppedCount, "entry", plural: "entries"))"
        }
        let gap = zip(entries, entries.dropFirst()).first { $1.sequence != $0.sequence &+ 1 }
        return gap.map { "the journal has a gap after entry \($0.0.sequence)" }
    }
}

extension WireRecord {
    /// Whether the client read nothing on every connection that carried a request, although no reply was meant to break
    /// there.
    ///
    /// The client's system sends RST for a socket that is closed with bytes which its program has not read (RFC 9293
    /// §3.6.1). Over HTTP/2 a client that reads acknowledges SETTINGS (RFC 9113 §6.5.3), which stand before every reply,
    /// or ends the connection with GOAWAY and without RST: one that has read all at once need not acknowledge it then.
    /// Replies with bytes that a client need not read, such as raw ones and those that an effect cuts, show nothing.
    var leavesRepliesUnread: Bool {
        let used = connections.filter { !$0.requests.isEmpty }
        return !used.isEmpty
            && used.allSatisfy { connection in
                isUnread(connection) && connection.requests.allSatisfy { isPlain(requests[$0]) }
            }
    }

    private func isUnread(_ connection: SeenConnection) -> Bool {
        let http2 = connection.http2
        if http2.hasServerSettings, http2.acknowledgedSettingsCount == 0, http2.goAwayCode == nil { return true }
        return connection.end.map { $0.by == .client && $0.how == .reset } ?? false
    }

    private func isPlain(_ request: SeenRequest) -> Bool {
        guard !request.isReplyCut else { return false }
        guard let reply = request.reply else { return true }
        return reply.content != nil
    }
}
