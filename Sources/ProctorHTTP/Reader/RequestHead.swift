/// A request line and its field section, with what they mean for reading on.
public struct RequestHead: Sendable, Equatable {
    /// Bytes of empty lines that came before the method; violation offsets count them, the ranges here do not.
    public let precedingByteCount: Int
    private let storedMethod: Range<UInt32>
    private let storedTarget: Range<UInt32>
    /// 1.x always; other major versions are refused.
    public let version: HTTPVersion
    /// Which of the four forms the target has.
    public let form: TargetForm
    /// The header section, over the same bytes.
    public let fields: FieldSection
    /// Where the content ends, Transfer-Encoding before Content-Length.
    public let framing: BodyFraming
    /// Whether the peer will take another request on this connection (RFC 9112 §9.3, for both versions).
    public let keepsAlive: Bool
    /// Whether the peer waits for a 100 before it sends content (RFC 9110 §10.1.1); never true for HTTP/1.0.
    public let expectsContinue: Bool
    /// What can be read over, in order of offset.
    public let violations: [Violation]

    /// `fields` stand over the bytes of the whole head, which the limits keep within 32 bits.
    init(
        fields: FieldSection, precedingByteCount: Int, line: RequestLine, meaning: HeadMeaning, violations: [Violation]
    ) {
        self.fields = fields
        self.precedingByteCount = precedingByteCount
        self.storedMethod = Range(truncating: line.methodRange)
        self.storedTarget = Range(truncating: line.targetRange)
        self.version = line.version
        self.form = line.form
        self.framing = meaning.framing
        self.keepsAlive = meaning.keepsAlive
        self.expectsContinue = meaning.expectsContinue
        self.violations = violations
    }
}

extension RequestHead {
    /// Exactly what arrived, from the method to the empty line and its line end.
    public var bytes: [UInt8] { fields.bytes }

    /// Into `bytes`.
    public var methodRange: Range<Int> { Int(storedMethod.lowerBound)..<Int(storedMethod.upperBound) }

    /// Into `bytes`.
    public var targetRange: Range<Int> { Int(storedTarget.lowerBound)..<Int(storedTarget.upperBound) }

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
