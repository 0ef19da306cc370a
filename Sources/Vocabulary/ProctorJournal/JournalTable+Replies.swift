import ProctorBase
import ProctorHTTP

// What a request is judged by, and how it is answered.
extension JournalTable {
    // MARK: Cookies

    static let cookiesSet: Event<[SetCookieNote]> = Event("cookiesSet") {
        Key("cookies", .list(.object(setCookie)), { $0 })
    } make: {
        .cookiesSet($0)
    }

    private static let setCookie: Object<SetCookieNote> = Object {
        Key(bytes: "field", \.field)
        Key("outcome", .word, \.outcome)
        Key("revisedOutcome", .word, ifAny: \.revisedOutcome)
        Key("remarks", .list(.text), \.remarks)
    } make: {
        SetCookieNote(field: $0, outcome: $1, revisedOutcome: $2, remarks: $3)
    }

    static let cookiesJudged: Event<CookieVerdict> = Event("cookiesJudged") {
        Key("sent", .list(.bytes), \.sent)
        Key(bytes: "expected", ifAny: \.expected)
        Key("conformsTo", .list(.word), \.conformsTo)
        Key("differences", .list(.object(cookieDifference)), \.differences)
        Key("otherwise", .object(cookieReading), ifAny: \.otherwise)
        Key("undecided", .number, ifAny: { $0.undecidedCount > 0 ? $0.undecidedCount : nil })
    } make: {
        .cookiesJudged(
            CookieVerdict(
                sent: $0, expected: $1, conformsTo: $2, differences: $3, undecidedCount: $5 ?? 0, otherwise: $4))
    }

    private static let cookieReading: Object<CookieReading> = Object {
        Key("edition", .word, \.edition)
        Key(bytes: "expected", ifAny: \.expected)
        Key("differences", .list(.object(cookieDifference)), \.differences)
    } make: {
        CookieReading($0, expected: $1, differences: $2)
    }

    private static let cookieDifference: Object<CookieDifference> = Object {
        Key("kind", .word, \.kind)
        Key(bytes: "name", \.name)
        Key("sentence", .text, \.sentence)
        Key("section", .text, \.section)
    } make: {
        CookieDifference($0, $1, sentence: $2, section: $3)
    }

    // MARK: Replies

    static let continueSent: Event<Void> = Event("continueSent") {
    } make: {
        .continueSent
    }

    static let exchangeChosen: Event<(exchange: Int, turn: Int)> = Event("exchangeChosen") {
        Key("exchange", .number, \.exchange)
        Key("turn", .number, \.turn)
    } make: {
        .exchangeChosen(exchange: $0, turn: $1)
    }

    static let clockMoved: Event<ClockNote> = Event("clockMoved") {
        Key("unixSeconds", .number, \.unixSeconds)
        Key("frozen", .flag, \.isFrozen)
        Key("by", .word, \.cause)
    } make: {
        .clockMoved(ClockNote(unixSeconds: $0, isFrozen: $1, by: $2))
    }

    static let stateChanged: Event<StateChange> = Event("stateChanged") {
        Key(bytes: "name", \.name)
        Key(bytes: "value", ifAny: \.value)
        Key("by", .word, \.cause)
    } make: {
        .stateChanged(StateChange($0, value: $1, by: $2))
    }

    static let stateRefused: Event<StateRefusal> = Event("stateRefused") {
        Key(bytes: "name", \.name)
        Key("reason", .text, \.reason)
    } make: {
        .stateRefused(StateRefusal($0, reason: $1))
    }

    static let missed: Event<Miss> = Event("missed") {
        Key("nearestExchange", .number, ifAny: \.nearestExchange)
        Key("differences", .list(.bytes), { $0.differences.map { Array($0.utf8) } })
    } make: { nearest, differences in
        .missed(Miss(nearestExchange: nearest, differences: differences.map { String(decoding: $0, as: UTF8.self) }))
    }

