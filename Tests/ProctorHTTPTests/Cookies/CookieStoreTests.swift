import ProctorHTTP
import Testing

/// Storing and sending back, by RFC 6265 §5.3 and §5.4 and by its revision's §5.7 and §5.8.
struct CookieStoreTests {
    static func run(_ story: CookieStory, _ edition: CookieEdition) {
        var store = CookieStore(edition: edition)
        var now = CookieStory.start
        for step in story.steps {
            switch step {
            case .set(let url, let fields):
                for field in fields { store.setCookie(bytes(field), from: CookieURL(url), at: now) }
            case .sends(let url, let first, let revised):
                let found = store.field(for: CookieURL(url), at: now)
                let expected = edition == .rfc6265 ? first : revised
                #expect(found == expected.map(bytes), "\(edition), \(url): \(found.map { text($0) } ?? "nothing")")
            case .wait(let seconds): now += seconds
            case .endSession: store.endSession()
            }
        }
    }

    static let scopes: [CookieStory] = [
        CookieStory(
            "RFC 6265 §3.1: a cookie comes back to its host alone",
            .set("http://example.com/", "SID=31d4d96e407aad42"),
            .sends("http://example.com/", "SID=31d4d96e407aad42"), .sends("http://www.example.com/", nil),
            .sends("http://com/", nil)),
        CookieStory(
            "RFC 6265 §3.1: Path and Domain widen it",
            .set("http://www.example.com/a/b", "SID=31d4d96e407aad42; Path=/; Domain=example.com"),
            .sends("http://example.com/x", "SID=31d4d96e407aad42"),
            .sends("http://deep.down.example.com/", "SID=31d4d96e407aad42"),
            .sends("http://badexample.com/", nil)),
        CookieStory(
            "RFC 6265 §3.1: two cookies, one Secure",
            .set(
                "https://example.com/", "SID=31d4d96e407aad42; Path=/; Secure; HttpOnly",
                "lang=en-US; Path=/; Domain=example.com"),
            .sends("https://example.com/", "SID=31d4d96e407aad42; lang=en-US"),
            .sends("http://example.com/", "lang=en-US"), .sends("https://www.example.com/", "lang=en-US")),
        CookieStory(
            "RFC 6265 §3.1: an Expires in the past deletes",
            .set("http://example.com/", "lang=en-US; Expires=Wed, 09 Jun 2027 10:18:14 GMT"),
            .sends("http://example.com/", "lang=en-US"),
            .set("http://example.com/", "lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT"),
            .sends("http://example.com/", nil)),
        CookieStory(
            "RFC 6265 §4.1.2.3: a Domain below the host, or beside it, is ignored",
            .set(
                "http://foo.example.com/", "a=1; Domain=example.com", "b=1; Domain=foo.example.com",
                "c=1; Domain=bar.example.com", "d=1; Domain=baz.foo.example.com", "e=1; Domain=ample.com"),
            .sends("http://foo.example.com/", "a=1; b=1"), .sends("http://bar.example.com/", "a=1"),
            .sends("http://baz.foo.example.com/", "a=1; b=1")),
        CookieStory(
            "RFC 6265 §5.1.2: letter case of hosts does not matter",
            .set("http://WWW.Example.COM/", "a=1; Domain=EXAMPLE.com", "b=1"),
            .sends("http://www.example.com/", "a=1; b=1"), .sends("http://other.EXAMPLE.COM/", "a=1")),
        CookieStory(
            "RFC 6265 §5.1.3: one leading dot is nothing, two are another name, a trailing one too",
            .set(
                "http://www.example.com/", "a=1; Domain=.example.com", "b=1; Domain=..example.com",
                "c=1; Domain=example.com."),
            .sends("http://example.com/", "a=1"), .sends("http://www.example.com/", "a=1")),
        CookieStory(
            "RFC 6265 §5.1.3: a trailing dot makes another host",
            .set("http://example.com./", "a=1; Domain=example.com", "b=1"), .sends("http://example.com/", nil),
            .sends("http://example.com./", "b=1")),
        CookieStory(
            "RFC 6265 §5.1.3: addresses are only ever the same",
            .set("http://127.0.0.1/", "a=1; Domain=0.0.1", "b=1; Domain=127.0.0.1", "c=1; Domain=.0.0.1", "d=1"),
            .sends("http://127.0.0.1/", "b=1; d=1"), .sends("http://127.0.0.2/", nil),
            .sends("http://1.127.0.0.1/", "b=1")),
        CookieStory(
            "RFC 6265 §5.1.3: an IPv6 address is only ever the same",
            .set("http://[::1]/", "a=1; Domain=[::1]", "b=1; Domain=1]"), .sends("http://[::1]/", "a=1"),
            .sends("http://[::2]/", nil)),
        CookieStory(
            "RFC 6265 §5.3 step 5: a public suffix is for the host itself alone",
            .set("http://example.com/", "a=1; Domain=com"), .sends("http://example.com/", nil),
            .set("http://localhost/", "b=1; Domain=localhost"), .sends("http://localhost/", "b=1"),
            .sends("http://a.localhost/", nil)),
        CookieStory(
            "RFC 6265 §5.2.3: an empty Domain is none",
            .set("http://example.com/", "a=1; Domain=", "b=1; Domain"), .sends("http://example.com/", "a=1; b=1"),
            .sends("http://www.example.com/", nil)),
        CookieStory(
            "bis §5.6.3: an empty Domain hides the one before it",
            .set("http://example.com/", "a=1; Domain=example.com; Domain="),
            .sends("http://www.example.com/", "a=1", revised: nil)),
        CookieStory(
            "bis §5.7 step 8: a Domain beyond ASCII is refused",
            .set("http://xn--bcher-kva.example/", "a=1; Domain=b\u{C3}\u{BC}cher.example"),
            .sends("http://xn--bcher-kva.example/", nil)),
        CookieStory(
            "RFC 6265 §8.5: ports do not keep cookies apart, for a place has none",
            .set("http://example.com/", "a=1"), .sends("https://example.com/", "a=1")),
        CookieStory(
            "RFC 6265 §5.1.4: default paths",
            .set("http://h.test", "a=1"), .set("http://h.test/one", "b=1"), .set("http://h.test/dir/", "c=1"),
            .set("http://h.test/dir/sub/page?x=/y/z", "d=1"), .sends("http://h.test/", "a=1; b=1"),
            .sends("http://h.test/dir", "c=1; a=1; b=1"), .sends("http://h.test/dir/sub", "d=1; c=1; a=1; b=1"),
            .sends("http://h.test/directory", "a=1; b=1")),
        CookieStory(
            "RFC 6265 §5.1.4: path-match, and letter case counts",
            .set("http://h.test/", "a=1; Path=/foo", "b=1; Path=/foo/"), .sends("http://h.test/foo", "a=1"),
            .sends("http://h.test/foo/", "b=1; a=1"), .sends("http://h.test/foo/bar", "b=1; a=1"),
            .sends("http://h.test/foobar", nil), .sends("http://h.test/Foo", nil), .sends("http://h.test/fo", nil)),
        CookieStory(
            "RFC 6265 §5.1.4: paths are compared as they stand, escapes and all",
            .set("http://h.test/", "a=1; Path=/%66oo"), .sends("http://h.test/foo", nil),
            .sends("http://h.test/%66oo", "a=1"), .sends("http://h.test/%66oo//x", "a=1")),
        CookieStory(
            "RFC 6265 §5.2.4: a Path elsewhere is allowed, one without a slash is the default",
            .set("http://h.test/a/b", "a=1; Path=/x", "b=1; Path=x"), .sends("http://h.test/x", "a=1"),
            .sends("http://h.test/a/z", "b=1")),
    ]

