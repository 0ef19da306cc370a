import Testing

@testable import ProctorHTTP

/// A request with something wrong, marked as `Marked` says.
struct MalformedRequest: MalformedMessage {
    let name: String
    let input: [UInt8]
    let expected: [Marked.Expected]
    let limits: RequestLimits
    let thenEnds: Bool

    var events: [Seen<RequestHead>] {
        Verifier<RequestReader>.events(of: input, limits: limits, thenEnds: thenEnds)
    }

    init(
        _ name: String, _ marked: String, finds kinds: Violation.Kind..., limits: RequestLimits = RequestLimits(),
        thenEnds: Bool = false
    ) {
        self.init(name, marked: marked, kinds: kinds, limits: limits, thenEnds: thenEnds)
    }

    private init(
        _ name: String, marked: String, kinds: [Violation.Kind], limits: RequestLimits = RequestLimits(),
        thenEnds: Bool = false
    ) {
        self.name = name
        self.limits = limits
        self.thenEnds = thenEnds
        let marked = Marked(marked, kinds, name: name)
        input = marked.input
        expected = marked.expected
    }

    /// A request line, with a Host field after it.
    static func line(_ name: String, _ line: String, finds kinds: Violation.Kind...) -> MalformedRequest {
        MalformedRequest(name, marked: "\(line)\r\nHost: a\r\n\r\n", kinds: kinds)
    }

    /// The target of a GET.
    static func target(_ name: String, _ target: String, finds kinds: Violation.Kind...) -> MalformedRequest {
        MalformedRequest(name, marked: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", kinds: kinds)
    }

    /// A field line, or several, after Host.
    static func field(_ name: String, _ field: String, finds kinds: Violation.Kind...) -> MalformedRequest {
        MalformedRequest(name, marked: "GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n", kinds: kinds)
    }

    /// All field lines.
    static func fields(_ name: String, _ fields: String, finds kinds: Violation.Kind...) -> MalformedRequest {
        MalformedRequest(name, marked: "GET / HTTP/1.1\r\n\(fields)\r\n\r\n", kinds: kinds)
    }

    /// Field lines that are wrong in replies too, after Host.
    init(fields part: MalformedPart) {
        self.init(
            part.name, marked: "GET / HTTP/1.1\r\nHost: a\r\n\(part.marked)\r\n\r\n", kinds: part.kinds,
            limits: RequestLimits().with(part.limit), thenEnds: part.thenEnds)
    }

    /// What is wrong behind a reply's head too.
    init(content part: MalformedPart) {
        self.init(
            part.name, marked: Self.chunkedHead + part.marked, kinds: part.kinds,
            limits: RequestLimits().with(part.limit), thenEnds: part.thenEnds)
    }

    static func chunked(_ name: String, _ content: String, finds kinds: Violation.Kind...) -> MalformedRequest {
        MalformedRequest(name, marked: chunkedHead + content, kinds: kinds)
    }

    private static let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
}

struct MalformedTests {
    @Test(arguments: MalformedRequest.all)
    func `a malformed request is diagnosed at its place, however it is cut`(_ row: MalformedRequest) throws {
        try row.expectDiagnosis(of: .request)
    }

    @Test func `the corpus has at least 170 inputs with names of their own`() {
        #expect(MalformedRequest.all.count >= 170)
        #expect(Set(MalformedRequest.all.map(\.name)).count == MalformedRequest.all.count)
        #expect(Set(MalformedRequest.all.map(\.input)).count > 170)
    }

    /// The server reports these, not a reader of requests.
    private static let others: [Violation.Kind] = [.plainHTTP, .bytesAfterRequest, .unansweredRequest]

    @Test(arguments: Violation.Kind.allCases.filter { $0.arises(in: .request) && !others.contains($0) })
    func `every kind of violation stands in the corpus`(_ kind: Violation.Kind) {
        #expect(MalformedRequest.all.contains { $0.expected.contains { $0.kind == kind } })
    }

    @Test(arguments: MalformedRequest.all)
    func `every sentence is printable and names the limit where there is one`(_ row: MalformedRequest) {
        row.expectSentences()
    }

    @Test(arguments: [
        (
            "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
            "whitespace stands between name and colon in \"Host : a\"; the colon follows the name"
        ),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{00}\r\n\r\n", "the value \"\\x00\" holds a NUL"),
        ("GET / HTTP/1.1\r\n\r\n", "the request has no Host field; every HTTP/1.1 request must have one"),
        (
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            "Content-Length is \"6\", but 5 before; there may be one length only"
        ),
        (
            "\u{16}\u{03}\u{01}",
            "the first byte \"\\x16\" begins a TLS handshake, but this port speaks plain HTTP; use http://"
        ),
    ])
    func `a sentence quotes what came and says what would be right`(_ input: String, _ sentence: String) {
        let refusal = Verifier<RequestReader>.events(of: bytes(input)).flatMap(\.violations).last
        #expect(refusal?.sentence == sentence)
    }
}
