import ProctorTestSupport
import Testing

@testable import ProctorHTTP

/// A request is judged on the event loop under a lock, so the cost must not be a product of two numbers of cookies.
struct CookieEffortTests {
    static let domains = (0..<10).map { "\(String(repeating: "s.", count: $0))example.org" }
    static let place = CookieURL("http://\(domains[9])/x")

    /// Cookies of ten domains that all go along.
    static func model(_ count: Int) -> CookieModel {
        var model = CookieModel(.rfc6265)
        model.beginResponse()
        for index in 0..<count {
            _ = model.setCookie(bytes("c\(index)=1; Path=/; Domain=\(domains[index % 10])"), by: place, at: 0)
        }
        return model
    }

    static func field(_ count: Int, _ pair: (Int) -> String) -> [[UInt8]] {
        count == 0 ? [] : [bytes((0..<count).map(pair).joined(separator: "; "))]
    }

    static let fields: [(name: String, field: @Sendable (Int) -> [[UInt8]])] = [
        ("none", { _ in [] }),
        ("all", { field($0) { "c\($0)=1" } }),
        ("all with another value", { field($0) { "c\($0)=2" } }),
        ("all unknown", { field($0) { "u\($0)=1" } }),
        ("one again and again", { field($0) { _ in "c0=1" } }),
        ("half", { field($0 / 2) { "c\($0)=1" } }),
    ]

    @Test(arguments: fields.indices)
    func `four times as many cookies are four times the work`(_ index: Int) {
        let steps = [200, 800].map { count in
            var model = Self.model(count)
            return model.compare(SentCookies(Self.fields[index].field(count)), to: Self.place, at: 0).stepCount
        }
        #expect(steps[0] >= 200 && steps[1] <= 5 * steps[0], "\(Self.fields[index].name): \(steps)")
    }

    @Test func `what is replaced is remembered at a bounded cost`() {
        var past = PastCookies()
        let cookie = Self.model(1).store.cookies[0]
        for index in 0..<5_000 {
            past.remember(cookie, index == 4_999 ? .deleted : .evicted)
            #expect(past.entries.count == min(index + 1, PastCookies.entryLimit))
        }
        #expect(past.entries.last?.fate == .deleted)
    }

    @Test func `sentences are made for reported findings only`() {
        var model = Self.model(800)
        let comparison = model.compare(SentCookies(Self.fields[2].field(800)), to: Self.place, at: 0)
        #expect(comparison.distance == 1_600)
        #expect(comparison.differences.count == CookieComparison.limit)
        #expect(comparison.differences.allSatisfy { $0.kind == .wrongValue })
    }

    @Test func `what is counted is what a walk would count`() {
        var random = SeededNumbers()
        for edition in CookieEdition.allCases {
            var store = CookieStore(edition: edition, limits: CookieLimits(perDomain: 5, total: 12))
            for turn in 0..<600 {
                let name = "n\(random.next(8))"
                let life = ["", "; Max-Age=\(random.next(6))", "; Secure"][random.next(3)]
                let domain = ["", "; Domain=a.test", "; Domain=b.a.test"][random.next(3)]
                let place = CookieURL("\(["http", "https"][random.next(2)])://b.a.test/\(["", "x/"][random.next(2)])")
                store.setCookie(bytes("\(name)=\(turn)\(life)\(domain)"), from: place, at: turn)
                if turn % 50 == 49 { store.endSession() }
                for (position, cookie) in store.cookies.enumerated() {
                    #expect(store.index(of: cookie) == position)
                    #expect(
                        store.cookieIndex.count(of: cookie.domain) == store.cookies.count { $0.domain == cookie.domain }
                    )
                }
                #expect(
                    Set(store.cookies.filter(\.isSecure).map(\.name))
                        == Set((0..<8).map { bytes("n\($0)") }.filter { store.cookieIndex.hasSecure($0) }))
                #expect(store.cookies.allSatisfy { !$0.isExpired(at: turn) })
            }
        }
    }
}

/// The same numbers each time.
private struct SeededNumbers {
    private var state: UInt64 = 6265

    mutating func next(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % count
    }
}

