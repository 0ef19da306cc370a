/// A request line and its field section, with what they mean for reading on.
///
/// One reference, so that it is cheap to hand on and to keep; what it refers to never changes.
public struct RequestHead: Sendable, Equatable {
    private let parts: Parts

    private final class Parts: Sendable {
        let precedingByteCount: Int
        let method: Range<UInt32>
        let target: Range<UInt32>
        let version: HTTPVersion
        let form: TargetForm
        let fields: FieldSection
        let framing: BodyFraming
        let keepsAlive: Bool
        let expectsContinue: Bool
        let violations: [Violation]

        init(
            fields: FieldSection, precedingByteCount: Int, line: RequestLine, meaning: RequestMeaning,
            violations: [Violation]
        ) {
            self.fields = fields
            self.precedingByteCount = precedingByteCount
            method = Range(truncating: line.methodRange)
            target = Range(truncating: line.targetRange)
            version = line.version
            form = line.form
            framing = meaning.framing
            keepsAlive = meaning.keepsAlive
            expectsContinue = meaning.expectsContinue
            self.violations = violations
        }

        /// The same head with fewer fields.
        init(_ other: Parts, fields: FieldSection) {
            self.fields = fields
            precedingByteCount = other.precedingByteCount
            method = other.method
            target = other.target
            version = other.version
            form = other.form
            framing = other.framing
            keepsAlive = other.keepsAlive
            expectsContinue = other.expectsContinue
            violations = other.violations
        }
    }

    /// `fields` stand over the same bytes as those of `other`, and are some of them.
    init(_ other: RequestHead, fields: FieldSection) { parts = Parts(other.parts, fields: fields) }

    /// `fields` stand over the bytes of the whole head, which the limits keep within 32 bits.
    init(
        fields: FieldSection, precedingByteCount: Int, line: RequestLine, meaning: RequestMeaning,
        violations: [Violation]
    ) {
        parts = Parts(
            fields: fields, precedingByteCount: precedingByteCount, line: line, meaning: meaning,
            violations: violations)
    }

    /// Two heads are equal when the same bytes arrived and mean the same.
    public static func == (left: RequestHead, right: RequestHead) -> Bool {
        left.parts === right.parts
            || left.fields == right.fields && left.precedingByteCount == right.precedingByteCount
                && left.methodRange == right.methodRange && left.targetRange == right.targetRange
                && left.version == right.version && left.form == right.form && left.framing == right.framing
                && left.keepsAlive == right.keepsAlive && left.expectsContinue == right.expectsContinue
                && left.violations == right.violations
    }
}

extension RequestHead {
    /// Bytes of empty lines that came before the method; violation offsets count them, the ranges here do not.
    public var precedingByteCount: Int { parts.precedingByteCount }

    /// 1.x, but for a reader that accepts anything; others refuse other major versions.
    public var version: HTTPVersion { parts.version }

    /// Which of the four forms the target has.
    public var form: TargetForm { parts.form }

    /// The header section, over the same bytes.
    public var fields: FieldSection { parts.fields }

    /// Where the content ends, Transfer-Encoding before Content-Length.
    public var framing: BodyFraming { parts.framing }

    /// Whether the peer will take another request on this connection (RFC 9112 §9.3, for both versions).
    public var keepsAlive: Bool { parts.keepsAlive }

    /// Whether the peer waits for a 100 before it sends content (RFC 9110 §10.1.1); never true for HTTP/1.0.
    public var expectsContinue: Bool { parts.expectsContinue }

    /// What can be read over, in order of offset.
    public var violations: [Violation] { parts.violations }

    /// Exactly what arrived, from the method to the empty line and its line end.
    public var bytes: [UInt8] { fields.bytes }

    /// Into `bytes`.
    public var methodRange: Range<Int> { Int(parts.method.lowerBound)..<Int(parts.method.upperBound) }

    /// Into `bytes`.
    public var targetRange: Range<Int> { Int(parts.target.lowerBound)..<Int(parts.target.upperBound) }

    /// Any token, in the sender's letter case; made anew at each call, so compare with `hasMethod` where speed counts.
    public var method: String { String(decoding: bytes[methodRange], as: UTF8.self) }

    /// A view of the method, without a copy.
    public var methodBytes: ArraySlice<UInt8> { bytes[methodRange] }

    /// Methods are compared with letter case (RFC 9110 §9.1).
    public func hasMethod(_ name: StaticString) -> Bool { bytes.span.extracting(methodRange).equals(name) }

    /// A copy of the request-target, byte for byte.
    public var target: [UInt8] { Array(bytes[targetRange]) }

    /// A view of the request-target, without a copy.
    public var targetBytes: ArraySlice<UInt8> { bytes[targetRange] }
}

extension Range<UInt32> {
    fileprivate init(truncating range: Range<Int>) {
        self = UInt32(truncatingIfNeeded: range.lowerBound)..<UInt32(truncatingIfNeeded: range.upperBound)
    }
}
