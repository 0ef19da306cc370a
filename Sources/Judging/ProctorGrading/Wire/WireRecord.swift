import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Everything in a journal about the wire, computed once in linear time; all checks use it.
package struct WireRecord {
    /// The requests, in the order of arrival.
    package private(set) var exchanges: [SeenExchange] = []
    private(set) var connections: [SeenConnection] = []
    private(set) var misses: [Seen<Miss>] = []
    private(set) var violations: [Seen<Violation>] = []
    private(set) var frameViolations: [Seen<FrameViolationNote>] = []
    /// Frames that expressions and edges can name, in order.
    private(set) var frameEvents: [FrameEvent] = []
    private(set) var verdicts: [Seen<GuardVerdict>] = []
    /// The errors that the client told the server, in order.
    private(set) var toldErrors: [ToldError] = []
    /// The reference model's verdicts on cookies.
    private(set) var cookieVerdicts: [Seen<CookieVerdict>] = []
    /// Every reply that sets cookies, at the time its head was sent, with the request that it answers.
    private(set) var cookieSettings: [Seen<[SetCookieNote]>] = []
    /// The sequences of the entries at which proxies of the scenario opened a tunnel.
    private(set) var tunnels: [UInt64] = []
    /// Whether any proxy opened a tunnel, the proxy for names included.
    private(set) var hasTunnel = false
    /// The indexes in ``connections`` of those on which a handshake began, in the order of their ClientHellos.
    private(set) var handshakes: [Int] = []
    /// What modules above read.
    private(set) var gatherers = FactGatherers.makeAll()
    /// The results of script steps that expected bytes on a connection that is no longer HTTP, in order.
    private(set) var expectations: [Seen<ExpectedBytes>] = []
    /// The status of each final reply that began; nil for raw bytes.
    private(set) var replies: [Seen<Int?>] = []
    /// The ends of connections in the order of the journal, except those at the end of the run.
    private(set) var closings: [Seen<JournalEvent.Party>] = []
    private(set) var bounds: [Seen<ReachedBound>] = []
    private(set) var failedReplies: [Seen<FailedReply>] = []
    /// The webhooks whose answers are not as they should be.
    private(set) var webhooks: [Seen<WebhookNote>] = []
    private(set) var descriptions: [Seen<DescriptionNote>] = []
    private(set) var stateRefusals: [Seen<StateRefusal>] = []
    /// Awaited events that did not come.
    private(set) var missedWaits: [Seen<MissedWait>] = []
    /// When a connection first sent bytes of its own, or HTTP/2 without SETTINGS in front; nil where none did.
    private(set) var greetingNanoseconds: UInt64?
    /// Whether a reply, a frame or a name server may have sent the client to another origin's port (RFC 7838, RFC 8336, RFC 9460).
    private(set) var servesOtherOrigins = false
    /// The sequence after which entries are missing; nil when none are missing.
    private(set) var gapAfter: UInt64?

    /// The indexes of requests, by their number in the journal.
    private var places: [Int: Int] = [:]
    private var connectionPlaces: [Int: Int] = [:]
    private let hasOwnURLs: Bool

    struct MissedWait: Hashable {
        let event: String
        let how: JournalEvent.SyncPassing
    }

    /// `hasOwnURLs` means that Host and target give the URLs that the client had to load; `uncounted` requests and
    /// connections are left out.
    init(_ entries: [JournalEntry], hasOwnURLs: Bool = true, without uncounted: UncountedRequests = .none) {
        self.hasOwnURLs = hasOwnURLs
        let carriers = Self.carriers(entries)
        var last: UInt64?
        for entry in entries {
            if let last, gapAfter == nil, entry.sequence != last &+ 1 { gapAfter = last }
            last = entry.sequence
            readEventOfRun(entry)
            if entry.connection == nil { gather(entry, on: nil, of: nil) }
            guard let number = entry.connection, !carriers.contains(number),
                !uncounted.connections.contains(number), !(entry.request.map(uncounted.requests.contains) ?? false)
            else { continue }
            let connection = connectionPlaces[number] ?? connections.count
            if connection == connections.count {
                connectionPlaces[number] = connection
                connections.append(SeenConnection(number: number, sequence: entry.sequence))
            }
            let request = entry.request.flatMap { places[$0] }
            read(entry, on: connection, of: request)
            gather(entry, on: connection, of: request)
        }
        assignFrameViolations()
        for (exchange, violation) in foreignHosts() {
            exchanges[exchange.number].violations.append(violation)
            violations.append(Seen(exchange, violation))
        }
        guard let frames = frameEvidence else { return }
        for (index, exchange) in exchanges.enumerated() {
            guard let stream = exchange.head.stream else { continue }
            exchanges[index].windows =
                frames.window(ofStream: stream, on: exchange.connection, before: exchange.sequence)
        }
    }

    /// The index in ``exchanges`` of the request with that number in the journal.
    func place(ofRequest number: Int) -> Int? { places[number] }

    private mutating func gather(_ entry: JournalEntry, on connection: Int?, of request: Int?) {
        for index in gatherers.indices { gatherers[index].read(entry, on: connection, of: request) }
    }

    /// What a module has read for its group of facts; nil where none has registered.
    func gatherer(of group: FactGroup) -> (any FactGatherer)? { gatherers.first { $0.group == group } }

    /// nil where the program has no module that reads frames.
    var frameEvidence: (any FrameEvidence)? {
        gatherers.lazy.compactMap { $0 as? any FrameEvidence }.first
    }

    /// The indexes of the requests on a connection, in order.
    package func requests(on connection: Int) -> [Int] { connections[connection].requests }

    /// Reads entries that are counted for the whole run, with or without a connection.
    private mutating func readEventOfRun(_ entry: JournalEntry) {
        func seen<Note>(_ note: Note) -> Seen<Note> { Seen(entry, nil, nil, note) }
        switch entry.event {
        case .boundReached(let bound): bounds.append(seen(bound))
        case .replyFailed(let failure): failedReplies.append(seen(failure))
        case .stateRefused(let refusal): stateRefusals.append(seen(refusal))
        case .tunnelOpened: hasTunnel = true
        case .dns: servesOtherOrigins = true
        case .webhook(let note): if note.fault != nil { webhooks.append(seen(note)) }
        case .syncPassed(let event, let how):
            if how != .reached { missedWaits.append(seen(MissedWait(event: event, how: how))) }
        default: break
        }
    }

    private mutating func read(_ entry: JournalEntry, on connection: Int, of request: Int?) {
        func seen<Note>(_ note: Note) -> Seen<Note> { Seen(entry, request, connection, note) }
        switch entry.event {
        case .connectionOpened(let origin, let peer, let local):
            connections[connection].open(origin, peer: peer, local: local)
        case .clientHello, .secured, .handshakeFailed, .alert:
            if case .clientHello = entry.event, connections[connection].tls.hello == nil {
                handshakes.append(connection)
            }
            connections[connection].tls.read(entry)
            if let told = ToldError(entry, on: connection) { toldErrors.append(told) }
        case .requestHead(let head, let target):
            if let number = entry.request { places[number] = exchanges.count }
            connections[connection].requests.append(exchanges.count)
            exchanges.append(
                SeenExchange(
                    exchanges.count, entry, head: head, target: target, on: connection, connections[connection],
                    hasOwnURL: hasOwnURLs))
        case .pipelined(let count): update(request) { $0.behindCount = count }
        case .requestBody(let body): update(request) { $0.body = body }
        case .violation(let violation): record(violation, seen: seen(violation), on: connection)
        case .frameViolation(let violation): frameViolations.append(seen(violation))
        case .missed(let miss):
            update(request) { $0.isMissed = true }
            misses.append(seen(miss))
        case .described(let note): if !note.faults.isEmpty { descriptions.append(seen(note)) }
        case .guarded(let verdict):
            update(request) { $0.verdicts.append(verdict) }
            verdicts.append(seen(verdict))
        case .replyBegun(let reply):
            if !reply.isInterim { replies.append(seen(reply.status)) }
            if reply.fields?.contains(named: "Alt-Svc") == true { servesOtherOrigins = true }
            update(request) { $0.recordReply(reply, at: entry.nanoseconds) }
        case .replyAborted(let byteCount, _, _): update(request) { $0.abortedByteCount = byteCount }
        case .bytesReceived(let received):
            switch received.kind {
            case .opaque: update(request) { $0.opaque.append(received) }
            case .late: update(connections[connection].requests.last) { $0.hasLateContent = true }
            case .behind where connections[connection].tls.hello != nil:
                if let told = ToldError(entry, on: connection) { toldErrors.append(told) }
            case .refused, .unfinished, .behind: break
            }
        case .bytesExpected(let expected): expectations.append(seen(expected))
        case .replySent(let status, _): update(request) { ($0.sentStatus, $0.isReplySent) = (status, true) }
        case .effectPlayed(let effect):
            connections[connection].hasEffects = true
            if request == nil, effect.verb == .send { greetingNanoseconds = greetingNanoseconds ?? entry.nanoseconds }
            update(request) { $0.recordEffect(effect) }
        case .connectionClosed(let party, let how):
            connections[connection].end = (party, how)
            if how != .stopped { closings.append(seen(party)) }
        case .routed(let origin, _): update(request) { $0.origin = origin }
        case .tunnelOpened: if connections[connection].origin != Self.namesOrigin { tunnels.append(entry.sequence) }
        case .cookiesJudged(let verdict):
            update(request) { $0.cookieVerdict = verdict }
            cookieVerdicts.append(seen(verdict))
        case .cookiesSet(let notes): cookieSettings.append(seen(notes))
        case .frame(let frame):
            if frame.party == .server, ["ALTSVC", "ORIGIN"].contains(frame.type) { servesOtherOrigins = true }
            if let event = FrameEvent(frame, entry) { frameEvents.append(event) }
            if let told = ToldError(entry, on: connection) { toldErrors.append(told) }
            guard !frame.isOfHTTP3 else { break }
            connections[connection].speaksHTTP2 = true
            if frame.party == .server, frame.offset == 0, frame.type != "SETTINGS" || !frame.flags.isEmpty {
                greetingNanoseconds = greetingNanoseconds ?? entry.nanoseconds
            }
        case .slicesKept(let count, .queue): connections[connection].hasTakenSlices = count > 1
        case .exchangeChosen(let exchange, _): update(request) { $0.chosen = (exchange, entry.sequence) }
        case .runBegun, .clientReached, .slicesKept, .syncPassed, .continueSent, .boundReached,
            .clockMoved, .webhook, .stateChanged, .stateRefused, .replyFailed, .loopHeld, .turnedAway, .finReceived,
            .dns, .downstream, .socks, .webSocket, .fieldBlock:
            break
        }
    }

    private mutating func update(_ request: Int?, _ change: (inout SeenExchange) -> Void) {
        if let request { change(&exchanges[request]) }
    }

    /// Records a violation; one after a request, or within its content, belongs to the last request of its connection.
    private mutating func record(_ violation: Violation, seen: Seen<Violation>, on connection: Int) {
        var seen = seen
        if seen.request == nil, violation.kind.isCutContent || violation.kind.isSurplus {
            seen.request = connections[connection].requests.last
        }
        update(seen.request) { $0.violations.append(violation) }
        violations.append(seen)
    }

    /// Assigns each violation to the request of its stream, whose entry may come later.
    private mutating func assignFrameViolations() {
        guard !frameViolations.isEmpty else { return }
        var owners: [[UInt32?]: Int] = [:]
        func key(_ connection: Int?, _ stream: UInt32?) -> [UInt32?] {
            [connection.map { UInt32(truncatingIfNeeded: $0) }, stream]
        }
        for exchange in exchanges {
            let key = key(exchange.connection, exchange.head.stream)
            if owners[key] == nil { owners[key] = exchange.number }
        }
        for (index, seen) in frameViolations.enumerated() {
            guard let owner = seen.request ?? owners[key(seen.connection, seen.note.stream)] else { continue }
            frameViolations[index].request = owner
            exchanges[owner].frameViolations.append(seen.note)
        }
    }

    /// The journal's name for the proxy that reaches all names; a client need not use it.
    private static let namesOrigin = "names"

    /// Connections that only carried a tunnel to a name; a client that has the name's address makes none of these.
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
}

