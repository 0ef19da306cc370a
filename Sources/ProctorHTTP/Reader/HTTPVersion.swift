import ProctorBase

/// The version of a message's syntax: `HTTP/major.minor`, one digit each (RFC 9112 §2.3).
public struct HTTPVersion: Sendable, Hashable, CustomStringConvertible {
    private let majorDigit: UInt8
    private let minorDigit: UInt8

    /// Both are one digit, as the grammar has it; other numbers are clamped to 0...9.
    public init(major: Int, minor: Int) {
        majorDigit = UInt8(min(max(major, 0), 9))
        minorDigit = UInt8(min(max(minor, 0), 9))
    }

    /// 0...9; a change of it changes what messages mean.
    public var major: Int { Int(majorDigit) }

    /// 0...9; within a major version a higher one understands a lower one.
    public var minor: Int { Int(minorDigit) }

    /// Closes after each reply unless told otherwise; knows no chunks and needs no Host.
    public static let http10 = HTTPVersion(major: 1, minor: 0)
    /// Keeps the connection unless told otherwise.
    public static let http11 = HTTPVersion(major: 1, minor: 1)

    /// True for HTTP/1.1 and for later versions, which are served as the highest we know (RFC 9110 §2.5).
    public var hasHTTP11Semantics: Bool { major > 1 || major == 1 && minor >= 1 }

    /// As it stands in a start line.
    public var description: String { "HTTP/\(major).\(minor)" }
}

extension HTTPVersion {
    /// Reads `HTTP/1.1` and its like; the name is case-sensitive.
    ///
    /// Other letter cases are noted and read: they cannot mean anything else. What is no version, and is to be read over,
    /// counts as HTTP/1.1.
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
            findings.note(.versionCase, at: start, head.excerpt(word))
        }
        self.init(major: Int(head[start + 5] & 0x0F), minor: Int(head[start + 7] & 0x0F))
    }
}
