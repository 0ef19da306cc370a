import ProctorHTTP
import Testing

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