    static let lives: [CookieStory] = [
        CookieStory(
            "RFC 6265 §5.2.2: Max-Age counts from now, and in its last second the cookie lives",
            .set("http://h.test/", "a=1; Max-Age=10"), .wait(10), .sends("http://h.test/", "a=1"), .wait(1),
            .sends("http://h.test/", nil)),
        CookieStory(
            "RFC 6265 §4.1.2.2: Max-Age before Expires, in either order",
            .set(
                "http://h.test/", "a=1; Max-Age=10; Expires=Sun, 06 Nov 1994 08:49:37 GMT",
                "b=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Max-Age=0"),
            .sends("http://h.test/", "a=1")),
        CookieStory(
            "RFC 6265 §5.2.2: none and less delete",
            .set("http://h.test/", "a=1", "b=1", "c=1"), .set("http://h.test/", "a=; Max-Age=0", "b=x; Max-Age=-5"),
            .sends("http://h.test/", "c=1")),
        CookieStory(
            "RFC 6265 §5.3: a deletion has the name, domain and path of what it deletes",
            .set("http://www.h.test/", "a=1; Path=/x"), .set("http://www.h.test/", "a=; Path=/; Max-Age=0"),
            .set("http://www.h.test/", "a=; Path=/x; Domain=h.test; Max-Age=0"),
            .sends("http://www.h.test/x", "a=1"), .set("http://www.h.test/", "a=; Path=/x; Max-Age=0"),
            .sends("http://www.h.test/x", nil)),
        CookieStory(
            "RFC 6265 §5.3: Expires that can't be read makes a cookie of the session",
            .set("http://h.test/", "a=1; Expires=never", "b=1; Max-Age=60"), .sends("http://h.test/", "a=1; b=1"),
            .endSession, .sends("http://h.test/", "b=1")),
        CookieStory(
            "RFC 6265 §5.3 step 11: the value changes, the place in the order stays",
            .set("http://h.test/", "a=1"), .wait(1), .set("http://h.test/", "b=1"), .wait(1),
            .set("http://h.test/", "a=2; Max-Age=9"), .sends("http://h.test/", "a=2; b=1"), .wait(10),
            .sends("http://h.test/", "b=1")),
        CookieStory(
            "RFC 6265 §5.4: deleted and set again is younger",
            .set("http://h.test/", "a=1", "b=1"), .set("http://h.test/", "a=; Max-Age=0"),
            .set("http://h.test/", "a=2"), .sends("http://h.test/", "b=1; a=2")),
        CookieStory(
            "RFC 6265 §5.4 step 2: longer paths first, then the older",
            .set("http://h.test/", "a=1; Path=/", "b=1; Path=/x/y", "c=1; Path=/x", "d=1; Path=/x/y", "e=1; Path=/"),
            .sends("http://h.test/x/y", "b=1; d=1; c=1; a=1; e=1")),
        CookieStory(
            "RFC 6265 §5.4: cookies of one name live side by side",
            .set("http://www.h.test/", "a=1; Path=/", "a=2; Path=/x", "a=3; Path=/; Domain=h.test"),
            .sends("http://www.h.test/x", "a=2; a=1; a=3"), .sends("http://h.test/x", "a=3")),
        CookieStory(
            "bis §5.7 step 23: a cookie of the host and one of its domain are two; RFC 6265 §5.3 step 11: one",
            .set("http://h.test/", "a=1"), .set("http://h.test/", "a=2; Domain=h.test"),
            .sends("http://h.test/", "a=2", revised: "a=1; a=2"), .sends("http://www.h.test/", "a=2")),
        CookieStory(
            "bis §5.5: no life is longer than 400 days",
            .set(
                "http://h.test/", "a=1; Max-Age=99999999999999999999", "b=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT",
                "c=1; Max-Age=34560000"),
            .wait(34_560_000), .sends("http://h.test/", "a=1; b=1; c=1"), .wait(1),
            .sends("http://h.test/", "a=1; b=1", revised: nil)),
    ]

