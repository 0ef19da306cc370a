/// What became of one Set-Cookie field in a store.
public struct CookieReceipt: Sendable, Equatable {
    /// In one word; an expired field with nothing to delete is ignored, without a refusal.
    public let outcome: SetCookieNote.Outcome
    /// Why it is ignored; nil where it was not refused.
    public let refusal: CookieRefusal?
    /// The cookie that came, even where it was refused; nil where the field could not be read.
    public let cookie: Cookie?
    /// The cookie whose place it took.
    public let old: Cookie?
    /// What had to go for it, since the store was full.
    public let evicted: [Cookie]

    init(
        _ outcome: SetCookieNote.Outcome, refusal: CookieRefusal? = nil, cookie: Cookie? = nil, old: Cookie? = nil,
        evicted: [Cookie] = []
    ) {
        self.outcome = outcome
        self.refusal = refusal
        self.cookie = cookie
        self.old = old
        self.evicted = evicted
    }
}
