import ProctorBase
import ProctorHTTP
public import ProctorJournal

/// A journal as text for a person: one line an entry, with milliseconds since the first.
///
/// What was wrong with a credential stands below its guard's line, a line for each fault; so do cookies and what
/// becomes of them.
public struct WireTimeline: Sendable, CustomStringConvertible {
    /// The sentences in the order of the journal.
    public let lines: [String]

    /// Writes down every entry; dropped ones, of which there are `droppedCount`, show as lines of their own.
    ///
    /// Of a journal that comes piece by piece, `start` is the time of its first entry, `last` the one before this piece.
    /// Below a head stand those of its fields that are `shown`.
    public init(
        _ entries: [JournalEntry], droppedCount: Int = 0, shown: ShownFields = ShownFields(), start: UInt64? = nil,
        after last: JournalEntry? = nil
    ) {
        let start = start ?? entries.first?.nanoseconds ?? 0
        var last = last
        var lines: [String] = []
        let leading = Self.leadingCount(entries, droppedCount)
        if leading > 0 {
            lines.append("… \(Plural.count(leading, "entry", plural: "entries")) dropped, for want of room")
        }
        for entry in entries {
            if let last, let count = Self.missingCount(between: last, entry) {
                lines.append("… \(Plural.count(count, "entry", plural: "entries")) missing")
            }
            last = entry
            let passed = entry.nanoseconds >= start ? entry.nanoseconds - start : 0
            let request = entry.request.map { "r\($0)" } ?? ""
            lines.append(
                Self.left(Self.milliseconds(passed), 12) + "  " + Self.right(entry.connection.map { "c\($0)" } ?? "", 4)
                    + Self.right(request, 5) + Self.text(of: entry.event))
            lines += Self.details(of: entry.event, shown).map { Self.right("", 25) + $0 }
        }
        self.lines = lines
    }

    /// All lines.
    public var description: String { lines.joined(separator: "\n") }

    /// How many sequences lie between two neighbours; nil when none does, or when a file has them out of order.
    static func missingCount(between entry: JournalEntry, _ next: JournalEntry) -> Int? {
        guard next.sequence > entry.sequence, next.sequence - entry.sequence > 1 else { return nil }
        return Int(clamping: next.sequence - entry.sequence - 1)
    }

    /// How many of the dropped entries stood before the first one that is kept.
    static func leadingCount(_ entries: [JournalEntry], _ droppedCount: Int) -> Int {
        zip(entries, entries.dropFirst()).reduce(droppedCount) { rest, pair in
            max(0, rest - (missingCount(between: pair.0, pair.1) ?? 0))
        }
    }

    /// `12.345 ms`, cut and not rounded.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let microseconds = nanoseconds / 1000
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) ms"
    }

    private static func left(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func right(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// What an entry tells, without its place.
    static func text(of event: JournalEvent) -> String {
        switch event {
        case .connectionOpened(let origin, let peer, let local): "opened by \(peer) to \(local) (\(origin))"
        case .clientHello(let hello): TLSText.of(hello)
        case .secured(let handshake): TLSText.of(handshake)
        case .handshakeFailed(let moment, let reason): TLSText.failure(moment, reason)
        case .alert(let alert): TLSText.of(alert)
        case .requestHead(let head, let target):
            "\(WireText.of(head.methodBytes)) \(WireText.of(target)) "
                + "HTTP/\(head.version.major).\(head.version.minor), \(Plural.count(head.fields.count, "field"))"
        case .routed(let origin, let routing): "for \(origin), which its \(routing.phrase) names"
        case .tunnelOpened(let authority, let origin, let connection):
            "tunnel to \(EventText.printable(authority, limit: 300)) (\(origin)); what comes through it is c\(connection)"
        case .cookiesSet(let notes): CookieText.sentence(notes)
        case .cookiesJudged(let verdict): CookieText.sentence(verdict)
        case .requestBody(let body): text(of: body)
        case .bytesReceived(let received): ReceivedText.sentence(received)
        case .bytesExpected(let expected): ReceivedText.sentence(expected)
        case .continueSent: "told to continue: 100"
        case .violation(let violation): "\(violation.isFatal ? "refused: " : "violation: ")\(violation)"
        case .exchangeChosen(let exchange, let turn): "exchange \(exchange)\(turn == 0 ? "" : ", turn \(turn)")"
        case .missed(let miss):
            "no exchange matches"
                + (miss.nearestExchange.map { "; nearest is \($0)" } ?? "")
                + (miss.differences.isEmpty ? "" : ": \(miss.differences.joined(separator: "; "))")
        case .guarded(let verdict): GuardText.sentence(verdict)
        case .effectPlayed(let action, let position): "\(action) at \(position)"
        case .slicesKept(let count, let keeping):
            "sent in \(Plural.count(count, "slice")), kept apart by \(keeping == .queue ? "the peer's queue" : "pauses")"
        case .syncPassed(let event, let how):
            switch how {
            case .reached: "went on, for the client had reported \(event)"
            case .timedOut: "went on without \(event): the client did not report it in time"
            case .unreported: "went on without \(event): this client reports nothing"
            }
        case .replyBegun(let reply):
            "reply \(reply.status.map { "\($0) " } ?? "")begins"
                + (reply.fields.map { ", \(Plural.count($0.count, "field"))" } ?? "")
        case .replySent(let status, let byteCount):
            "replied \(status.map { "\($0), " } ?? "")\(Plural.count(byteCount, "byte"))"
        case .replyAborted(let sentByteCount, let reason):
            "reply broken off after \(Plural.count(sentByteCount, "byte")): \(reason)"
        case .boundReached(let bound): bound.sentence
        case .clientReached(let event, let task): "the client reports \(event) of task \(task)"
        case .connectionClosed(let party, let how): "\(how.phrase) by the \(party.rawValue)"
        }
    }

    /// What there is to say below an entry's line.
    static func details(of event: JournalEvent, _ shown: ShownFields = ShownFields()) -> [String] {
        switch event {
        case .requestHead(let head, _): shown.lines(of: head)
        case .replyBegun(let reply): shown.lines(of: reply)
        case .guarded(let verdict): GuardText.details(of: verdict)
        case .cookiesSet(let notes): CookieText.details(of: notes)
        case .cookiesJudged(let verdict): CookieText.details(of: verdict)
        default: []
        }
    }

    private static func text(of body: RequestBody) -> String {
        let shown = body.kept.isEmpty ? "" : " " + WireText.quoted(body.kept, limit: 60)
        if body.isWithheld { return "body kept back: the client was sent no 100 (Continue)" }
        let chunks = body.chunks.isEmpty ? "" : " in \(Plural.count(body.chunks.count, "chunk"))"
        let trailers = body.trailers.isEmpty ? "" : ", \(Plural.count(body.trailers.count, "trailer"))"
        let length = "body of \(Plural.count(body.byteCount, "byte"))\(chunks)"
        return "\(length)\(body.isComplete ? "" : ", cut short")\(trailers)\(shown)"
    }
}

extension JournalEvent.Routing {
    /// What of the request names the origin.
    fileprivate var phrase: String {
        switch self {
        case .host: "Host"
        case .absolute: "target"
        case .tunnel: "CONNECT"
        }
    }
}

extension JournalEvent.Ending {
    fileprivate var phrase: String {
        switch self {
        case .closed: "closed"
        case .reset: "reset"
        case .timedOut: "timed out, closed"
        case .refused: "refused, closed"
        case .stopped: "stopped, closed"
        }
    }
}
