import ProctorHTTP
import Testing

/// A request with something wrong: `▸` stands before each place where a violation is expected, in the order of `kinds`.
///
/// `◆` stands where a second request begins, from where its own offsets count.
struct Malformed: Sendable, CustomTestStringConvertible {
    let name: String
    let input: [UInt8]
    let expected: [Expected]
    let limits: RequestLimits
    /// Whether the peer leaves after the last byte.
    let thenEnds: Bool

    struct Expected: Equatable, CustomStringConvertible {
        let kind: Violation.Kind
        let offset: Int
        var description: String { "\(kind.rawValue) at \(offset)" }
    }

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
        var input: [UInt8] = []
        var offsets: [Int] = []
        var start = 0
        for scalar in marked.unicodeScalars {
            if scalar == "▸" {
                offsets.append(input.count - start)
            } else if scalar == "◆" {
                start = input.count
            } else {
                input.append(UInt8(truncatingIfNeeded: scalar.value))
            }
        }
        precondition(offsets.count == kinds.count, "\(name): \(offsets.count) marks for \(kinds.count) kinds")
        self.input = input
        self.expected = zip(kinds, offsets).map { Expected(kind: $0, offset: $1) }
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

    /// What comes after the head of a request with chunked content.
    static func chunked(
        _ name: String, _ content: String, _ kinds: Violation.Kind..., limits: RequestLimits = RequestLimits(),
        thenEnds: Bool = false
    ) -> Malformed {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        return Malformed(name, marked: head + content, kinds: kinds, limits: limits, thenEnds: thenEnds)
    }
}