    static let safety: [CookieStory] = [
        CookieStory(
            "RFC 6265 §5.4: Secure goes over secure connections alone",
            .set("https://h.test/", "a=1; Secure"), .sends("http://h.test/", nil), .sends("https://h.test/", "a=1")),
        CookieStory(
            "bis §5.7 step 13: Secure comes over secure connections alone",
            .set("http://h.test/", "a=1; Secure"), .sends("https://h.test/", "a=1", revised: nil)),
        CookieStory(
            "bis §5.7 step 16: a Secure cookie is not overlaid from elsewhere",
            .set("https://www.h.test/", "a=1; Secure; Path=/login; Domain=h.test"),
            .set("http://www.h.test/", "a=2; Path=/login", "a=3; Path=/login/en"),
            .set("http://h.test/", "a=4; Path=/login; Domain=h.test"),
            .sends("https://www.h.test/login/en", "a=3; a=4; a=2", revised: "a=1")),
        CookieStory(
            "bis §5.7 step 16: beside it and above it a cookie may be set",
            .set("https://h.test/", "a=1; Secure; Path=/login"),
            .set("http://h.test/", "a=2; Path=/", "a=3; Path=/foo", "b=4; Path=/login"),
            .sends("https://h.test/login", "a=1; b=4; a=2"), .sends("http://h.test/foo", "a=3; a=2")),
        CookieStory(
            "bis §5.7 step 16: over a secure connection it is replaced",
            .set("https://h.test/", "a=1; Secure"), .set("https://h.test/", "a=2"), .sends("http://h.test/", "a=2")),
        CookieStory(
            "bis §5.7 step 19: SameSite=None asks for Secure",
            .set("https://h.test/", "a=1; SameSite=None", "b=1; SameSite=None; Secure", "c=1; SameSite=Lax"),
            .sends("https://h.test/", "a=1; b=1; c=1", revised: "b=1; c=1")),
        CookieStory(
            "bis §4.1.3.1: __Secure- asks for Secure",
            .set(
                "https://h.test/", "__Secure-SID=12345; Domain=h.test", "__Secure-OK=1; Domain=h.test; Secure",
                "__SeCuRe-x=1"),
            .sends("https://h.test/", "__Secure-SID=12345; __Secure-OK=1; __SeCuRe-x=1", revised: "__Secure-OK=1")),
        CookieStory(
            "bis §4.1.3.1: and for a secure connection",
            .set("http://h.test/", "__Secure-SID=12345; Secure"),
            .sends("https://h.test/", "__Secure-SID=12345", revised: nil)),
        CookieStory(
            "bis §4.1.3.2: __Host- asks for Secure, Path=/ and no Domain",
            .set("https://h.test/", "__Host-a=1"), .set("https://h.test/", "__Host-b=1; Secure"),
            .set("https://h.test/", "__Host-c=1; Domain=h.test"),
            .set("https://h.test/", "__Host-d=1; Domain=h.test; Path=/"),
            .set("https://h.test/", "__Host-e=1; Secure; Domain=h.test; Path=/"),
            .set("https://h.test/", "__host-f=1; Secure; Path=/x"),
            .set("https://h.test/", "__Host-ok=1; Secure; Path=/"),
            .sends(
                "https://h.test/x",
                "__host-f=1; __Host-a=1; __Host-b=1; __Host-c=1; __Host-d=1; __Host-e=1; __Host-ok=1",
                revised: "__Host-ok=1")),
        CookieStory(
            "bis §5.7 step 21: a Path that means the default is a Path attribute",
            .set("https://h.test/x", "__Host-a=1; Secure; Path"),
            .set("https://h.test/x/y", "__Host-b=1; Secure; Path"),
            .sends("https://h.test/x", "__Host-b=1; __Host-a=1", revised: "__Host-a=1")),
        CookieStory(
            "bis §5.7 step 22: no prefix by way of a cookie without a name",
            .set("https://h.test/", "=__Secure-a=1; Secure", "__host-b=1; Secure; Path=/", "=__HOST-c", "=plain"),
            .sends("https://h.test/", "__host-b=1", revised: "__host-b=1; plain")),
        CookieStory(
            "bis §5.8.3: a cookie without a name is its value alone, and there is one of them",
            .set("http://h.test/", "token", "a=", "=b=c"), .sends("http://h.test/", "a=", revised: "b=c; a=")),
        CookieStory(
            "bis §5.7 step 2 and RFC 6265 §5.2: nothing is no cookie",
            .set("http://h.test/", "", "=", ";Path=/"), .sends("http://h.test/", nil)),
    ]

