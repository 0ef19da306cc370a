import ProctorHTTP
import ProctorTestSupport
import Testing

/// Nothing that a peer sends may trap, and what holds for every field holds for random ones.
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
                let place = CookiePlace(urls[(round + turn) % urls.count])
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
                let place = CookiePlace(isSecure: Bool.random(using: &random), host: host, path: bytes(path))
                let now = CookieStory.start + turn
                let field = Self.field(&random)
                store.take(field, from: place, at: now)
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
