/// A status line and its field section, with what they mean for reading on.
///
/// One reference, so that it is cheap to hand on and to keep; what it refers to never changes.
public struct ReplyHead: Sendable, Equatable {
    private let parts: Parts

    private final class Parts: Sendable {
        let precedingByteCount: Int
        let line: StatusLine
        let fields: FieldSection
        let framing: ReplyFraming
        let keepsConnection: Bool
        let violations: [Violation]

        init(
            fields: FieldSection, precedingByteCount: Int, line: StatusLine, meaning: ReplyMeaning,
            violations: [Violation]
        ) {
            self.fields = fields
            self.precedingByteCount = precedingByteCount
            self.line = line
            framing = meaning.framing
            keepsConnection = meaning.keepsConnection
            self.violations = violations
        }
    }

    /// `fields` stand over the bytes of the whole head, which the limits keep within 32 bits.
    init(
        fields: FieldSection, precedingByteCount: Int, line: StatusLine, meaning: ReplyMeaning, violations: [Violation]
    ) {
        parts = Parts(
            fields: fields, precedingByteCount: precedingByteCount, line: line, meaning: meaning,
            violations: violations)
    }

    /// Two heads are equal when the same bytes arrived and mean the same.
    public static func == (left: ReplyHead, right: ReplyHead) -> Bool {
        left.parts === right.parts
            || left.fields == right.fields && left.precedingByteCount == right.precedingByteCount
                && left.parts.line == right.parts.line && left.framing == right.framing
                && left.keepsConnection == right.keepsConnection && left.violations == right.violations
    }
}

extension ReplyHead {
    /// Bytes of empty lines that came before the version; violation offsets count them, the ranges here do not.
    public var precedingByteCount: Int { parts.precedingByteCount }

    /// 1.x always; other major versions are refused.
    public var version: HTTPVersion { parts.line.version }

    /// 0...999, as it was sent; one outside 100...599 is to be treated as a 5xx (RFC 9110 §15).
    public var status: Int { parts.line.status }

    /// A copy of the reason phrase, byte for byte; often empty, and no client should act on it (RFC 9112 §4).
    public var reason: [UInt8] { Array(bytes[parts.line.reasonRange]) }

    /// The header section, over the same bytes.
    public var fields: FieldSection { parts.fields }

    /// Where the content ends, as the method it replies to has it too.
    public var framing: ReplyFraming { parts.framing }

    /// Whether a final reply is still to come: 1xx but 101, which ends HTTP instead (RFC 9110 §15.2).
    public var isInterim: Bool { Self.isInterim(status) }

    /// Whether another request may follow on the connection (RFC 9112 §9.3); false also when the content runs until
    /// close.
    public var keepsConnection: Bool { parts.keepsConnection }

    /// What can be read over, in order of offset.
    public var violations: [Violation] { parts.violations }

    /// Exactly what arrived, from the version to the empty line and its line end.
    public var bytes: [UInt8] { fields.bytes }

    /// Into `bytes`.
    public var reasonRange: Range<Int> { parts.line.reasonRange }

    static func isInterim(_ status: Int) -> Bool { 100..<200 ~= status && status != 101 }
}
