import ProctorHTTP
import Testing

/// A request with something wrong, marked as `Marked` says.
struct Malformed: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let expected: [Marked.Expected]
    let limits: RequestLimits
    /// Whether the peer leaves after the last byte.
    let thenEnds: Bool

    var testDescription: String { name }

    init(
        _ name: String, _ marked: String, _ kinds: Violation.Kind..., limits: RequestLimits = RequestLimits(),
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
    static func line(_ name: String, _ line: String, _ kinds: Violation.Kind...) -> Malformed {
        Malformed(name, marked: "\(line)\r\nHost: a\r\n\r\n", kinds: kinds)
    }

    /// The target of a GET.
    static func target(_ name: String, _ target: String, _ kinds: Violation.Kind...) -> Malformed {
        Malformed(name, marked: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n", kinds: kinds)
    }

    /// A field line, or several, after Host.
    static func field(_ name: String, _ field: String, _ kinds: Violation.Kind...) -> Malformed {
        Malformed(name, marked: "GET / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n", kinds: kinds)
    }

    /// All field lines.
    static func fields(_ name: String, _ fields: String, _ kinds: Violation.Kind...) -> Malformed {
        Malformed(name, marked: "GET / HTTP/1.1\r\n\(fields)\r\n\r\n", kinds: kinds)
    }

    /// Field lines that are wrong in replies too, after Host.
    init(fields part: MalformedPart) {
        self.init(
            part.name, marked: "GET / HTTP/1.1\r\nHost: a\r\n\(part.marked)\r\n\r\n", kinds: part.kinds,
            limits: RequestLimits(part.limit), thenEnds: part.thenEnds)
    }

    /// What is wrong behind a reply's head too.
    init(content part: MalformedPart) {
        self.init(
            part.name, marked: Self.chunkedHead + part.marked, kinds: part.kinds, limits: RequestLimits(part.limit),
            thenEnds: part.thenEnds)
    }

    /// What comes after the head of a request with chunked content.
    static func chunked(_ name: String, _ content: String, _ kinds: Violation.Kind...) -> Malformed {
        Malformed(name, marked: chunkedHead + content, kinds: kinds)
    }

    private static let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
}
