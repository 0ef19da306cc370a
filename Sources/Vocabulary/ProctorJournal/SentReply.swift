internal import ProctorBase
public import ProctorHTTP
internal import Synchronization

/// A reply, or an interim reply, as its plan has it: what a client receives when all of it is sent.
///
/// One object is used for every request that is answered with the same bytes, unless they were made for one request; its
/// values never change.
public final class SentReply: Sendable {
    /// The status; nil where raw bytes hold no complete head that can be read.
    public let status: Int?
    /// The fields in the order and with the bytes of the wire; nil where `status` is.
    public let fields: FieldSection?
    /// Bytes of the status line, the fields and the empty line; nil where `status` is.
    package let headByteCount: Int?
    /// The content as a client has it in the end, without chunks and content codings; nil where it is unknown.
    public let content: SentContent?
    /// The content with its content codings; nil where there are none, or where it is unknown.
    public let codedContent: SentContent?
    /// Whether at most one entry of a journal refers to it.
    package let isOfOneRequest: Bool
    /// The sequence number of the earlier entry whose line has the content, where a line names that in place of it; nil
    /// once the line is read, and on a server.
    package let contentOf: Int?
    /// The entry of a file that has the content; see ``earlierEntry(with:at:)``.
    private let fileEntry = Atomic<UInt64>(0)
    /// The members of a journal's line, which is written for each request.
    private let members = KeptMembers()

    /// `codedContent` is given only where it differs from `content`.
    package init(
        status: Int?, fields: FieldSection?, headByteCount: Int?, content: SentContent?,
        codedContent: SentContent? = nil, isOfOneRequest: Bool = false, contentOf: Int? = nil
    ) {
        (self.contentOf, self.status, self.fields, self.headByteCount) = (contentOf, status, fields, headByteCount)
        (self.content, self.codedContent, self.isOfOneRequest) = (content, codedContent, isOfOneRequest)
    }

    /// Whether a final reply is still to come: 1xx except 101 (RFC 9110 §15.2).
    public var isInterim: Bool { status.map(ReplyHead.isInterim) ?? false }

    /// Writes the members of ``JournalTable/replyBegun``; any thread.
    func appendMembers(to json: inout JSONText) {
        members.append(to: &json) { JournalTable.replyBegun.write(self, to: &$0) }
    }

    /// The approximate number of bytes that the reply keeps in memory.
    package var keptByteCount: Int {
        (headByteCount ?? 0) + (content?.kept.count ?? 0) + (codedContent?.kept.count ?? 0)
    }
}

extension SentReply {
    /// Bytes of content from which on a file has it once for all entries of a journal.
    private static let sharedByteCount = 1 << 10

    /// Whether lines name its content where an earlier line has it.
    var isShared: Bool {
        !isOfOneRequest && (content?.kept.count ?? 0) + (codedContent?.kept.count ?? 0) >= Self.sharedByteCount
    }

    /// The earlier entry of a journal whose line has the content; nil where the line of `sequence` is to have it.
    ///
    /// That is remembered, so it is to be called in the order of the lines.
    func earlierEntry(with encoder: borrowing JournalEncoder, at sequence: UInt64) -> UInt64? {
        let known = fileEntry.load(ordering: .relaxed)
        if known >> 32 == encoder.number { return known & UInt64(UInt32.max) }
        guard sequence <= UInt32.max else { return nil }
        fileEntry.store(UInt64(encoder.number) << 32 | sequence, ordering: .relaxed)
        return nil
    }

    /// Returns the same reply, of whose content the line names the entry that has it.
    func naming(contentOf sequence: UInt64) -> SentReply {
        SentReply(
            status: status, fields: fields, headByteCount: headByteCount, content: nil,
            contentOf: Int(clamping: sequence))
    }

    /// Returns the same reply with the content that its line names.
    func having(contentOf other: SentReply?) -> SentReply {
        SentReply(
            status: status, fields: fields, headByteCount: headByteCount, content: other?.content,
            codedContent: other?.codedContent)
    }
}

extension SentReply: Equatable {
    /// Two replies are equal when a client receives the same.
    public static func == (left: SentReply, right: SentReply) -> Bool {
        left === right
            || left.status == right.status && left.fields == right.fields && left.headByteCount == right.headByteCount
                && left.content == right.content && left.codedContent == right.codedContent
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
    package static let keptByteLimit = 64 << 10

    /// No content.
    package static let empty = SentContent(byteCount: 0, kept: [])

    /// `kept` is the beginning of the content, or all of it.
    package init(byteCount: Int, kept: [UInt8], sha256: String? = nil) {
        (self.byteCount, self.kept, self.sha256) = (byteCount, kept, sha256)
    }

    /// Whether every byte is kept.
    public var isWhole: Bool { kept.count == byteCount }
}
