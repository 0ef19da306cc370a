import ProctorBase
import ProctorHTTP
package import ProctorJournal
internal import ProctorScenario

/// A journal as text for a person: one line for each entry, with milliseconds since the first.
///
/// Below the line of a guard is a line for each fault of the credential; below the line of cookies are each difference
/// and the outcome of each field.
package struct WireTimeline: Sendable, CustomStringConvertible {
    package let lines: [String]

    /// Writes all entries; `droppedCount` dropped entries get lines of their own.
    ///
    /// For a journal that is read in parts, `start` is the time of its first entry, and `last` the entry before this
    /// part. The fields that are `shown` are listed below their head.
    package init(
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
        var ownReplies = OwnReplies()
        var locals: [Int: String] = [:]
        for entry in entries {
            let isOwn = ownReplies.contains(entry)
            if let last, let count = Self.missingCount(between: last, entry) {
                lines.append("… \(Plural.count(count, "entry", plural: "entries")) missing")
            }
            last = entry
            // The line about the sent reply is enough.
            if isOwn, shown.showsReplies, case .replyBegun = entry.event { continue }
            let passed = entry.nanoseconds >= start ? entry.nanoseconds - start : 0
            let request = entry.request.map { "r\($0)" } ?? ""
            // Milliseconds are truncated, not rounded.
            let time = "\(WireText.thousandths(passed / 1000)) ms".rightAligned(12)
            let connection = entry.connection.map { "c\($0)" } ?? ""
            let text = Self.text(of: entry.event, isOwn: isOwn)
            lines.append("\(time)  \(connection.leftAligned(4))\(request.leftAligned(5))\(text)")
            var details = isOwn ? [] : Self.details(of: entry.event, shown)
            if shown.isOfSharedPort, let number = entry.connection {
                if case .connectionOpened(_, _, let local) = entry.event { locals[number] = local }
                if case .requestHead(let head, _) = entry.event, let local = locals[number] {
                    details += Self.hostNote(head, at: local)
                }
            }
            lines += details.map { "".leftAligned(25) + $0 }
        }
        self.lines = lines
    }

    package var description: String { lines.joined(separator: "\n") }

    /// The number of missing sequences between two neighbours; nil when none is missing, or when a file has them out of
    /// order.
    static func missingCount(between entry: JournalEntry, _ next: JournalEntry) -> Int? {
        guard next.sequence > entry.sequence, next.sequence - entry.sequence > 1 else { return nil }
        return Int(clamping: next.sequence - entry.sequence - 1)
    }

    /// The number of dropped entries before the first kept one.
    static func leadingCount(_ entries: [JournalEntry], _ droppedCount: Int) -> Int {
        zip(entries, entries.dropFirst()).reduce(droppedCount) { rest, pair in
            max(0, rest - (missingCount(between: pair.0, pair.1) ?? 0))
        }
    }

    /// `isOwn`: the entry is about a reply that Proctor itself made.
    static func text(of event: JournalEvent, isOwn: Bool = false) -> String {
        switch event {
        case .runBegun(let seed): "the run has the seed \(seed)"
        case .connectionOpened(let origin, let peer, let local): "opened by \(peer) to \(local) (\(origin))"
        case .clientHello(let hello): TLSText.hello(hello)
        case .secured(let handshake): TLSText.handshake(handshake)
        case .handshakeFailed(let moment, let reason): TLSText.failure(moment, reason)
        case .alert(let alert): TLSText.alert(alert)
        case .requestHead(let head, let target):
            "\(WireText.escaped(head.methodBytes)) \(WireText.escaped(target)) "
                + "\(head.version.text)\(FrameText.place(head.stream ?? 0)), \(Plural.count(head.fields.count, "field"))"
        case .routed(let origin, let routing): "for \(origin), which its \(routing.phrase) names"
        case .tunnelOpened(let authority, let origin, let connection):
            "tunnel to \(EventText.printable(authority, limit: 300)) (\(origin)); what comes through it is c\(connection)"
        case .cookiesSet(let notes): CookieText.outcomes(notes)
        case .cookiesJudged(let verdict): CookieText.sentence(verdict)
        case .requestBody(let body): text(of: body)
        case .bytesReceived(let received): ReceivedText.sentence(received)
        case .bytesExpected(let expected): ReceivedText.sentence(expected)
        case .continueSent: "told to continue: 100"
        case .violation(let violation): "\(violation.isFatal ? "refused: " : "violation: ")\(violation)"
        case .frame(let frame): FrameText.frame(frame)
        case .fieldBlock(let block): FrameText.block(block)
        case .frameViolation(let violation): FrameText.violation(violation)
        case .socks(let note): EventText.printable(note.sentence, limit: 1_000)
        case .dns(let note): EventText.printable(note.sentence, limit: 1_000)
        case .downstream(let note): EventText.printable(note.sentence, limit: 1_000)
        case .webSocket(let note): EventText.printable(note.sentence, limit: 1_000)
        case .exchangeChosen(let exchange, let turn): "exchange \(exchange)\(turn == 0 ? "" : ", turn \(turn)")"
        case .clockMoved(let note):
            "the run's clock shows \(String(decoding: HTTPDate.imfFixdate(unixSeconds: note.unixSeconds), as: UTF8.self))"
                + (note.isFrozen ? ", and stands still" : "")
        case .stateChanged(let change):
            "state \(WireText.escaped(change.name))"
                + (change.value.map { " is now \"\(EscapedText.escape($0, limit: 100))\"" } ?? " is removed")
        case .stateRefused(let refusal): refusal.sentence
        case .missed(let miss):
            "no exchange matches" + (miss.nearestExchange.map { "; nearest is \($0)" } ?? "")
                + (miss.differences.isEmpty ? "" : ": \(miss.differences.joined(separator: "; "))")
        case .guarded(let verdict): GuardText.sentence(verdict)
        case .webhook(let note): note.sentence
        case .described(let note): note.sentence
        case .effectPlayed(let effect): "\(effect)"
        case .pipelined(let count):
            "pipelined: came before \(Plural.count(count, "reply", plural: "replies")) had gone out"
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
            "\(isOwn ? "Proctor itself " : "")replied \(status.map { "\($0), " } ?? "")\(Plural.count(byteCount, "byte"))"
        case .replyAborted(let sentByteCount, let reason, _):
            "reply broken off after \(Plural.count(sentByteCount, "byte")): \(reason)"
        case .replyFailed(let failure): failure.sentence
        case .boundReached(let bound): bound.sentence
        case .loopHeld(let held): held.sentence
        case .turnedAway(let refused): refused.sentence
        case .clientReached(let event, let task): "the client reports \(event) of task \(task)"
        case .finReceived: "FIN of the client, which may still read"
        case .connectionClosed(let party, let how): "\(how.phrase) by the \(party.rawValue)"
        }
    }

    /// Where a request's Host leads `{{base}}`, when that is not the socket `local` at which it came.
    ///
    /// A Host without a port that is the socket's own address gets the socket's port.
    private static func hostNote(_ head: RequestHead, at local: String) -> [String] {
        guard let host = head.fields.first(named: "Host"), !host.isEmpty, let colon = local.utf8.lastIndex(of: 0x3A),
            !["80", "443"].contains(local[colon...].dropFirst())
        else { return [] }
        let hasPort = host.last != UInt8(ascii: "]") && host.contains(UInt8(ascii: ":"))
        let own = local.utf8[..<colon]
        let isOwn = host.elementsEqual(own) || host.elementsEqual("localhost".utf8) && own.starts(with: "127.".utf8)
        guard !hasPort, !isOwn else { return [] }
        let name = WireText.escaped(host)
        return ["Host has no port, so {{base}} leads to the usual port of \(name), not to \(local)"]
    }

    static func details(of event: JournalEvent, _ shown: ShownFields = ShownFields()) -> [String] {
        switch event {
        case .requestHead(let head, _):
            (TraceParent(of: head.fields).map { ["trace \($0.traceID), span \($0.parentID)"] } ?? [])
                + shown.lines(of: head)
        case .replyBegun(let reply): shown.lines(of: reply)
        case .guarded(let verdict): GuardText.details(of: verdict)
        case .cookiesSet(let notes): CookieText.details(of: notes)
        case .cookiesJudged(let verdict): CookieText.details(of: verdict)
        default: []
        }
    }

    /// The lines of a head as they were on the wire, the kept content, and the judgements.
    package static func wholeDetails(of event: JournalEvent) -> [String] {
        switch event {
        case .requestHead(let head, let target):
            ["\(WireText.escaped(head.methodBytes)) \(WireText.escaped(target)) \(head.version.text)"]
                + lines(of: head.fields)
        case .replyBegun(let reply): reply.fields.map(lines) ?? []
        case .frame(let frame): FrameText.details(of: frame)
        case .fieldBlock(let block): FrameText.details(of: block)
        case .requestBody(let body) where !body.kept.isEmpty:
            (body.decoded.map { [WireText.quoted($0.kept, limit: RecordBounds.line)] } ?? [])
                + [(body.decoded == nil ? "" : "as it came: ") + WireText.quoted(body.kept, limit: RecordBounds.line)]
        default: details(of: event)
        }
    }

    private static func lines(of fields: FieldSection) -> [String] {
        fields.map { "\(WireText.escaped($0.name)): \(WireText.escaped($0.value))" }
    }

    private static func text(of body: RequestBody) -> String {
        let content = body.decoded?.kept ?? body.kept
        let shown = content.isEmpty ? "" : " " + WireText.quoted(content, limit: 60)
        if body.isWithheld { return "body kept back: the client was sent no 100 (Continue)" }
        let chunks = body.chunks.isEmpty ? "" : " in \(Plural.count(body.chunks.count, "chunk"))"
        let trailers = body.trailers.isEmpty ? "" : ", \(Plural.count(body.trailers.count, "trailer"))"
        let length = "body of \(Plural.count(body.byteCount, "byte"))\(chunks)"
        let decoded = body.decoded.map { ", decoded \($0.byteCount)" } ?? ""
        return "\(length)\(decoded)\(body.isComplete ? "" : ", cut short")\(trailers)\(shown)"
    }
}

extension JournalEvent.Routing {
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