/// The content of a journal entry with its sequence, its request and its connection.
struct Seen<Note> {
    let sequence: UInt64
    let nanoseconds: UInt64
    /// The index in ``WireRecord/exchanges``; nil: no request.
    fileprivate(set) var request: Int?
    /// The index in ``WireRecord/connections``; nil: the run as a whole.
    let connection: Int?
    let note: Note

    fileprivate init(_ entry: JournalEntry, _ request: Int?, _ connection: Int?, _ note: Note) {
        (sequence, nanoseconds) = (entry.sequence, entry.nanoseconds)
        (self.request, self.connection, self.note) = (request, connection, note)
    }

    /// What is found of a request when all entries are read.
    fileprivate init(_ exchange: SeenExchange, _ note: Note) {
        (sequence, nanoseconds) = (exchange.sequence, exchange.nanoseconds)
        (request, connection, self.note) = (exchange.number, exchange.connection, note)
    }
}

struct SeenConnection {
    /// The number in the journal and its timeline; facts count connections in the same order, but without those that
    /// only carry a tunnel to a name.
    let number: Int
    let sequence: UInt64
    private(set) var origin: String?
    var tls = SeenHandshake()
    /// Whether either side sent a frame of HTTP/2.
    var speaksHTTP2 = false
    /// The client's port, which identifies the connection.
    private(set) var peerPort: Int?
    /// The server's address at which the client's connection arrived.
    private(set) var local: (host: String, port: Int)?
    /// Indexes in ``WireRecord/exchanges``.
    var requests: [Int] = []
    /// Whether a reply went out in slices, each when the client had read the one before.
    var hasTakenSlices = false
    /// Whether the fixture did something to the connection, or within a reply on it.
    var hasEffects = false
    var end: (by: JournalEvent.Party, how: JournalEvent.Ending)?

