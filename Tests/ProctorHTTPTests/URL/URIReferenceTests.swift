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

struct ResolutionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let reference: String
        let base: String
        let target: String

        init(_ reference: String, _ target: String, from base: String = "http://a/b/c/d;p?q") {
            self.reference = reference
            self.target = target
            self.base = base
        }

        var testDescription: String { "\"\(reference)\" from \(base) is \(target)" }
    }

    /// RFC 3986 §5.4.1.
    static let normal: [Row] = [
        Row("g:h", "g:h"), Row("g", "http://a/b/c/g"), Row("./g", "http://a/b/c/g"), Row("g/", "http://a/b/c/g/"),
        Row("/g", "http://a/g"), Row("//g", "http://g"), Row("?y", "http://a/b/c/d;p?y"),
        Row("g?y", "http://a/b/c/g?y"), Row("#s", "http://a/b/c/d;p?q#s"), Row("g#s", "http://a/b/c/g#s"),
        Row("g?y#s", "http://a/b/c/g?y#s"), Row(";x", "http://a/b/c/;x"), Row("g;x", "http://a/b/c/g;x"),
        Row("g;x?y#s", "http://a/b/c/g;x?y#s"), Row("", "http://a/b/c/d;p?q"), Row(".", "http://a/b/c/"),
        Row("./", "http://a/b/c/"), Row("..", "http://a/b/"), Row("../", "http://a/b/"), Row("../g", "http://a/b/g"),
        Row("../..", "http://a/"), Row("../../", "http://a/"), Row("../../g", "http://a/g"),
    ]

    /// RFC 3986 §5.4.2, strict.
    static let abnormal: [Row] = [
        Row("../../../g", "http://a/g"), Row("../../../../g", "http://a/g"), Row("/./g", "http://a/g"),
        Row("/../g", "http://a/g"), Row("g.", "http://a/b/c/g."), Row(".g", "http://a/b/c/.g"),
        Row("g..", "http://a/b/c/g.."), Row("..g", "http://a/b/c/..g"), Row("./../g", "http://a/b/g"),
        Row("./g/.", "http://a/b/c/g/"), Row("g/./h", "http://a/b/c/g/h"), Row("g/../h", "http://a/b/c/h"),
        Row("g;x=1/./y", "http://a/b/c/g;x=1/y"), Row("g;x=1/../y", "http://a/b/c/y"),
        Row("g?y/./x", "http://a/b/c/g?y/./x"), Row("g?y/../x", "http://a/b/c/g?y/../x"),
        Row("g#s/./x", "http://a/b/c/g#s/./x"), Row("g#s/../x", "http://a/b/c/g#s/../x"), Row("http:g", "http:g"),
    ]

    static let others: [Row] = [
        Row("x", "http://h/x", from: "http://h"), Row("?q", "http://h?q", from: "http://h"),
        Row("#f", "http://h#f", from: "http://h#old"), Row("", "http://h/a?", from: "http://h/a?#f"),
        Row("..", "http://h/", from: "http://h"), Row("?", "http://h/a?", from: "http://h/a?b"),
        Row("//g/../x", "http://g/x", from: "http://h/"), Row("//", "http://", from: "http://h/a"),
        Row("g", "urn:g", from: "urn:a"), Row("/g", "urn:/g", from: "urn:a:b"),
        Row("g", "/a/g", from: "/a/b?c"), Row("/.//g", "urn:/.//g", from: "urn:a"),
        Row("./b:c", "./b:c", from: "a"), Row("http://u@g:8/x?y#z", "http://u@g:8/x?y#z", from: "http://a/"),
        Row("%2e%2e/g", "http://a/b/%2e%2e/g", from: "http://a/b/c"),
        Row("g", "http://user@host:80/d/g", from: "http://user@host:80/d/f?q#f"),
    ]

    @Test(arguments: normal + abnormal + others)
    func `a reference is resolved as RFC 3986 §5 says`(_ row: Row) throws {
        let base = try URIReference(parsing: bytes(row.base))
        let target = try URIReference(parsing: bytes(row.reference)).resolved(against: base)
        #expect(text(target.bytes) == row.target)
        #expect(target == URIReference(splitting: bytes(row.target)), "components agree with the text")
    }

    @Test func `both tables of §5.4 are whole`() {
        #expect(Self.normal.count == 23)
        #expect(Self.abnormal.count == 19)
    }

    @Test(arguments: [
        ("/a/b/c/./../../g", "/a/g"), ("mid/content=5/../6", "mid/6"), ("", ""), (".", ""), ("..", ""), ("/.", "/"),
        ("/..", "/"), ("/../..", "/"), ("./../a", "a"), ("/a/..", "/"), ("/a/../", "/"), ("a/..", "/"),
        ("/a//../b", "/a/b"), ("//..", "/"), ("/a/.b/..c/...", "/a/.b/..c/..."), ("/a/b/.", "/a/b/"),
    ])
    func `dot segments are removed as §5.2.4 says`(_ path: String, _ expected: String) {
        #expect(text(URIReference.removingDotSegments(bytes(path))) == expected)
    }

    @Test func `a long path of dot segments takes time in proportion`() {
        let path = [UInt8](repeating: UInt8(ascii: "/"), count: 50_000) + bytes(String(repeating: "/..", count: 50_000))
        #expect(text(URIReference.removingDotSegments(path)) == "/")
    }
}

