public import ProctorHTTP

/// A reply, or an interim reply, as its plan has it: what a client is told when all of it goes out.
///
/// One object stands for every request that is answered with the same bytes; what it refers to never changes.
public final class SentReply: Sendable {
    /// nil where raw bytes hold no complete head that can be read.
    public let status: Int?
    /// In the order and with the bytes of the wire; nil where `status` is.
    public let fields: FieldSection?
    /// Status line, fields and the empty line; nil where `status` is.
    public let headByteCount: Int?
    /// What a client has of it in the end, without chunks and content codings; nil where that can't be known.
    public let content: SentContent?
    /// The content before content codings are undone; nil where there are none, or where it can't be known.
    public let codedContent: SentContent?

    /// `codedContent` is given only where it differs from `content`.
    public init(
        status: Int?, fields: FieldSection?, headByteCount: Int?, content: SentContent?,
        codedContent: SentContent? = nil
    ) {
        self.status = status
        self.fields = fields
        self.headByteCount = headByteCount
        self.content = content
        self.codedContent = codedContent
    }

    /// Whether a final reply is still to come: 1xx but 101 (RFC 9110 §15.2).
    public var isInterim: Bool { status.map(ReplyHead.isInterim) ?? false }

    /// About how many bytes the reply keeps in memory.
    public var keptByteCount: Int {
        (headByteCount ?? 0) + (content?.kept.count ?? 0) + (codedContent?.kept.count ?? 0)
    }
}

extension SentReply: Equatable {
    /// Two are equal when a client is told the same.
    public static func == (left: SentReply, right: SentReply) -> Bool {
        left === right
            || left.status == right.status && left.fields == right.fields
                && left.headByteCount == right.headByteCount && left.content == right.content
                && left.codedContent == right.codedContent
    }
}

/// The content of a reply that is sent, as far as it is kept.
public struct SentContent: Sendable, Equatable {
    /// Bytes of the whole content.
    public let byteCount: Int
    /// The first bytes, at most ``keptByteLimit``.
    public let kept: [UInt8]
    /// The hash of the whole content, as lower-case hexadecimal digits; nil where `kept` is all of it, and where the content is longer
    /// than a server hashes.
    public let sha256: String?

    /// Bytes of content that are kept.
    public static let keptByteLimit = 64 << 10

    /// No content.
    public static let empty = SentContent(byteCount: 0, kept: [])

    /// `kept` is the beginning of the content, or all of it.
    public init(byteCount: Int, kept: [UInt8], sha256: String? = nil) {
        self.byteCount = byteCount
        self.kept = kept
        self.sha256 = sha256
    }

    /// Whether every byte is kept.
    public var isWhole: Bool { kept.count == byteCount }
}
