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
