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

    /// The range of the reason phrase in `bytes`.
    public var reasonRange: Range<Int> { parts.line.reasonRange }

    /// Whether a reply with the status is interim; 101 is final, for HTTP ends with it.
    package static func isInterim(_ status: Int) -> Bool { 100..<200 ~= status && status != 101 }

    /// Whether a reply with the status has no content, whatever its fields say (RFC 9112 §6.3).
    package static func hasNoContent(_ status: Int) -> Bool {
        100..<200 ~= status || status == 204 || status == 304
    }
}

extension ReplyHead {
    /// Reads one complete head and leaves bytes after it alone.
    ///
    /// Throws the fatal violation, or `incomplete-head` when the bytes end too early.
    public init(
        parsing bytes: [UInt8], replyingTo method: [UInt8] = Array("GET".utf8), limits: ReplyLimits = ReplyLimits()
    ) throws(Violation) {
        var reader = ReplyReader(limits: limits)
        reader.expectReply(to: method)
        var offset = 0
        while let event = reader.next(bytes.span, at: &offset) {
            switch event {
            case .head(let head):
                self = head
                return
            case .violation(let violation) where violation.isFatal: throw violation
            case .content, .chunk, .trailers, .violation, .end: continue
            }
        }
        throw Violation(.incompleteHead, in: .reply, at: bytes.count, bound: bytes.count)
    }
}

/// Where a reply's content ends (RFC 9112 §6.3), by method, status and fields together.
public enum ReplyFraming: Sendable, Hashable {
    /// No content whatever the fields say: 1xx, 204, 304, and every reply to HEAD.
    case none
    /// Content-Length, in bytes; zero is a length too.
    case length(Int)
    /// Transfer-Encoding with `chunked` as its only coding.
    case chunked
    /// Neither: the content ends where the peer closes, and a cut cannot be told from its end.
    case untilClose
    /// HTTP ends with this head: 101, and 2xx to CONNECT.
    case tunnel

    /// How the content is read.
    var content: ContentReader.State {
        switch self {
        case .none: .done
        case .length(let byteCount): .length(byteCount)
        case .chunked: .chunkLine
        case .untilClose: .untilClose(isTunnel: false)
        case .tunnel: .untilClose(isTunnel: true)
        }
    }
}