    @Test(arguments: scopes, CookieEdition.allCases)
    func `a cookie goes where its domain and path say`(_ story: CookieStory, _ edition: CookieEdition) {
        Self.run(story, edition)
    }

    @Test(arguments: lives, CookieEdition.allCases)
    func `a cookie is set, changed and deleted as the story says`(_ story: CookieStory, _ edition: CookieEdition) {
        Self.run(story, edition)
    }

    @Test(arguments: safety, CookieEdition.allCases)
    func `the revision refuses what the RFC does not`(_ story: CookieStory, _ edition: CookieEdition) {
        Self.run(story, edition)
    }

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

    @Test(arguments: [Int.min, Int.min + 1, -1, 0, Int.max - 1, Int.max])
    func `no time is too early or too late`(_ now: Int) {
        for edition in CookieEdition.allCases {
            var store = CookieStore(edition: edition)
            let place = CookieURL("http://h.test/")
            store.setCookie(bytes("a=1; Max-Age=9999999999999999999999"), from: place, at: now)
            store.setCookie(bytes("b=1; Max-Age=-9999999999999999999999"), from: place, at: now)
            store.setCookie(bytes("c=1"), from: place, at: now)
            #expect(store.field(for: place, at: now) == bytes("a=1; c=1"))
        }
    }
}

