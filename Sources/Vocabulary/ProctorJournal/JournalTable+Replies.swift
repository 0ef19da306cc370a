import ProctorBase
import ProctorHTTP

// What a request is judged by, and how it is answered.
extension JournalTable {
    // MARK: Cookies

    static let cookiesSet: JournalShape<[SetCookieNote], JournalEvent> = JournalShape(
        named: "cookiesSet", says: "a reply with Set-Cookie fields begins: what becomes of each",
        field: JournalKey.objects("cookies", setCookie, says: "one for each field", of: { $0 })
    ) { .cookiesSet($0) }

    private static let setCookie: JournalShape<SetCookieNote, SetCookieNote> = JournalShape(
        named: "cookies", says: "a Set-Cookie field",
        fields: JournalKey<SetCookieNote>.bytes(
            "field", orBase64: "fieldBase64", says: "the value of the field as it goes out", of: { $0.field[...] }),
        JournalKey<SetCookieNote>.word("outcome", says: "what becomes of it by RFC 6265", of: \.outcome),
        JournalKey<SetCookieNote>.word(
            "revisedOutcome", says: "what becomes of it by the revision of RFC 6265", when: "where that differs",
            of: \.revisedOutcome), JournalKey<SetCookieNote>.texts("remarks", says: "sentences", of: \.remarks)
    ) { SetCookieNote(field: $0, outcome: $1, revisedOutcome: $2, remarks: $3) }

    static let cookiesJudged: JournalShape<CookieVerdict, JournalEvent> = JournalShape(
        named: "cookiesJudged", says: "what the reference model makes of the cookies of a request",
        fields: JournalKey<CookieVerdict>.byteList("sent", says: "the values of the Cookie fields", of: \.sent),
        JournalKey<CookieVerdict>.bytes(
            "expected", orBase64: "expectedBase64", says: "what a conforming client sends",
            when: "where a client sends one", of: { $0.expected?[...] }),
        JournalKey<CookieVerdict>.words("conformsTo", says: "the editions that allow what was sent", of: \.conformsTo),
        JournalKey<CookieVerdict>.objects("differences", cookieDifference, says: "what differs", of: \.differences),
        JournalKey<CookieVerdict>.object(
            "otherwise", cookieReading, says: "what the other edition makes of the request",
            when: "where that edition finds other differences", of: \.otherwise),
        JournalKey<CookieVerdict>.integer(
            "undecided", says: "how many replies that set cookies may still have been under way",
            when: "where there are any", of: { $0.undecidedCount > 0 ? $0.undecidedCount : nil })
    ) {
        .cookiesJudged(
            CookieVerdict(
                sent: $0, expected: $1, conformsTo: $2, differences: $3, undecidedCount: $5 ?? 0, otherwise: $4))
    }

    private static let cookieReading: JournalShape<CookieReading, CookieReading> = JournalShape(
        named: "otherwise", says: "the view of one edition",
        fields: JournalKey<CookieReading>.word("edition", says: "the edition", of: \.edition),
        JournalKey<CookieReading>.bytes(
            "expected", orBase64: "expectedBase64", says: "what a conforming client sends",
            when: "where a client sends one", of: { $0.expected?[...] }),
        JournalKey<CookieReading>.objects("differences", cookieDifference, says: "what differs", of: \.differences)
    ) { CookieReading($0, expected: $1, differences: $2) }

    private static let cookieDifference: JournalShape<CookieDifference, CookieDifference> = JournalShape(
        named: "differences", says: "one difference",
        fields: JournalKey<CookieDifference>.word("kind", says: "its name", of: \.kind),
        JournalKey<CookieDifference>.bytes(
            "name", orBase64: "nameBase64", says: "the name of the cookie", of: { $0.name[...] }),
        JournalKey<CookieDifference>.text("sentence", says: "what differs, for a person", of: \.sentence),
        JournalKey<CookieDifference>.text("section", says: "the section of the specification", of: \.section)
    ) { CookieDifference($0, $1, sentence: $2, section: $3) }

    // MARK: Replies

    static let continueSent: JournalShape<Void, JournalEvent> = JournalShape(
        named: "continueSent",
        says: "100 (Continue) went out, for the request expects it and its body is wanted. "
            + "Those that a fixture writes are part of its reply"
    ) { .continueSent }

    static let exchangeChosen: JournalShape<(exchange: Int, turn: Int), JournalEvent> = JournalShape(
        named: "exchangeChosen", says: "an exchange answers the request",
        fields: JournalKey.integer("exchange", says: "counts from 0 in the order of the file", of: \.exchange),
        JournalKey.integer(
            "turn", says: "counts the replies of the exchange from 0, those of a `choose` one by one", of: \.turn)
    ) { .exchangeChosen(exchange: $0, turn: $1) }