    static let guarded: Event<GuardVerdict> = Event("guarded") {
        Key("guard", .text, \.guardName)
        Key("field", .text, \.field)
        Key("attempt", .number, \.attempt)
        Key("scheme", .text, ifAny: \.scheme)
        Key("user", .text, ifAny: \.user)
        Key("nonceCount", .number, ifAny: \.nonceCount)
        Key("message", .text, ifAny: \.message)
        Key("outcome", .word, \.outcome)
        Key("faults", .list(.object(fault)), \.faults)
        Key("remarks", .list(.object(fault)), \.remarks)
    } make: {
        .guarded(
            GuardVerdict(
                guardName: $0, field: $1, attempt: $2, scheme: $3, user: $4, nonceCount: $5, message: $6, outcome: $7,
                faults: $8, remarks: $9))
    }

    static let fault: Object<CredentialFault> = Object {
        Key("kind", .kind(unknown: "there is no fault of kind"), \.kind)
        Key("sentence", .text, \.sentence)
        Key("section", .text, \.section)
    } make: {
        CredentialFault($0, $1, section: $2)
    }

    static let effectPlayed: Event<PlayedEffect> = Event("effectPlayed") {
        Key("action", .text, \.action)
        Key("position", .text, \.position)
    } make: {
        .effectPlayed(PlayedEffect(action: $0, at: $1))
    }

    static let slicesKept: Event<(count: Int, keeping: JournalEvent.SliceKeeping)> = Event("slicesKept") {
        Key("count", .number, \.count)
        Key("by", .word, \.keeping)
    } make: {
        .slicesKept(count: $0, by: $1)
    }

    static let syncPassed: Event<(event: String, how: JournalEvent.SyncPassing)> = Event("syncPassed") {
        Key("event", .text, \.event)
        Key("how", .word, \.how)
    } make: {
        .syncPassed(event: $0, how: $1)
    }

    static let replyBegun: Event<SentReply> = Event("replyBegun") {
        Key("status", .number, ifAny: \.status)
        Key("fields", .fieldLines, ifAny: \.fields)
        Key("headByteCount", .number, ifAny: \.headByteCount)
        Key("content", .object(sentContent), ifAny: \.content)
        Key("codedContent", .object(sentContent), ifAny: \.codedContent)
        Key("contentOf", .number, ifAny: \.contentOf)
    } make: { (status, fields, headByteCount, content, coded, contentOf) throws(LineFault) in
        for (key, content) in [("content", content), ("codedContent", coded)] {
            guard let content, content.kept.count > content.byteCount else { continue }
            throw LineFault(0, "'\(key)' keeps more bytes than it counts")
        }
        return .replyBegun(
            SentReply(
                status: status, fields: fields, headByteCount: headByteCount, content: content, codedContent: coded,
                contentOf: contentOf))
    }

    static let sentContent: Object<SentContent> = Object {
        Key("byteCount", .number, \.byteCount)
        Key(bytes: "body", \.kept)
        Key("sha256", .text, ifAny: \.sha256)
    } make: {
        SentContent(byteCount: $0, kept: $1, sha256: $2)
    }

    static let replySent: Event<(status: Int?, byteCount: Int)> = Event("replySent") {
        Key("status", .number, ifAny: \.status)
        Key("byteCount", .number, \.byteCount)
    } make: {
        .replySent(status: $0, byteCount: $1)
    }

    static let replyFailed: Event<FailedReply> = Event("replyFailed") {
        Key("reason", .text, \.reason)
    } make: {
        .replyFailed(FailedReply($0))
    }

    static let replyAborted: Event<(byteCount: Int, reason: String, client: JournalEvent.ClientEnd?)> = Event(
        "replyAborted"
    ) {
        Key("sentByteCount", .number, \.byteCount)
        Key("reason", .text, \.reason)
        Key("client", .word, ifAny: \.client)
    } make: {
        .replyAborted(sentByteCount: $0, reason: $1, client: $2)
    }
}