/// RFC 6265 §5.3 and §6.1, and its revision's §5.7.
struct CookieEvictionTests {
    static let place = CookieURL("https://h.test/")

    static func names(_ store: CookieStore) -> [String] { store.cookies.map { text($0.name) } }

    @Test func `at least 50 cookies of a domain and 3000 in all are kept by default`() {
        #expect(CookieLimits().perDomain >= CookieLimits.leastPerDomain && CookieLimits().total >= 3000)
        var store = CookieStore()
        for index in 0..<60 { store.setCookie(bytes("c\(index)=\(index)"), from: Self.place, at: 0) }
        #expect(store.cookies.count == 60)
    }

    @Test func `of a full domain the cookie that was used least recently goes`() {
        var store = CookieStore(edition: .rfc6265, limits: CookieLimits(perDomain: 3))
        for name in ["a", "b", "c"] { store.setCookie(bytes("\(name)=1; Path=/\(name)"), from: Self.place, at: 0) }
        _ = store.field(for: CookieURL("https://h.test/a"), at: 0)
        store.setCookie(bytes("d=1"), from: Self.place, at: 0)
        #expect(Self.names(store) == ["a", "c", "d"])
        #expect(store.lastResult?.evicted.map(\.name) == [bytes("b")])
    }

    @Test func `by the revision those without Secure go first`() {
        for (edition, kept) in [(CookieEdition.rfc6265, ["b", "c"]), (.rfc6265bis, ["a", "c"])] {
            var store = CookieStore(edition: edition, limits: CookieLimits(perDomain: 2))
            store.setCookie(bytes("a=1; Secure"), from: Self.place, at: 0)
            store.setCookie(bytes("b=1"), from: Self.place, at: 0)
            store.setCookie(bytes("c=1"), from: Self.place, at: 0)
            #expect(Self.names(store) == kept, "\(edition)")
        }
    }

    @Test func `what has expired makes room first`() {
        var store = CookieStore(limits: CookieLimits(perDomain: 2))
        store.setCookie(bytes("a=1"), from: Self.place, at: 0)
        store.setCookie(bytes("b=1; Max-Age=5"), from: Self.place, at: 0)
        store.setCookie(bytes("c=1"), from: Self.place, at: 6)
        #expect(Self.names(store) == ["a", "c"])
    }

    @Test func `a full store gives up its least recently used cookie, of whatever domain`() {
        var store = CookieStore(limits: CookieLimits(total: 2))
        for host in ["a", "b", "c"] {
            store.setCookie(bytes("\(host)=1"), from: CookieURL("http://\(host).test/"), at: 0)
        }
        #expect(Self.names(store) == ["b", "c"])
    }

    @Test func `a limit below one is one`() {
        var store = CookieStore(limits: CookieLimits(perDomain: -4, total: 0))
        store.setCookie(bytes("a=1"), from: Self.place, at: 0)
        store.setCookie(bytes("b=1"), from: Self.place, at: 0)
        #expect(Self.names(store) == ["b"])
    }
}
