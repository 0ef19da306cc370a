internal import ProctorBase

/// A status line and its field section, and how the reply's content ends.
///
/// A reference to an immutable object, cheap to pass and to store.
public struct ReplyHead: Sendable, Equatable {
    private let parts: Parts

    private final class Parts: Sendable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }
    }

    private struct Facts: Sendable, Equatable {
        let fields: FieldSection
        let precedingByteCount: Int
        let line: StatusLine
        let framing: ReplyFraming
        let keepsConnection: Bool
        let violations: [Violation]
    }

    /// `fields` refer to the bytes of the whole head, which the limits keep within 32 bits.
    init(
        fields: FieldSection, precedingByteCount: Int, line: StatusLine, meaning: ReplyMeaning, violations: [Violation]
    ) {
        parts = Parts(
            Facts(
                fields: fields, precedingByteCount: precedingByteCount, line: line, framing: meaning.framing,
                keepsConnection: meaning.keepsConnection, violations: violations))
    }

    /// A head without violations, whose connection stays open.
    init(fields: FieldSection, line: StatusLine, framing: ReplyFraming) {
        parts = Parts(
            Facts(
                fields: fields, precedingByteCount: 0, line: line, framing: framing, keepsConnection: true,
                violations: []))
    }

    /// Compares the bytes and their meaning.
    public static func == (left: ReplyHead, right: ReplyHead) -> Bool {
        left.parts === right.parts || left.parts.facts == right.parts.facts
    }
}

extension ReplyHead {
    /// Bytes of the empty lines before the version; offsets of violations include them, the ranges here do not.
    package var precedingByteCount: Int { parts.facts.precedingByteCount }

    /// 1.x, or HTTP/2 of a reply that came on a stream; other major versions are refused.
    public var version: HTTPVersion { parts.facts.line.version }

    /// 0...999, as sent; treat values outside 100...599 as 5xx (RFC 9110 §15).
    public var status: Int { parts.facts.line.status }

    /// A copy of the reason phrase; often empty, and clients should ignore it (RFC 9112 §4).
    public var reason: [UInt8] { Array(bytes[parts.facts.line.reasonRange]) }

    /// The header fields in the order of their lines.
    public var fields: FieldSection { parts.facts.fields }

    package var framing: ReplyFraming { parts.facts.framing }

    /// Whether a final reply follows: 1xx except 101, after which the connection is no longer HTTP (RFC 9110 §15.2).
    package var isInterim: Bool { Self.isInterim(status) }

    /// Whether another request may follow on the connection (RFC 9112 §9.3); false also if the content runs until
    /// close.
    package var keepsConnection: Bool { parts.facts.keepsConnection }

    package var violations: [Violation] { parts.facts.violations }

    /// The received bytes, from the version to the empty line with its line end.
    package var bytes: [UInt8] { fields.bytes }

    package var reasonRange: Range<Int> { parts.facts.line.reasonRange }

    /// 101 is final, since HTTP ends with it.
    package static func isInterim(_ status: Int) -> Bool { 100..<200 ~= status && status != 101 }

    /// Whether replies with the status have no content, whatever their fields (RFC 9112 §6.3).
    package static func hasNoContent(_ status: Int) -> Bool {
        100..<200 ~= status || status == 204 || status == 304
    }
}

extension ReplyHead {
    /// Reads one complete head and ignores bytes after it.
    ///
    /// Throws the fatal violation, or `incomplete-head` if the bytes end too early.
    package init(
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
            case .refused(let violation): throw violation
            case .content, .chunk, .trailers, .violation, .end: continue
            }
        }
        throw Violation(.incompleteHead, in: .reply, at: bytes.count, bound: bytes.count)
    }
}

/// How a reply's content ends (RFC 9112 §6.3), by method, status and fields.
package enum ReplyFraming: Sendable, Hashable {
    /// No content, whatever the fields: 1xx, 204, 304, and replies to HEAD.
    case none
    /// Content-Length, in bytes; may be zero.
    case length(Int)
    /// Transfer-Encoding with `chunked` as its only coding.
    case chunked
    /// The content ends where the peer closes; a truncated reply looks the same.
    case untilClose
    /// HTTP ends with this head: 101, and 2xx to CONNECT.
    case tunnel
    /// The end of a stream ends the content (RFC 9113 §8.1).
    case stream

    var content: ContentState {
        switch self {
        // No reader of HTTP/1.1 reads a stream.
        case .none, .stream: .done
        case .length(let byteCount): .length(byteCount)
        case .chunked: .chunkLine
        case .untilClose: .untilClose(isTunnel: false)
        case .tunnel: .untilClose(isTunnel: true)
        }
    }
}
