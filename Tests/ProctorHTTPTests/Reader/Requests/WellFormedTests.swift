import ProctorHTTP
import Testing

/// A request with nothing wrong, and what is to be read from it.
struct WellFormed: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let method: String
    let target: String
    let form: TargetForm
    let version: HTTPVersion
    let framing: BodyFraming
    let content: String

    var testDescription: String { name }

    init(
        _ name: String, _ input: String, method: String, target: String, form: TargetForm = .origin,
        version: HTTPVersion = .http11, framing: BodyFraming = .none, content: String = ""
    ) {
        self.name = name
        self.input = bytes(input)
        self.method = method
        self.target = target
        self.form = form
        self.version = version
        self.framing = framing
        self.content = content
    }

    /// A target of a GET.
    static func target(_ name: String, _ target: String, form: TargetForm = .origin) -> WellFormed {
        WellFormed(name, "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", method: "GET", target: target, form: form)
    }

    /// A field line after Host.
    static func field(_ name: String, _ field: String) -> WellFormed {
        WellFormed(name, "GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n", method: "GET", target: "/")
    }

    /// A Host field, all of its line.
    static func host(_ name: String, _ line: String) -> WellFormed {
        WellFormed(name, "GET / HTTP/1.1\r\n\(line)\r\n\r\n", method: "GET", target: "/")
    }

    static func chunked(_ name: String, _ chunks: String, content: String) -> WellFormed {
        WellFormed(
            name, "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)", method: "POST",
            target: "/c", framing: .chunked, content: content)
    }

    static let all = requests + targets + fieldLines + hosts + chunks

    static let requests: [WellFormed] = [
        .init("the shortest request", "G / HTTP/1.0\r\n\r\n", method: "G", target: "/", version: .http10),
        .init("GET", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", method: "GET", target: "/"),
        .init("HEAD", "HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n", method: "HEAD", target: "/x"),
        .init("a method in small letters", "get / HTTP/1.1\r\nHost: a\r\n\r\n", method: "get", target: "/"),
        .init(
            "a method of every token character", "!#$%&'*+-.^_`|~09azAZ / HTTP/1.1\r\nHost: a\r\n\r\n",
            method: "!#$%&'*+-.^_`|~09azAZ", target: "/"),
        .init("HTTP/1.0 with Host", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", method: "GET", target: "/", version: .http10),
        .init(
            "HTTP/1.2 is read as 1.1", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", method: "GET", target: "/",
            version: HTTPVersion(major: 1, minor: 2)),
        .init("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", method: "OPTIONS", target: "*", form: .asterisk),
        .init(
            "CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", method: "CONNECT",
            target: "a.example:443", form: .authority),
        .init(
            "CONNECT with Host without port", "CONNECT a:80 HTTP/1.1\r\nHost: A\r\n\r\n", method: "CONNECT",
            target: "a:80", form: .authority),
        .init(
            "CONNECT to IPv6", "CONNECT [::1]:8088 HTTP/1.1\r\nHost: [::1]:8088\r\n\r\n", method: "CONNECT",
            target: "[::1]:8088", form: .authority),
        .init("TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\nMax-Forwards: 3\r\n\r\n", method: "TRACE", target: "/"),
        .init(
            "a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", method: "POST", target: "/",
            framing: .length(5), content: "hello"),
        .init(
            "a length of 0", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", method: "POST", target: "/",
            framing: .length(0)),
        .init(
            "a length with zeros before it", "PUT / HTTP/1.1\r\nHost: a\r\ncontent-length: 0003\r\n\r\nabc",
            method: "PUT", target: "/", framing: .length(3), content: "abc"),
        .init(
            "content that looks like a request",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n", method: "POST",
            target: "/", framing: .length(18), content: "GET / HTTP/1.1\r\n\r\n"),
        .init(
            "a GET with content", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx", method: "GET", target: "/",
            framing: .length(1), content: "x"),
        .init(
            "HTTP/1.0 with a length", "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi", method: "POST", target: "/",
            version: .http10, framing: .length(2), content: "hi"),
    ]

    static let targets: [WellFormed] = [
        .target("a path of every legal character", "/azAZ09-._~!$&'()*+,;=:@/%20%ff"),
        .target("a query of every legal character", "/?azAZ09-._~!$&'()*+,;=:@/?%00"),
        .target("an empty query", "/?"),
        .target("two question marks", "/a?b?c"),
        .target("two slashes first", "//a//b"),
        .target("dot segments", "/a/./../b/.."),
        .target("an escaped slash", "/a%2Fb%2fc"),
        .target("an absolute URI", "http://a/b?c", form: .absolute),
        .target("an absolute URI without path", "http://a", form: .absolute),
        .target("an absolute URI with the default port", "http://a:80/", form: .absolute),
        .target("an absolute URI with an empty port", "http://a:/", form: .absolute),
        .target("an absolute URI in capitals", "HTTP://A/", form: .absolute),
        .target("an absolute https URI with the default port", "https://a:443/", form: .absolute),
        .init(
            "an absolute URI with port and IPv6", "GET http://[::1]:8088/x HTTP/1.1\r\nHost: [::1]:8088\r\n\r\n",
            method: "GET", target: "http://[::1]:8088/x", form: .absolute),
        .init(
            "a URI of another scheme", "GET urn:isbn:0 HTTP/1.1\r\nHost:\r\n\r\n", method: "GET", target: "urn:isbn:0",
            form: .absolute),
        .init(
            "an ftp URI for a proxy", "GET ftp://a/b HTTP/1.1\r\nHost: a\r\n\r\n", method: "GET", target: "ftp://a/b",
            form: .absolute),
    ]

    static let fieldLines: [WellFormed] = [
        .field("a name of every token character", "!#$%&'*+-.^_`|~09azAZ: x"),
        .field("an empty value", "X:"),
        .field("a value of whitespace", "X: \t "),
        .field("no space behind the colon", "X:y"),
        .field("tabs around the value", "X:\ty\t"),
        .field("colons in the value", "X: a:b::c"),
        .field("Latin-1 in the value", "X: caf\u{E9}"),
        .field("UTF-8 in the value", "X: \u{C3}\u{A9}"),
        .field("the same name twice", "X: a\r\nx: b"),
        .field("a list with whitespace", "Connection: keep-alive ,\tfoo"),
        .field("TE with its option", "TE: trailers\r\nConnection: te"),
        .field("Upgrade with its option", "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings"),
        .field("a comma in a quoted string", "TE: x;a=\"b,chunked\\\"\"\r\nConnection: TE"),
    ]

    static let hosts: [WellFormed] = [
        .host("an address and a port", "Host: 127.0.0.1:8088"),
        .host("a name", "Host: www.example.org"),
        .host("a name with an empty port", "Host: a:"),
        .host("a name in capitals", "HOST: EXAMPLE.org"),
        .host("a name with underscore and escape", "Host: a_b%C3%A9"),
        .host("an IPv6 address", "Host: [2001:db8::1]"),
        .host("an IPv6 address with IPv4 at its end", "Host: [::ffff:127.0.0.1]:80"),
        .host("an address of the future", "Host: [v1.a:b]"),
        .host("whitespace around", "Host: \t a \t"),
    ]

    static let chunks: [WellFormed] = [
        .chunked("no content", "0\r\n\r\n", content: ""),
        .chunked("one chunk", "5\r\nhello\r\n0\r\n\r\n", content: "hello"),
        .chunked("three chunks", "1\r\na\r\n2\r\nbc\r\n3\r\ndef\r\n0\r\n\r\n", content: "abcdef"),
        .chunked(
            "sizes in both letter cases", "A\r\n0123456789\r\nb\r\n0123456789A\r\n0\r\n\r\n",
            content: "01234567890123456789A"),
        .chunked("zeros before the size", "0005\r\nhello\r\n000\r\n\r\n", content: "hello"),
        .chunked("line ends in the content", "4\r\n\r\n\r\n\r\n0\r\n\r\n", content: "\r\n\r\n"),
        .chunked("extensions", "1;a\r\nx\r\n1;a=b;c=\"d;\\\"e f\"\r\ny\r\n0;z\r\n\r\n", content: "xy"),
        .chunked("trailers", "1\r\nx\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n", content: "x"),
        .init(
            "chunked in capitals", "POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: CHUNKED\r\n\r\n0\r\n\r\n",
            method: "POST", target: "/", framing: .chunked),
    ]
}

struct WellFormedTests {
    @Test(arguments: WellFormed.all)
    func `a well-formed request is read without a finding, however it is cut`(_ row: WellFormed) throws {
        let events = Verifier<RequestReader>.events(of: row.input)

        #expect(events.flatMap(\.violations) == [])
        #expect(events.last == .end)
        let head = try #require(events.heads().first)
        #expect(head.method == row.method)
        #expect(text(head.methodBytes) == row.method)
        #expect(text(head.target) == row.target)
        #expect(text(head.targetBytes) == row.target)
        #expect(head.form == row.form)
        #expect(head.version == row.version)
        #expect(head.framing == row.framing)
        #expect(text(events.content()) == row.content)
        #expect(row.input.starts(with: head.bytes))
        #expect(try RequestHead(parsing: row.input) == head)
    }

    @Test func `fields keep order, case, duplicates and raw bytes`() throws {
        let head = try RequestHead(
            parsing: bytes("GET / HTTP/1.1\r\nhOST: a\r\nX:  one \r\nx:two\r\nY:\t\r\nX: three\r\n\r\n"))
        #expect(head.fields.map { text($0.name) } == ["hOST", "X", "x", "Y", "X"])
        #expect(head.fields.map { text($0.value) } == ["a", "one", "two", "", "three"])
        #expect(head.fields.map { text($0.raw) } == ["hOST: a", "X:  one ", "x:two", "Y:\t", "X: three"])
        #expect(head.fields.values(named: "x").map { text($0) } == ["one", "two", "three"])
        #expect(head.fields.values(named: bytes("X")).map { text($0) } == ["one", "two", "three"])
        #expect(head.fields.first(named: "host").map { text($0) } == "a")
        #expect(head.fields.first(named: bytes("HOST")).map { text($0) } == "a")
        #expect(head.fields.first(named: "z") == nil)
        #expect(head.fields.contains(named: "y") && !head.fields.contains(named: "yy"))
        #expect(head.fields.contains(named: bytes("Y")) && !head.fields.contains(named: bytes("")))
    }

    @Test func `a folded value is unfolded to single spaces and kept raw`() throws {
        let head = try RequestHead(
            parsing: bytes("GET / HTTP/1.1\r\nX: a \r\n\t b\r\n \r\n  c  \r\nHost:\r\n a\r\nY: z\r\n\r\n"))
        #expect(head.fields.map { text($0.value) } == ["a b c", "a", "z"])
        #expect(text(head.fields[0].raw) == "X: a \r\n\t b\r\n \r\n  c  ")
        #expect(head.fields.first(named: "host").map { text($0) } == "a")
    }

    @Test func `a section made of lines reads as one that arrived`() throws {
        let made = FieldSection([(bytes("Host"), bytes("a")), (bytes("X"), [])])
        let head = try RequestHead(parsing: bytes("GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n"))
        #expect(Array(made) == Array(head.fields))
        #expect(FieldSection().isEmpty)
    }

    @Test func `methods are compared with letter case`() throws {
        let head = try RequestHead(parsing: bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(head.hasMethod("GET"))
        #expect(!head.hasMethod("get") && !head.hasMethod("GE") && !head.hasMethod("GETS"))
    }

    @Test(arguments: [
        ("/a/b?c=d?e", "/a/b", "c=d?e"), ("/a", "/a", nil), ("/?", "/", ""), ("//x/y?z", "//x/y", "z"),
        ("http://h/a?b", "/a", "b"), ("http://h", "", nil), ("http://h?q", "", "q"),
    ])
    func `path and query are told from the target`(_ target: String, _ path: String, _ query: String?) throws {
        let head = try RequestHead(parsing: bytes("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(head.path.map { text($0) } == path)
        #expect(head.query.map { text($0) } == query)
    }

    @Test func `targets without a path have none`() throws {
        let options = try RequestHead(parsing: bytes("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"))
        #expect(options.path == nil && options.query == nil)
        let connect = try RequestHead(parsing: bytes("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n"))
        #expect(connect.path == nil && connect.query == nil)
    }

    @Test func `a head that is refused or cut short throws its violation`() {
        #expect(throws: Violation(.missingHost, at: 16)) {
            try RequestHead(parsing: bytes("GET / HTTP/1.1\r\n\r\n"))
        }
        #expect(throws: Violation(.incompleteHead, at: 5, bound: 5)) { try RequestHead(parsing: bytes("GET /")) }
    }

    @Test func `chunks are told with their sizes, extensions and trailers`() {
        let events = Verifier<RequestReader>.events(
            of: bytes(
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x=\"y\"\r\nhi\r\n00;z\r\nSum: 1\r\n\r\n"
            ))
        #expect(
            Array(events.dropFirst()) == [
                .chunk(byteCount: 2, extensions: bytes(";x=\"y\"")), .content(bytes("hi")),
                .chunk(byteCount: 0, extensions: bytes(";z")), .trailers(events.trailers()), .end,
            ])
        #expect(events.trailers().map { text($0.name) } == ["Sum"])
        #expect(events.trailers().map { text($0.value) } == ["1"])
    }

    @Test func `the head's bytes begin at the method, and its violations count the empty lines before`() throws {
        let head = try RequestHead(parsing: bytes("\r\n\r\nGET /é HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(head.precedingByteCount == 4)
        #expect(head.bytes.first == UInt8(ascii: "G"))
        #expect(text(head.methodBytes) == "GET")
        #expect(head.violations.map(\.offset) == [0, 2, 9])
    }
}