/// No input of a peer may trap, and rules for every field hold for random ones.
struct CookieRandomTests {
    static let words = [
        "a", "b", "sid", "__Host-x", "__secure-y", "=", "=", "=", ";", "; ", ";", " ", "\t", "\"", ",", "1", "22", "é",
        "Expires", "Max-Age", "Domain", "Path", "Secure", "HttpOnly", "SameSite", "None", "Version", "/", "/x", ".",
        "h.test", "test", "127.0.0.1", "Sun, 06 Nov 1994 08:49:37 GMT", "9 Jun 27 10:18:14", "-",
        "99999999999999999999",
        "\u{0}", "\u{7F}", "%41", "\\", "$Path", ":", "::",
    ]

    static func field(_ random: inout SeededGenerator) -> [UInt8] {
        var field: [UInt8] = []
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            if Int.random(in: 0..<8, using: &random) == 0 {
                field.append(UInt8.random(in: 0...255, using: &random))
            } else if let word = words.randomElement(using: &random) {
                field += word.utf8
            }
        }
        return field
    }

    @Test func `ten thousand random fields are read`() {
        var random = SeededGenerator(seed: 6265)
        var keptCount = 0
        for _ in 0..<10_000 {
            let field = Self.field(&random)
            let violations = SetCookie.violations(of: field) + CookieField.violations(of: field)
            if !violations.allSatisfy({ $0.offset <= field.count }) { Issue.record("\(field)") }
            _ = CookieDate.unixSeconds(field)
            for edition in CookieEdition.allCases {
                let cookie = SetCookie(parsing: field, edition: edition)
                let refusal = SetCookie.refusal(of: field, edition: edition)
                if (cookie == nil) != (refusal != nil) { Issue.record("\(edition): \(field)") }
                keptCount += cookie == nil ? 0 : 1
            }
        }
        #expect(keptCount > 1_000)
    }

    @Test func `random fields are judged and explained`() {
        var random = SeededGenerator(seed: 62_65)
        let urls = [
            "http://h.test/", "https://www.h.test/x/y", "http://127.0.0.1/x", "https://h.test", "http://[::1]/",
        ]
        var kinds: Set<CookieDifference.Kind> = []
        for round in 0..<20 {
            var judge = CookieJudge()
            for turn in 0..<40 {
                let place = CookieURL(urls[(round + turn) % urls.count])
                let field = Self.field(&random)
                guard turn % 3 == 0 else {
                    _ = judge.set([field], by: place, at: CookieStory.start + turn)
                    continue
                }
                for difference in judge.judge([field], to: place, at: CookieStory.start + turn).differences {
                    kinds.insert(difference.kind)
                    #expect(difference.sentence.count < 1_200 && difference.section.hasPrefix("RFC 6265"))
                }
            }
        }
        #expect(kinds.isSuperset(of: [.missing, .unknown, .malformed]))
    }

    @Test func `every prefix of a field is read, and no prefix holds more than the whole`() {
        let whole = bytes(
            "__Host-a=\"b c\"; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=5; Domain=.h.test; Path=/x; Secure")
        var counts: [Int] = []
        for length in 0...whole.count {
            let field = Array(whole.prefix(length))
            _ = SetCookie.violations(of: field)
            guard let cookie = SetCookie(parsing: field, edition: .rfc6265bis) else { continue }
            counts.append(cookie.attributes.count)
            #expect(whole.starts(with: field))
        }
        #expect(counts == counts.sorted() && counts.last == 5)
    }

    @Test func `what a store sends is what a judge of its edition expects`() {
        var random = SeededGenerator(seed: 59)
        for edition in CookieEdition.allCases {
            var store = CookieStore(edition: edition)
            var judge = CookieJudge()
            for turn in 0..<300 {
                var late = store
                let host = ["h.test", "www.h.test", "a.www.h.test", "127.0.0.1"][Int.random(in: 0..<4, using: &random)]
                let path = ["/", "/x", "/x/y"][Int.random(in: 0..<3, using: &random)]
                let place = CookieURL(isSecure: Bool.random(using: &random), host: host, path: bytes(path))
                let now = CookieStory.start + turn
                let field = Self.field(&random)
                store.setCookie(field, from: place, at: now)
                _ = judge.set([field], by: place, at: now)
                let sent = store.field(for: place, at: now)
                let verdict = judge.judge(sent.map { [$0] } ?? [], to: place, at: now)
                #expect(verdict.conformsTo.contains(edition), "\(verdict.differences)")
                let sentLate = late.field(for: place, at: now)
                let lateVerdict = judge.judge(
                    sentLate.map { [$0] } ?? [], to: place, at: now, undecided: [judge.responseCount])
                #expect(lateVerdict.conformsTo.contains(edition), "\(lateVerdict.differences)")
            }
        }
    }
}
