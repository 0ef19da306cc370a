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
        _ name: String, _ input: String, _ method: String, _ target: String, form: TargetForm = .origin,
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
        WellFormed(name, "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", "GET", target, form: form)
    }

    /// A field line after Host.
    static func field(_ name: String, _ field: String) -> WellFormed {
        WellFormed(name, "GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n", "GET", "/")
    }

    /// A Host field, all of its line.
    static func host(_ name: String, _ line: String) -> WellFormed {
        WellFormed(name, "GET / HTTP/1.1\r\n\(line)\r\n\r\n", "GET", "/")
    }

    static func chunked(_ name: String, _ chunks: String, content: String) -> WellFormed {
        WellFormed(
            name, "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)", "POST", "/c",
            framing: .chunked, content: content)
    }

    static let all = requests + targets + fieldLines + hosts + chunks

    static let requests: [WellFormed] = [
        .init("the shortest request", "G / HTTP/1.0\r\n\r\n", "G", "/", version: .http10),
        .init("GET", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/"),
        .init("HEAD", "HEAD /x HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD", "/x"),
        .init("a method in small letters", "get / HTTP/1.1\r\nHost: a\r\n\r\n", "get", "/"),
        .init(
            "a method of every token character", "!#$%&'*+-.^_`|~09azAZ / HTTP/1.1\r\nHost: a\r\n\r\n",
            "!#$%&'*+-.^_`|~09azAZ", "/"),
        .init("HTTP/1.0 with Host", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET", "/", version: .http10),
        .init(
            "HTTP/1.2 is read as 1.1", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", "GET", "/",
            version: HTTPVersion(major: 1, minor: 2)),
        .init("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "*", form: .asterisk),
        .init(
            "CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", "CONNECT", "a.example:443",
            form: .authority),
        .init(
            "CONNECT with Host without port", "CONNECT a:80 HTTP/1.1\r\nHost: A\r\n\r\n", "CONNECT", "a:80",
            form: .authority),
        .init(
            "CONNECT to IPv6", "CONNECT [::1]:8088 HTTP/1.1\r\nHost: [::1]:8088\r\n\r\n", "CONNECT", "[::1]:8088",
            form: .authority),
        .init("TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\nMax-Forwards: 3\r\n\r\n", "TRACE", "/"),
        .init(
            "a length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "POST", "/",
            framing: .length(5), content: "hello"),
        .init(
            "a length of 0", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST", "/",
            framing: .length(0)),
        .init(
            "a length with zeros before it", "PUT / HTTP/1.1\r\nHost: a\r\ncontent-length: 0003\r\n\r\nabc", "PUT", "/",
            framing: .length(3), content: "abc"),
        .init(
            "content that looks like a request",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n", "POST", "/",
            framing: .length(18), content: "GET / HTTP/1.1\r\n\r\n"),
        .init(
            "a GET with content", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx", "GET", "/",
            framing: .length(1), content: "x"),
        .init(
            "HTTP/1.0 with a length", "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi", "POST", "/", version: .http10,
            framing: .length(2), content: "hi"),
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
            "an absolute URI with port and IPv6", "GET http://[::1]:8088/x HTTP/1.1\r\nHost: [::1]:8088\r\n\r\n", "GET",
            "http://[::1]:8088/x", form: .absolute),
        .init(
            "a URI of another scheme", "GET urn:isbn:0 HTTP/1.1\r\nHost:\r\n\r\n", "GET", "urn:isbn:0", form: .absolute),
        .init(
            "an ftp URI for a proxy", "GET ftp://a/b HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "ftp://a/b", form: .absolute),
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
            "chunked in capitals", "POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: CHUNKED\r\n\r\n0\r\n\r\n", "POST",
            "/",
            framing: .chunked),
    ]
}