    static let clockMoved: JournalShape<ClockNote, JournalEvent> = JournalShape(
        named: "clockMoved", says: "the clock of the run was set or moved, or it stops or goes on",
        fields: JournalKey<ClockNote>.integer(
            "unixSeconds", says: "what it shows from then on, in seconds since 1970", of: \.unixSeconds),
        JournalKey<ClockNote>.flag("frozen", says: "whether it stands still", of: \.isFrozen),
        JournalKey<ClockNote>.word(
            "by", says: "what changed it: the scenario at the start, an effect, or a call of the control API",
            of: \.cause)
    ) { .clockMoved(ClockNote(unixSeconds: $0, isFrozen: $1, by: $2)) }

    static let stateChanged: JournalShape<StateChange, JournalEvent> = JournalShape(
        named: "stateChanged", says: "a value of the run's state was set or removed",
        fields: JournalKey<StateChange>.bytes(
            "name", orBase64: "nameBase64", says: "the name of the value", of: { $0.name[...] }),
        JournalKey<StateChange>.bytes(
            "value", orBase64: "valueBase64", says: "the new value", when: "not where it was removed",
            of: { $0.value?[...] }),
        JournalKey<StateChange>.word(
            "by", says: "what changed it: the chosen reply, or a call of the control API", of: \.cause)
    ) { .stateChanged(StateChange($0, value: $1, by: $2)) }

    static let stateRefused: JournalShape<StateRefusal, JournalEvent> = JournalShape(
        named: "stateRefused",
        says: "a change of the state is not possible: none of the reply's changes was made, and the request gets a 500",
        fields: JournalKey<StateRefusal>.bytes(
            "name", orBase64: "nameBase64", says: "the name of the value", of: { $0.name[...] }),
        JournalKey<StateRefusal>.text("reason", says: "what is wrong, with the bound where there is one", of: \.reason)
    ) { .stateRefused(StateRefusal($0, reason: $1)) }

    static let missed: JournalShape<Miss, JournalEvent> = JournalShape(
        named: "missed", says: "no exchange answers the request; of the shared port itself: no scenario",
        fields: JournalKey<Miss>.integer(
            "nearestExchange", says: "the exchange that the request came nearest to", when: "where one is near",
            of: \.nearestExchange),
        JournalKey<Miss>.byteList(
            "differences", says: "one sentence for each field; of the shared port itself, why no scenario answers",
            of: { $0.differences.map { Array($0.utf8) } })
    ) { nearest, differences in
        .missed(Miss(nearestExchange: nearest, differences: differences.map { String(decoding: $0, as: UTF8.self) }))
    }

    static let guarded: JournalShape<GuardVerdict, JournalEvent> = JournalShape(
        named: "guarded", says: "a guard has looked at the request's credential",
        fields: JournalKey<GuardVerdict>.text("guard", says: "the name of the guard", of: \.guardName),
        JournalKey<GuardVerdict>.text("field", says: "`Authorization` or `Proxy-Authorization`", of: \.field),
        JournalKey<GuardVerdict>.integer(
            "attempt", says: "credentials that this guard has judged so far", of: \.attempt),
        JournalKey<GuardVerdict>.text(
            "scheme", says: "the scheme of the credential", when: "where a credential came", of: \.scheme),
        JournalKey<GuardVerdict>.text(
            "user", says: "whose credential it is", when: "where that can be told", of: \.user),
        JournalKey<GuardVerdict>.integer(
            "nonceCount", says: "the nonce count of Digest", when: "where there is one that can be read",
            of: { $0.nonceCount.map(Int.init) }
        ).within(UInt32.self),
        JournalKey<GuardVerdict>.text(
            "message", says: "the fields of a message of NTLM or Negotiate",
            when: "where there is one that can be read",
            of: \.message), JournalKey<GuardVerdict>.word("outcome", says: "what follows", of: \.outcome),
        JournalKey<GuardVerdict>.objects("faults", fault, says: "what is wrong with the credential", of: \.faults),
        JournalKey<GuardVerdict>.objects(
            "remarks", fault, says: "what is odd about it and refused by nothing", of: \.remarks)
    ) {
        .guarded(
            GuardVerdict(
                guardName: $0, field: $1, attempt: $2, scheme: $3, user: $4, nonceCount: $5, message: $6, outcome: $7,
                faults: $8, remarks: $9))
    }

    static let fault: JournalShape<CredentialFault, CredentialFault> = JournalShape(
        named: "fault", says: "a fault of a credential",
        fields: JournalKey<CredentialFault>.kind(
            "kind", unknown: "there is no fault of kind", says: "its name", of: \.kind),
        JournalKey<CredentialFault>.text("sentence", says: "what is wrong, for a person", of: \.sentence),
        JournalKey<CredentialFault>.text("section", says: "the section of the specification", of: \.section)
    ) { CredentialFault($0, $1, section: $2) }

