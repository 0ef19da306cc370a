import ProctorHTTP
import Testing

struct URIReferenceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let scheme, userinfo, host, port, query, fragment: String?
        let path: String

        init(
            _ text: String, scheme: String? = nil, userinfo: String? = nil, host: String? = nil, port: String? = nil,
            path: String = "", query: String? = nil, fragment: String? = nil
        ) {
            self.text = text
            self.scheme = scheme
            self.userinfo = userinfo
            self.host = host
            self.port = port
            self.path = path
            self.query = query
            self.fragment = fragment
        }

        var testDescription: String { text }
    }

    /// The examples of RFC 3986 §1.1.2 first.
    static let rows: [Row] = [
        Row("ftp://ftp.is.co.za/rfc/rfc1808.txt", scheme: "ftp", host: "ftp.is.co.za", path: "/rfc/rfc1808.txt"),
        Row("http://www.ietf.org/rfc/rfc2396.txt", scheme: "http", host: "www.ietf.org", path: "/rfc/rfc2396.txt"),
        Row(
            "ldap://[2001:db8::7]/c=GB?objectClass?one", scheme: "ldap", host: "[2001:db8::7]", path: "/c=GB",
            query: "objectClass?one"),
        Row("mailto:John.Doe@example.com", scheme: "mailto", path: "John.Doe@example.com"),
        Row("news:comp.infosystems.www.servers.unix", scheme: "news", path: "comp.infosystems.www.servers.unix"),
        Row("tel:+1-816-555-1212", scheme: "tel", path: "+1-816-555-1212"),
        Row("telnet://192.0.2.16:80/", scheme: "telnet", host: "192.0.2.16", port: "80", path: "/"),
        Row(
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", scheme: "urn",
            path: "oasis:names:specification:docbook:dtd:xml:4.1.2"),
        Row("", path: ""),
        Row(
            "http://u:p@h:8/p/q?r=s#t", scheme: "http", userinfo: "u:p", host: "h", port: "8", path: "/p/q",
            query: "r=s", fragment: "t"),
        Row("http://h:", scheme: "http", host: "h", port: ""),
        Row("http://@h", scheme: "http", userinfo: "", host: "h"),
        Row("file:///etc/hosts", scheme: "file", host: "", path: "/etc/hosts"),
        Row("//h/p", host: "h", path: "/p"),
        Row("/p?q#f", path: "/p", query: "q", fragment: "f"),
        Row("?q", query: "q"), Row("#f", fragment: "f"), Row("?", query: ""), Row("#", fragment: ""),
        Row("a#b?c", path: "a", fragment: "b?c"), Row("a?b/c:d", path: "a", query: "b/c:d"),
        Row("./a:b", path: "./a:b"), Row("a/b:c", path: "a/b:c"),
        Row("x:", scheme: "x"), Row("x:/a", scheme: "x", path: "/a"), Row("a+b-c.1:d", scheme: "a+b-c.1", path: "d"),
        Row("http://[::1]", scheme: "http", host: "[::1]"),
        Row("http://[v7.x:y]:1", scheme: "http", host: "[v7.x:y]", port: "1"),
        Row("%41/%2F", path: "%41/%2F"),
    ]

    @Test(arguments: rows)
    func `components are views into the bytes`(_ row: Row) throws {
        let uri = try URIReference(parsing: bytes(row.text))
        #expect(uri.scheme.map { text($0) } == row.scheme)
        #expect(uri.userinfo.map { text($0) } == row.userinfo)
        #expect(uri.host.map { text($0) } == row.host)
        #expect(uri.port.map { text($0) } == row.port)
        #expect(text(uri.path) == row.path)
        #expect(uri.query.map { text($0) } == row.query)
        #expect(uri.fragment.map { text($0) } == row.fragment)
        #expect((uri.authority == nil) == (row.host == nil))
        #expect(text(uri.bytes) == row.text)
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let text: String
        let kind: URIViolation.Kind
        let offset: Int

        init(_ text: String, _ kind: URIViolation.Kind, at offset: Int) {
            self.text = text
            self.kind = kind
            self.offset = offset
        }

        var testDescription: String { "\(text): \(kind.rawValue) at \(offset)" }
    }

    static let bad: [Bad] = [
        Bad("a b", .illegalCharacter, at: 1), Bad("/\u{C3}\u{A9}", .illegalCharacter, at: 1),
        Bad("/a\\b", .illegalCharacter, at: 2), Bad("/a?b c", .illegalCharacter, at: 4),
        Bad("/a?[b]", .illegalCharacter, at: 3), Bad("#a#b", .illegalCharacter, at: 2),
        Bad("http://h/{x}", .illegalCharacter, at: 9), Bad("http://u<@h/", .illegalCharacter, at: 8),
        Bad("http://a@b@c/", .illegalCharacter, at: 8), Bad("/\r\n", .illegalCharacter, at: 1),
        Bad("/%", .badPercentEscape, at: 1), Bad("/a%2", .badPercentEscape, at: 2),
        Bad("/?%zz", .badPercentEscape, at: 2), Bad("#%", .badPercentEscape, at: 1),
        Bad("http://u%4@h", .badPercentEscape, at: 8),
        Bad("http://a b/", .badHost, at: 7), Bad("http://[::1", .badHost, at: 7), Bad("http://::1/", .badHost, at: 7),
        Bad("http://[1.2.3.4]/", .badHost, at: 7), Bad("http://[::1%25lo]/", .badHost, at: 7),
        Bad("http://h%4/", .badHost, at: 7), Bad("http://[v.x]/", .badHost, at: 7),
        Bad("http://[v1.]/", .badHost, at: 7),
        Bad("http://h:x/", .badPort, at: 9), Bad("http://h:65536/", .badPort, at: 9),
        Bad("http://h:-1", .badPort, at: 9),
        Bad("1a:b", .colonInFirstSegment, at: 2), Bad(":a", .colonInFirstSegment, at: 0),
        Bad("a_b:c", .colonInFirstSegment, at: 3),
    ]

    @Test(arguments: bad)
    func `what is no URI reference is refused at its first wrong byte`(_ row: Bad) throws {
        let violation = #expect(throws: URIViolation.self) { try URIReference(parsing: bytes(row.text)) }
        #expect(violation?.kind == row.kind)
        #expect(violation?.offset == row.offset)
        #expect(violation.map { $0.description.contains($0.section) } == true)
        // Splitting takes it all the same, and loses nothing.
        #expect(URIReference(splitting: bytes(row.text)).bytes == bytes(row.text))
    }

    @Test(arguments: URIViolation.Kind.allCases)
    func `every kind of URI violation stands in the table`(_ kind: URIViolation.Kind) {
        #expect(Self.bad.contains { $0.kind == kind })
    }

    @Test(arguments: [
        ("http://h", nil, 80), ("https://h", nil, 443), ("HTTP://h:8088", 8088, 8088), ("http://h:", nil, 80),
        ("ftp://h", nil, nil), ("//h:1", 1, 1), ("//h", nil, nil), ("http://h:0", 0, 0),
    ])
    func `a port is what is written or what the scheme says`(_ text: String, _ port: Int?, _ effective: Int?) throws {
        let uri = try URIReference(parsing: bytes(text))
        #expect(uri.portNumber == port)
        #expect(uri.effectivePort == effective)
    }

    static let addresses: [(String, Bool)] = [
        ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true), ("1:2:3:4:5:6:7::", true),
        ("::2:3:4:5:6:7:8", true), ("1::8", true), ("1:2:3:4:5:6:1.2.3.4", true), ("::1.2.3.4", true),
        ("fe80::ABCD:ef01", true), ("1::3:4:5:6:7:8", true),
        ("", false), (":", false), (":::", false), ("1", false), ("1:2:3:4:5:6:7", false),
        ("1:2:3:4:5:6:7:8:9", false), ("1:2:3:4:5:6:7:8::", false), ("1::2::3", false), ("12345::", false),
        ("g::", false), (":1", false), ("1:", false), ("1:2:3:4:5:6:7:1.2.3.4", false), ("::1.2.3", false),
        ("::1.2.3.256", false), ("::01.2.3.4", false), ("::1.2.3.4.5", false), ("::1.2.3.4:5", false),
        ("1.2.3.4", false), ("1:::2", false),
    ]

    @Test(arguments: addresses)
    func `an IPv6 literal is eight groups or fewer with one gap`(_ address: String, _ isRight: Bool) {
        let isTaken = (try? URIReference(parsing: bytes("http://[\(address)]/"))) != nil
        #expect(isTaken == isRight)
    }
}