    fileprivate init(number: Int, sequence: UInt64) {
        (self.number, self.sequence) = (number, sequence)
    }

    fileprivate mutating func open(_ origin: String, peer: String, local: String) {
        self.origin = origin
        peerPort = Self.split(peer)?.port
        self.local = Self.split(local)
    }

    /// Splits `127.0.0.1:8088`.
    private static func split(_ address: String) -> (host: String, port: Int)? {
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]) else {
            return nil
        }
        return (String(address[..<colon]), port)
    }
}

extension Violation.Kind {
    /// Whether the peer left within the content of a request whose head was complete.
    var isCutContent: Bool { self == .incompleteContent || self == .incompleteChunkedContent }

    /// Whether the violation comes after a request, and belongs to no later one.
    var isSurplus: Bool { self == .bytesAfterRequest || self == .requestAfterClose || self == .unansweredRequest }

    /// Whether the peer left, which it may do at any time; facts report what is missing (RFC 9112 §8, §9.5).
    var isDeparture: Bool { isCutContent || self == .incompleteHead }
}

// MARK: What the journal can show

extension WireRecord {
    /// Why the journal can't be judged, a sentence; nil when it is complete.
    func fault(droppedCount: Int) -> String? {
        guard droppedCount == 0 else {
            return "the journal was full and dropped \(Plural.count(droppedCount, "entry", plural: "entries"))"
        }
        return gapAfter.map { "the journal has a gap after entry \($0)" }
    }