    static let effectPlayed: JournalShape<PlayedEffect, JournalEvent> = JournalShape(
        named: "effectPlayed", says: "an effect of a reply was played",
        fields: JournalKey<PlayedEffect>.text(
            "action", says: "the effect in the words of a fixture, with times in seconds (`wait 0.2 seconds`)",
            of: \.action),
        JournalKey<PlayedEffect>.text("position", says: "where, in the words of a fixture", of: \.position)
    ) { .effectPlayed(PlayedEffect(action: $0, at: $1)) }

    static let slicesKept: JournalShape<(count: Int, keeping: JournalEvent.SliceKeeping), JournalEvent> = JournalShape(
        named: "slicesKept", says: "a reply went out in slices",
        fields: JournalKey.integer("count", says: "how many slices the reply was cut into", of: \.count),
        JournalKey.word(
            "by",
            says:
                "`queue` when the peer's receive queue was seen to be empty before each, `pause` when a pause had to do",
            of: \.keeping)
    ) { .slicesKept(count: $0, by: $1) }

    static let syncPassed: JournalShape<(event: String, how: JournalEvent.SyncPassing), JournalEvent> = JournalShape(
        named: "syncPassed", says: "a reply goes on behind a sync point",
        fields: JournalKey.text("event", says: "the event that the reply waited for", of: \.event),
        JournalKey.word(
            "how",
            says: "`reached` when the client had reported it, `timedOut` when it had not in time, `unreported` when "
                + "nothing was ever heard of this client, and only a moment was waited", of: \.how)
    ) { .syncPassed(event: $0, how: $1) }

    static let replyBegun: JournalShape<SentReply, JournalEvent> = JournalShape(
        named: "replyBegun",
        says: "the first byte of a head goes out with the next write: see [below](journal.md#replies)",
        fields: JournalKey<SentReply>.integer(
            "status", says: "the status code", when: "not for raw bytes without a complete head", of: \.status),
        JournalKey<SentReply>.fieldLines(
            "fields", says: "the field lines", when: "not for raw bytes without a complete head", of: \.fields),
        JournalKey<SentReply>.integer(
            "headByteCount", says: "bytes of the head", when: "not for raw bytes without a complete head",
            of: \.headByteCount),
        JournalKey<SentReply>.object(
            "content", sentContent, says: "what a client has in the end", when: "where it is known", of: \.content),
        JournalKey<SentReply>.object(
            "codedContent", sentContent, says: "the content with its codings", when: "where it has any and is known",
            of: \.codedContent),
        JournalKey<SentReply>.integer(
            "contentOf",
            says: "the `seq` of an earlier line of the same journal, whose `content` and `codedContent` this reply "
                + "has too",
            when: "in place of them, where a line has 1 KiB or more of them", of: \.contentOf)
    ) { (status, fields, headByteCount, content, coded, contentOf) throws(LineFault) in
        for (key, content) in [("content", content), ("codedContent", coded)] {
            guard let content, content.kept.count > content.byteCount else { continue }
            throw LineFault(0, "'\(key)' keeps more bytes than it counts")
        }
        return .replyBegun(
            SentReply(
                status: status, fields: fields, headByteCount: headByteCount, content: content, codedContent: coded,
                contentOf: contentOf))
    }

    private static let sentContent: JournalShape<SentContent, SentContent> = JournalShape(
        named: "content", says: "the content of a reply",
        fields: JournalKey<SentContent>.integer("byteCount", says: "bytes of the content", of: \.byteCount),
        JournalKey<SentContent>.bytes("body", orBase64: "bodyBase64", says: "the first 64 KiB", of: { $0.kept[...] }),
        JournalKey<SentContent>.text(
            "sha256", says: "the hash of the content", when: "where there is more, of up to 1 MiB", of: \.sha256)
    ) { SentContent(byteCount: $0, kept: $1, sha256: $2) }

    static let replySent: JournalShape<(status: Int?, byteCount: Int), JournalEvent> = JournalShape(
        named: "replySent", says: "a reply went out",
        fields: JournalKey.integer("status", says: "the status code", when: "not for raw bytes", of: \.status),
        JournalKey.integer("byteCount", says: "bytes that were handed to the system", of: \.byteCount)
    ) { .replySent(status: $0, byteCount: $1) }

    static let replyFailed: JournalShape<FailedReply, JournalEvent> = JournalShape(
        named: "replyFailed", says: "the fixture's reply could not be made: the request gets a 500, and the case fails",
        field: JournalKey<FailedReply>.text("reason", says: "a sentence without a subject", of: \.reason)
    ) { .replyFailed(FailedReply($0)) }

    static let replyAborted: JournalShape<(byteCount: Int, reason: String), JournalEvent> = JournalShape(
        named: "replyAborted", says: "a reply could not be sent to its end",
        fields: JournalKey.integer("sentByteCount", says: "bytes that were sent", of: \.byteCount),
        JournalKey.text("reason", says: "a sentence", of: \.reason)
    ) { .replyAborted(sentByteCount: $0, reason: $1) }
}
