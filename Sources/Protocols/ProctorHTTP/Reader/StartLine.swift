import ProctorBase

enum StartLine {
    /// The offset of the line end; a bare LF is reported, a bare CR refused.
    static func endOfContent(_ head: Span<UInt8>, end: Int, findings: inout Findings) throws(Violation) -> Int {
        let hasCR = end >= 2 && head[end - 2] == .carriageReturn
        let lineEnd = hasCR ? end - 2 : end - 1
        if let bare = (0..<lineEnd).first(where: { head[$0] == .carriageReturn }) {
            try findings.judge(.bareCR, at: bare, head.excerpt(0..<lineEnd))
        }
        if !hasCR { findings.report(.bareLF, at: lineEnd, head.excerpt(0..<lineEnd)) }
        return lineEnd
    }

    /// Skips the whitespace at `index`, and reports it as `kind` unless it is one SP.
    static func separator(
        _ head: Span<UInt8>, _ index: Int, before lineEnd: Int, kind: Violation.Kind, findings: inout Findings
    ) -> Int {
        var end = index
        skipBlanks(head, &end, before: lineEnd)
        // Whitespace at the end of the line is reported as trailing.
        if end < lineEnd, end - index != 1 || head[index] != .space {
            findings.report(kind, at: index, head.excerpt(index..<end))
        }
        return end
    }

    static func skipBlanks(_ head: Span<UInt8>, _ index: inout Int, before end: Int) {
        while index < end, head[index].isStartLineBlank { index += 1 }
    }

    static func endOfWord(_ head: Span<UInt8>, _ start: Int, before lineEnd: Int) -> Int {
        var index = start
        while index < lineEnd, !head[index].isStartLineBlank { index += 1 }
        return index
    }
}

/// The empty lines before a start line.
///
/// RFC 9112 §2.2 requires a server to skip at least one and forbids clients to send any; §9.2 lets a client discard
/// those between replies. A limited number is skipped, each with a finding.
struct EmptyLines: Sendable {
    private(set) var count = 0
    /// Whether the last byte was a CR, after which LF must follow.
    private(set) var hasCR = false

    enum Outcome {
        case consumed
        case startLineBegins
        case bareCR
        case tooMany
    }

    mutating func read(_ byte: UInt8, at position: Int, limit: Int, findings: inout Findings) -> Outcome {
        switch byte {
        case .lineFeed:
            guard count < limit else { return .tooMany }
            let kind: Violation.Kind = findings.message == .request ? .emptyLineBeforeRequest : .emptyLineBeforeReply
            findings.report(kind, at: hasCR ? position - 1 : position)
            if !hasCR { findings.report(.bareLF, at: position) }
            count += 1
            hasCR = false
            return .consumed
        case _ where hasCR: return .bareCR
        case .carriageReturn:
            hasCR = true
            return .consumed
        default: return .startLineBegins
        }
    }
}

/// The version of a message's syntax: `HTTP/major.minor`, one digit each (RFC 9112 §2.3).
public struct HTTPVersion: Sendable, Hashable, CustomStringConvertible {
    private let majorDigit: UInt8
    private let minorDigit: UInt8

    /// Clamps both numbers to 0...9, since the grammar permits one digit.
    package init(major: Int, minor: Int) {
        majorDigit = UInt8(min(max(major, 0), 9))
        minorDigit = UInt8(min(max(minor, 0), 9))
    }

    /// 0...9; another major version changes what messages mean.
    public var major: Int { Int(majorDigit) }

    /// 0...9; a higher minor version understands lower ones.
    public var minor: Int { Int(minorDigit) }

    /// HTTP/1.0: closes after each reply by default; has no chunks and needs no Host.
    public static let http10 = HTTPVersion(major: 1, minor: 0)
    /// HTTP/1.1: keeps the connection by default.
    public static let http11 = HTTPVersion(major: 1, minor: 1)
    /// HTTP/2, which has no minor versions and no start lines (RFC 9113).
    public static let http2 = HTTPVersion(major: 2, minor: 0)
    /// HTTP/3, which has no minor versions and no start lines either (RFC 9114).
    public static let http3 = HTTPVersion(major: 3, minor: 0)

    /// True for HTTP/1.1 and later versions, which are served as the highest known one (RFC 9110 §2.5).
    package var hasHTTP11Semantics: Bool { major > 1 || major == 1 && minor >= 1 }

    /// The form of a start line.
    public var description: String { "HTTP/\(major).\(minor)" }
}

extension HTTPVersion {
    /// Reads `HTTP/1.1` and similar; the name is case-sensitive.
    ///
    /// Other letter cases are reported and accepted, since they have only one reading. A malformed version that is
    /// accepted counts as HTTP/1.1.
    init(_ head: Span<UInt8>, _ word: Range<Int>, findings: inout Findings) throws(Violation) {
        let start = word.lowerBound
        guard word.count == 8, head.extracting(start..<start + 5).equalsIgnoringCase("http/"),
            head[start + 5].isASCIIDigit, head[start + 6] == UInt8(ascii: "."), head[start + 7].isASCIIDigit
        else {
            try findings.judge(.badVersion, at: start, head.excerpt(word))
            self = .http11
            return
        }
        if !head.extracting(start..<start + 5).equals("HTTP/") {
            findings.report(.versionCase, at: start, head.excerpt(word))
        }
        self.init(major: Int(head[start + 5] & 0x0F), minor: Int(head[start + 7] & 0x0F))
    }
}