    /// Whether every request could be read, and has an entry.
    var isReadable: Bool {
        !exchanges.isEmpty && violations.isEmpty && frameViolations.isEmpty && misses.isEmpty && gapAfter == nil
    }

    /// Whether every reply belongs to a request: no entry is missing, and the client sent no bytes outside of requests.
    var hasAllReplies: Bool {
        gapAfter == nil && !violations.contains { $0.request == nil && !$0.note.kind.isDeparture }
            && !frameViolations.contains { $0.request == nil && $0.note.scope != .none }
    }

    /// Whether the client left replies unread on every connection with a request, although no reply was meant to break
    /// there.
    ///
    /// The client's system sends RST when a socket is closed whose received bytes its program has not read (RFC 9293
    /// §3.6.1). Over HTTP/2, a client that reads acknowledges SETTINGS (RFC 9113 §6.5.3), which precede every reply, or
    /// ends the connection in order, by GOAWAY or close_notify and without RST: then it need not acknowledge them.
    /// Replies with bytes that a client need not read, such as raw ones and those that an effect cuts, show nothing.
    var leavesRepliesUnread: Bool {
        let used = connections.filter { !$0.requests.isEmpty }
        return !used.isEmpty
            && used.allSatisfy { connection in
                isUnread(connection)
                    && connection.requests.allSatisfy { index in
                        let exchange = exchanges[index]
                        return !exchange.isReplyCut && exchange.reply.map { $0.content != nil } ?? true
                    }
            }
    }

    private func isUnread(_ connection: SeenConnection) -> Bool {
        let hasCloseNotify = connection.tls.alerts.contains { $0.party == .client && $0.number == 0 }
        let place = connection.requests.first.map { exchanges[$0].connection }
        if !hasCloseNotify, let place, frameEvidence?.leavesSettingsUnread(on: place) == true { return true }
        return !connection.hasTakenSlices && connection.end.map { $0.by == .client && $0.how == .reset } ?? false
    }
}