struct NormalisationTests {
    private func uri(_ text: String) -> URIReference { URIReference(splitting: bytes(text)) }

    @Test func `scheme and host become small, all else stays`() {
        #expect(text(uri("HTTP://U@Ex.ORG:80/P?Q#F").lowercasingSchemeAndHost().bytes) == "http://U@ex.org:80/P?Q#F")
        #expect(text(uri("X://A%2Fb").lowercasingSchemeAndHost().bytes) == "x://a%2Fb")
        #expect(text(uri("/A").lowercasingSchemeAndHost().bytes) == "/A")
    }

    @Test func `escapes get capital digits, broken ones stay`() {
        #expect(text(uri("/%c3%a9?%2f%zz%4#%aF").uppercasingPercentEscapes().bytes) == "/%C3%A9?%2F%zz%4#%AF")
    }

    @Test func `escapes of unreserved characters are undone, others stay`() {
        #expect(
            text(uri("/%7Euser/%41%2D%2e%5f/%2F%20%zz").decodingUnreservedEscapes().bytes) == "/~user/A-._/%2F%20%zz")
    }

    @Test func `dot segments go from absolute paths only`() {
        #expect(text(uri("http://h/a/../b/.").removingDotSegments().bytes) == "http://h/b/")
        #expect(text(uri("/a/../b").removingDotSegments().bytes) == "/b")
        #expect(text(uri("../b").removingDotSegments().bytes) == "../b")
    }

    @Test func `default and empty ports go`() {
        #expect(text(uri("http://h:80/").removingDefaultPort().bytes) == "http://h/")
        #expect(text(uri("https://h:443").removingDefaultPort().bytes) == "https://h")
        #expect(text(uri("ftp://h:/x").removingDefaultPort().bytes) == "ftp://h/x")
        #expect(text(uri("http://h:443/").removingDefaultPort().bytes) == "http://h:443/")
        #expect(text(uri("ftp://h:80/").removingDefaultPort().bytes) == "ftp://h:80/")
        #expect(text(uri("/x").removingDefaultPort().bytes) == "/x")
    }

    @Test func `an empty path becomes a slash where the scheme is HTTP's`() {
        #expect(text(uri("http://h").addingEmptyPath().bytes) == "http://h/")
        #expect(text(uri("https://h?q").addingEmptyPath().bytes) == "https://h/?q")
        #expect(text(uri("ftp://h").addingEmptyPath().bytes) == "ftp://h")
    }

    @Test(arguments: [
        ("HTTP://www.EXAMPLE.com:80", "http://www.example.com/"),
        ("example://a/b/c/%7Bfoo%7D", "example://a/b/c/%7Bfoo%7D"),
        ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"),
        ("http://h/%2e%2E/a", "http://h/a"),
    ])
    func `all steps together reach a fixed point`(_ text: String, _ expected: String) {
        let once = uri(text).normalised()
        #expect(once.bytes == bytes(expected))
        #expect(once.normalised() == once)
    }
}

struct EscapingTests {
    @Test(arguments: [
        ("a b", "a%20b"), ("/%2f%2", "/%2f%252"),
        ("http://u s@h/p q?r s#t u#v", "http://u%20s@h/p%20q?r%20s#t%20u%23v"),
        ("http://a b/", "http://a b/"), ("/\u{FF}", "/%FF"), ("/a?b?c/d", "/a?b?c/d"), ("/'()*!", "/'()*!"), ("", ""),
        ("a@b@c", "a@b@c"), ("//a@b@c", "//a%40b@c"),
    ])
    func `illegal bytes are escaped where escapes have a meaning`(_ given: String, _ expected: String) {
        let escaped = URIReference(splitting: bytes(given)).escapingIllegalBytes()
        #expect(text(escaped.bytes) == expected)
        #expect(escaped.escapingIllegalBytes() == escaped)
    }

    @Test func `every byte of a path is legal afterwards, and stands for itself`() throws {
        for byte in UInt8.min...UInt8.max where !"?#/".utf8.contains(byte) {
            let escaped = URIReference(splitting: [UInt8(ascii: "/"), byte]).escapingIllegalBytes()
            #expect(throws: Never.self) { try URIReference(parsing: escaped.bytes) }
            let digits = text(escaped.path.dropFirst(2))
            #expect(escaped.path.count == 2 ? escaped.path.last == byte : UInt8(digits, radix: 16) == byte)
        }
    }

    @Test(arguments: [
        ("/a/%2e/b", "/a/./b"), ("/%2E%2e/", "/../"), ("/.%2E", "/.."), ("/%2e.x", "/%2e.x"), ("/%2f", "/%2f"),
        ("/%2e?%2e#%2e", "/.?%2e#%2e"), ("%2e", "."),
    ])
    func `only whole segments of escaped dots are written plain`(_ given: String, _ expected: String) {
        #expect(text(URIReference(splitting: bytes(given)).unescapingDotSegments().bytes) == expected)
    }
}
