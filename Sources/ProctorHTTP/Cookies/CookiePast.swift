/// Cookies that are no more, or never were, so that a client which still sends them can be told why it should not.
struct CookiePast: Sendable {
    struct Entry: Sendable {
        let cookie: Cookie
        let fate: Fate
    }

    enum Fate: Sendable, Equatable {
        case replaced(by: [UInt8])
        case deleted
        case expired
        /// Its time was over as it came.
        case stillborn
        case refused(CookieRefusal)
        case evicted
    }

    /// The oldest first; what stands before ``start`` is gone.
    private var all: [Entry] = []
    private var start = 0
    private var byteCount = 0

    /// Kept at most; the oldest go.
    static let entryLimit = 512
    /// Bytes of names and values kept at most.
    static let byteLimit = 1 << 20

    /// The oldest first.
    var entries: ArraySlice<Entry> { all[start...] }

    mutating func remember(_ cookie: Cookie?, _ fate: Fate) {
        guard let cookie, Self.size(cookie) <= Self.byteLimit else { return }
        all.append(Entry(cookie: cookie, fate: fate))
        byteCount += Self.size(cookie)
        var isTooLong = false
        while all.count - start > Self.entryLimit || byteCount > Self.byteLimit {
            isTooLong = byteCount > Self.byteLimit
            byteCount -= Self.size(all[start].cookie)
            start += 1
        }
        // Not for each entry that goes, unless it holds much.
        guard start > Self.slack || isTooLong else { return }
        all.removeFirst(start)
        start = 0
    }

    private static let slack = 64

    private static func size(_ cookie: Cookie) -> Int { cookie.name.count + cookie.value.count + cookie.path.count }
}
