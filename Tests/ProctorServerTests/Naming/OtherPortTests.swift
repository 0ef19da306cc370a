import ProctorScenario
import Testing

@testable import ProctorServer

/// What is said of a host that is asked for with a port that it does not have.
struct OtherPortTests {
    @Test func `nobody has such a host`() {
        #expect(OtherPort("a.test", declared: [], for: .http) == nil)
    }

    @Test func `ports are told once each, in order, those of the scheme first of all`() throws {
        let declared: [(scheme: Scheme, port: Int)] = [(.https, 443), (.http, 8080), (.http, 80), (.http, 8080)]
        let plain = try #require(OtherPort("a.test", declared: declared, for: .http))
        #expect(plain.wanted == "a.test as it is declared, with port 80 or 8080")
        let tunnel = try #require(OtherPort("a.test", declared: declared, for: nil))
        #expect(tunnel.wanted == "a.test as it is declared, with port 80, 443 or 8080")
        let secure = try #require(OtherPort("a.test", declared: [(.http, 81)], for: .https))
        #expect(secure.wanted == "a.test as it is declared, for http with port 81")
    }

    @Test func `no more than ten ports are told`() throws {
        let declared = (1...30).map { (scheme: Scheme.http, port: $0) }
        let text = try #require(OtherPort("a.test", declared: declared, for: .http)).wanted
        #expect(text == "a.test as it is declared, with port 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 or 20 others")
    }

    @Test(
        arguments: [
            (nil, 8088, nil), (81, 8088, nil), (8088, 8088, 80), (80, 80, 80), (8088, nil, nil), (nil, nil, nil),
        ] as [(Int?, Int?, Int?)])
    func `nothing stands for the usual port but the one that was connected to`(
        said: Int?, connected: Int?, meant: Int?
    ) {
        #expect(OtherPort.standIn(for: said, .http, cameTo: connected) == meant)
    }
}
