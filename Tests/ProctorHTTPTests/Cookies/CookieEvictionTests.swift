import ProctorHTTP
import Testing

/// RFC 6265 §5.3 and §6.1, and its revision's §5.7.
struct CookieEvictionTests {
    static let place = CookiePlace("https://h.test/")

    static func names(_ store: CookieStore) -> [String] { store.cookies.map { text($0.name) } }

    @Test func `at least 50 cookies of a domain and 3000 in all are kept by default`() {
        #expect(CookieLimits().perDomain >= CookieLimits.leastPerDomain && CookieLimits().total >= 3000)
        var store = CookieStore()
        for index in 0..<60 { store.take(bytes("c\(index)=\(index)"), from: Self.place, at: 0) }
        #expect(store.cookies.count == 60)
    }

    @Test func `of a full domain the cookie that was used least recently goes`() {
        var store = CookieStore(edition: .rfc6265, limits: CookieLimits(perDomain: 3))
        for name in ["a", "b", "c"] { store.take(bytes("\(name)=1; Path=/\(name)"), from: Self.place, at: 0) }
        _ = store.field(for: CookiePlace("https://h.test/a"), at: 0)
        store.take(bytes("d=1"), from: Self.place, at: 0)
        #expect(Self.names(store) == ["a", "c", "d"])
        #expect(store.lastReceipt?.evicted.map(\.name) == [bytes("b")])
    }

    @Test func `by the revision those without Secure go first`() {
        for (edition, kept) in [(CookieEdition.rfc6265, ["b", "c"]), (.rfc6265bis, ["a", "c"])] {
            var store = CookieStore(edition: edition, limits: CookieLimits(perDomain: 2))
            store.take(bytes("a=1; Secure"), from: Self.place, at: 0)
            store.take(bytes("b=1"), from: Self.place, at: 0)
            store.take(bytes("c=1"), from: Self.place, at: 0)
            #expect(Self.names(store) == kept, "\(edition)")
        }
    }

    @Test func `what has expired makes room first`() {
        var store = CookieStore(limits: CookieLimits(perDomain: 2))
        store.take(bytes("a=1"), from: Self.place, at: 0)
        store.take(bytes("b=1; Max-Age=5"), from: Self.place, at: 0)
        store.take(bytes("c=1"), from: Self.place, at: 6)
        #expect(Self.names(store) == ["a", "c"])
    }

    @Test func `a full store gives up its least recently used cookie, of whatever domain`() {
        var store = CookieStore(limits: CookieLimits(total: 2))
        for host in ["a", "b", "c"] {
            store.take(bytes("\(host)=1"), from: CookiePlace("http://\(host).test/"), at: 0)
        }
        #expect(Self.names(store) == ["b", "c"])
    }

    @Test func `a limit below one is one`() {
        var store = CookieStore(limits: CookieLimits(perDomain: -4, total: 0))
        store.take(bytes("a=1"), from: Self.place, at: 0)
        store.take(bytes("b=1"), from: Self.place, at: 0)
        #expect(Self.names(store) == ["b"])
    }
}
