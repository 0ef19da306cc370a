import ProctorHTTP
import Testing

/// Storing and sending back, by RFC 6265 §5.3 and §5.4 and by its revision's §5.7 and §5.8.
struct CookieStoreTests {
    @Test func `what became of a field can be asked`() {
        var store = CookieStore()
        let place = CookieURL("https://h.test/a/b")
        #expect(store.setCookie(bytes("a=1; HttpOnly; SameSite=lax; Max-Age=5"), from: place, at: 100) == .stored)
        let cookie = store.cookies.first
        #expect(cookie?.domain == "h.test" && cookie?.path == bytes("/a") && cookie?.isHostOnly == true)
        #expect(cookie?.isHTTPOnly == true && cookie?.sameSite == .lax && cookie?.expiry == 105)
        #expect(cookie?.creation == 100 && cookie?.pair == bytes("a=1"))
        #expect(store.setCookie(bytes("a=2"), from: place, at: 103) == .replaced)
        #expect(store.lastResult?.old?.value == bytes("1"))
        #expect(store.cookies.first?.creation == 100)
        #expect(store.setCookie(bytes("a=; Max-Age=0"), from: place, at: 104) == .deleted)
        #expect(store.setCookie(bytes("a=; Max-Age=0"), from: place, at: 104) == .ignored)
        #expect(store.lastResult?.refusal == nil)
        #expect(store.setCookie(bytes("a=1; Domain=other.test"), from: place, at: 104) == .ignored)
        #expect(store.lastResult?.refusal == .foreignDomain)
        #expect(store.cookies.isEmpty)
    }
}

/// RFC 6265 §5.3 and §6.1, and its revision's §5.7.
struct CookieEvictionTests {
    static let place = CookieURL("https://h.test/")

    @Test func `at least 50 cookies of a domain and 3000 in all are kept by default`() {
        #expect(CookieLimits().perDomain >= CookieLimits.leastPerDomain && CookieLimits().total >= 3000)
        var store = CookieStore()
        for index in 0..<60 { store.setCookie(bytes("c\(index)=\(index)"), from: Self.place, at: 0) }
        #expect(store.cookies.count == 60)
    }
}
