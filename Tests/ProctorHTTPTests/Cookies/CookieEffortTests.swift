import Testing

@testable import ProctorHTTP

/// A request is judged on the event loop under a lock, so its cost must not be a product of two numbers of cookies.
struct CookieEffortTests {
    static let domains = (0..<10).map { "\(String(repeating: "s.", count: $0))example.org" }
    static let place = CookiePlace("http://\(domains[9])/x")

    /// Cookies of ten domains that all go along.
    static func model(_ count: Int) -> CookieModel {
        var model = CookieModel(.rfc6265)
        model.beginResponse()
        for index in 0..<count {
            _ = model.take(bytes("c\(index)=1; Path=/; Domain=\(domains[index % 10])"), by: place, at: 0)
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
        var past = CookiePast()
        let cookie = Self.model(1).store.cookies[0]
        for index in 0..<5_000 {
            past.remember(cookie, index == 4_999 ? .deleted : .evicted)
            #expect(past.entries.count == min(index + 1, CookiePast.entryLimit))
        }
        #expect(past.entries.last?.fate == .deleted)
    }

    @Test func `sentences are made of what is told alone`() {
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
                let place = CookiePlace("\(["http", "https"][random.next(2)])://b.a.test/\(["", "x/"][random.next(2)])")
                store.take(bytes("\(name)=\(turn)\(life)\(domain)"), from: place, at: turn)
                if turn % 50 == 49 { store.endSession() }
                for (position, cookie) in store.cookies.enumerated() {
                    #expect(store.index(of: cookie) == position)
                    #expect(
                        store.ledger.count(of: cookie.domain) == store.cookies.count { $0.domain == cookie.domain })
                }
                #expect(
                    Set(store.cookies.filter(\.isSecure).map(\.name))
                        == Set((0..<8).map { bytes("n\($0)") }.filter { store.ledger.hasSecure($0) }))
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
