import ProctorBase
import ProctorHTTP
import ProctorScenario
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Authorities and targets in absolute-form, taken apart where they stand.
struct HostAndPortTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let host: String?
        var port: Int?

        var testDescription: String { text }
    }

    private static let rows = [
        Row(text: "home.example.org", host: "home.example.org"),
        Row(text: "HOME.example.org:80", host: "HOME.example.org", port: 80),
        Row(text: "home.example.org.", host: "home.example.org"),
        Row(text: "home.example.org.:8080", host: "home.example.org", port: 8080),
        Row(text: "home.example.org:", host: "home.example.org"),
        Row(text: "home.example.org:65535", host: "home.example.org", port: 65_535),
        Row(text: "home.example.org:65536", host: nil), Row(text: "home.example.org:123456", host: nil),
        Row(text: "home:a", host: "home:a"), Row(text: "[::1]", host: "[::1]"),
        Row(text: "[::1]:443", host: "[::1]", port: 443), Row(text: "127.0.0.1:8088", host: "127.0.0.1", port: 8088),
        Row(text: "", host: ""), Row(text: ":", host: ""), Row(text: ".", host: ""),
    ]

    @Test(arguments: rows)
    func `a host ends before its port and before one point`(_ row: Row) {
        let bytes = Array("<\(row.text)>".utf8)
        let place = HostAndPort(bytes.span, in: 1..<bytes.count - 1)
        #expect(place.map { String(decoding: bytes[$0.host], as: UTF8.self) } == row.host)
        #expect(place?.port == row.port)
    }

    @Test(arguments: [
        "127.0.0.1", "[::1]:80", "localhost", "LOCALHOST.:8088", "", "10.1.2.3:1", "255.255.255.255.", "[v1.x]",
    ])
    func `addresses and localhost are the machine's own`(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(HostAndPort(bytes.span, in: bytes.indices)?.isOwn(in: bytes.span) == true)
    }

    @Test(arguments: [
        "home.example.org", "localhost.example.org", "xlocalhost", "a:80", "intranet1", "evil.example.org1:80", "1",
        "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "127.0.0.1x",
    ])
    func `anything else is a name`(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(HostAndPort(bytes.span, in: bytes.indices)?.isOwn(in: bytes.span) == false)
    }

    struct TargetRow: Sendable, CustomTestStringConvertible {
        let target: String
        let authority: String?
        let originForm: String
        var isOptions = false

        var testDescription: String { target }
    }

    private static let targets = [
        TargetRow(target: "http://a.test/x?y", authority: "a.test", originForm: "/x?y"),
        TargetRow(target: "HTTP://A.test:80", authority: "A.test:80", originForm: "/"),
        TargetRow(target: "http://a.test?q=/", authority: "a.test", originForm: "/?q=/"),
        TargetRow(target: "http://a.test#f", authority: "a.test", originForm: "/#f"),
        TargetRow(target: "http://u:p@w@a.test:1/../%7e//", authority: "a.test:1", originForm: "/../%7e//"),
        TargetRow(target: "http://a.test", authority: "a.test", originForm: "*", isOptions: true),
        TargetRow(target: "http://a.test/", authority: "a.test", originForm: "/", isOptions: true),
        TargetRow(target: "http:/a", authority: nil, originForm: ""),
        TargetRow(target: "http:", authority: nil, originForm: ""),
    ]

    @Test(arguments: targets)
    func `what a proxy cuts off is cut off by bytes, and nothing is made equal`(_ row: TargetRow) {
        let bytes = Array(row.target.utf8)
        let target = AbsoluteTarget(bytes.span, in: bytes.indices)
        #expect(target.map { String(decoding: bytes[$0.authority], as: UTF8.self) } == row.authority)
        let cut = target?.originForm(bytes, isOptions: row.isOptions) ?? []
        #expect(String(decoding: cut, as: UTF8.self) == row.originForm)
    }

    @Test func `a target that names no authority stays as it is`() {
        let forms = [
            "http://a.test/x?y", "http://a.test?a=1", "http://a.test", "/x", "/x?to=http://b.test/y", "://b",
            "mailto:a", "", "*",
        ].map { text in
            String(decoding: AbsoluteTarget.originForm(of: Array(text.utf8)), as: UTF8.self)
        }
        #expect(forms == ["/x?y", "/?a=1", "/", "/x", "/x?to=http://b.test/y", "://b", "mailto:a", "", "*"])
    }

    @Test func `only http and https are schemes of hosts here`() {
        let schemes = ["http://a/", "hTTps://a/", "ftp://a/", "httpx://a/"].map { text in
            let bytes = Array(text.utf8)
            return AbsoluteTarget(bytes.span, in: bytes.indices).flatMap { Scheme(of: $0, in: bytes.span)?.rawValue }
        }
        #expect(schemes == ["http", "https", nil, nil])
    }
}

/// The refusal of a declared host with an undeclared port.
struct OtherPortTests {
    @Test func `no origin has such a host`() {
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
