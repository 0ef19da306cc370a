internal import ProctorBase
internal import ProctorCoding
internal import ProctorCrypto
package import ProctorHTTP
package import ProctorJournal
internal import ProctorScenario

extension ReplyPlan {
    /// What a client receives from a structured reply, laid out as bytes; `steps` are all of it.
    func sentReply(_ message: Structured, head: [UInt8], _ steps: [LaidOutReply.Step]) -> SentReply {
        // The content decoded and, where different, as coded.
        func reply(_ content: SentContent? = nil, coded: SentContent? = nil) -> SentReply {
            message.head.sent(content: content, coded: coded, headByteCount: head.count)
        }
        guard message.hasContent else { return reply(.empty) }
        guard let read = try? ReplyHead(parsing: head, replyingTo: method) else { return reply() }
        let content = message.content
        let pieces: [ContentPiece]
        switch read.framing {
        case .none: return reply(.empty)
        case .tunnel: return reply()
        case .length(let byteCount): pieces = content.pieces(of: 0..<min(byteCount, content.byteCount))
        // A head that was parsed is never of a stream.
        case .untilClose, .stream: pieces = content.pieces
        case .chunked:
            guard message.chunks != nil else {
                // The fixture has written the chunks itself.
                let last = RepliesRead(head, content, to: method).replies.last
                return reply(last?.reply.content, coded: last?.reply.codedContent)
            }
            pieces = content.pieces
        }
        guard !steps.sendsBetween(untilClose: read.framing == .untilClose) else { return reply() }
        let sent = SentContent(reading: pieces)
        guard read.fields.namesCodings else { return reply(sent) }
        return reply(message.uncoded.flatMap { SentContent(reading: $0) }, coded: sent)
    }
}

extension ReplyPlanner {
    /// The content as a client has it after it has undone the reply's coding; nil where that can't be told.
    func contentBeforeCoding(_ draft: ReplyDraft, of message: StructuredReply) -> [ContentPiece]? {
        guard draft.isWhole, let coding = message.coding, case .names = coding.label, let coded, coded.content != nil,
            coded.variant.steps.allSatisfy(\.isWellFormed), !message.headers.contains(where: { $0.namesCoding })
        else { return nil }
        return bodyPieces(of: message)
    }
}

/// A reply and the offset of its first byte in its plan, without bytes of effects.
package struct BegunReply: Sendable {
    package let offset: Int
    package let reply: SentReply

    package init(offset: Int, _ reply: SentReply) {
        (self.offset, self.reply) = (offset, reply)
    }
}

/// Replies in raw bytes, parsed as a client parses them.
struct RepliesRead {
    /// Interim replies and the final one; nothing after it.
    private(set) var replies: [BegunReply] = []

    /// Longer replies are parsed up to here.
    private static let byteLimit = 1 << 20

    /// The interim replies and the final one in raw bytes, as far as those are in memory.
    static func replies(
        inRaw content: ReplyContent, _ steps: [LaidOutReply.Step], to method: [UInt8]
    ) -> [BegunReply] {
        let replies = RepliesRead([], content, to: method).replies
        guard !replies.isEmpty else {
            return [BegunReply(offset: 0, SentReply(status: nil, fields: nil, headByteCount: nil, content: nil))]
        }
        guard steps.sendsBetween(untilClose: true) else { return replies }
        return replies.map { begun in
            let reply = begun.reply
            return BegunReply(
                offset: begun.offset,
                SentReply(
                    status: reply.status, fields: reply.fields, headByteCount: reply.headByteCount,
                    content: reply.isInterim ? reply.content : nil))
        }
    }

    /// The replies whose heads are in the bytes; content that more bytes may follow is left out.
    static func heads(in bytes: [UInt8], to method: [UInt8]) -> [BegunReply] {
        var read = RepliesRead()
        read.read(bytes, isWhole: false, to: method)
        return read.replies
    }

    private init() {}

    /// Parses `start` and the content after it as the bytes of a connection.
    fileprivate init(_ start: [UInt8], _ content: ReplyContent, to method: [UInt8]) {
        var bytes = start
        var isWhole = true
        for piece in content.pieces {
            guard case .bytes(let all) = piece.source, bytes.count + piece.range.count <= Self.byteLimit else {
                isWhole = false
                break
            }
            bytes += all[piece.range]
        }
        read(bytes, isWhole: isWhole, to: method)
    }

    /// A fixture may send what most clients refuse; ``byteLimit`` bounds all of it.
    private static let limits = ReplyLimits(
        statusLineByteCount: byteLimit, fieldLineByteCount: byteLimit, fieldCount: 100_000, headByteCount: byteLimit,
        interimCount: 10_000)

    private mutating func read(_ bytes: [UInt8], isWhole: Bool, to method: [UInt8]) {
        var reader = ReplyReader(limits: Self.limits)
        reader.expectReply(to: method)
        var offset = 0
        var start = 0
        var final: (head: ReplyHead, offset: Int)?
        var content: [UInt8] = []
        var isClean = true
        var hasEnded = false
        while !hasEnded {
            guard let event = reader.next(bytes.span, at: &offset) ?? (isWhole ? reader.finish() : nil) else { break }
            switch event {
            case .head(let head):
                start += head.precedingByteCount
                isClean = isClean && head.violations.isEmpty
                if head.isInterim {
                    replies.append(BegunReply(offset: start, SentReply(head, .empty)))
                } else {
                    final = (head, start)
                }
                start = offset
            case .content(let range): content += bytes[range]
            case .violation, .refused: isClean = false
            case .end: hasEnded = true
            case .chunk, .trailers: break
            }
        }
        guard let final else { return }
        let isKnown = isClean && hasEnded && final.head.framing != .tunnel
        let sent = isKnown ? SentContent(reading: [ContentPiece(content)]) : nil
        let reply =
            final.head.fields.namesCodings && !content.isEmpty
            ? SentReply(final.head, coded: sent) : SentReply(final.head, sent)
        replies.append(BegunReply(offset: final.offset, reply))
    }
}

extension SentReply {
    package convenience init(_ head: ReplyHead, _ content: SentContent? = nil, coded: SentContent? = nil) {
        self.init(
            status: head.status, fields: head.fields, headByteCount: head.bytes.count, content: content,
            codedContent: coded)
    }
}

extension [LaidOutReply.Step] {
    /// Whether an effect sends bytes that a client takes for part of the reply.
    ///
    /// Effects at the end follow the content, unless that ends with the connection.
    fileprivate func sendsBetween(untilClose: Bool) -> Bool {
        contains { step in
            guard case .effect(.send, let position) = step else { return false }
            return untilClose || position != Effect.Position.end.text
        }
    }
}

extension FieldSection {
    var namesCodings: Bool {
        contains { line in
            let isContent = line.name.isNamed("content-encoding")
            guard isContent || line.name.isNamed("transfer-encoding") else { return false }
            return line.value.split(separator: UInt8(ascii: ",")).contains { element in
                let name = ReplyFields.trimmed(element)
                return !name.isEmpty && !name.isNamed(isContent ? "identity" : "chunked")
            }
        }
    }
}

extension CodingStep {
    /// Whether every client that knows the coding gets the same content.
    fileprivate var isWellFormed: Bool {
        !isRaw && !hasWrongChecksum && missingByteCount == 0 && trailing.isEmpty
    }
}

extension ReplyField {
    fileprivate var namesCoding: Bool {
        name.isNamed("content-encoding") || name.isNamed("transfer-encoding")
    }
}

extension SentContent {
    /// Reads the beginning of the content, and all of it where it is short enough to be hashed; blocks on disk reads.
    ///
    /// Nil where a file can't be read.
    package init?(reading pieces: [ContentPiece]) {
        let byteCount = pieces.reduce(0) { $0 + $1.range.count }
        if pieces.count == 1, case .bytes(let bytes) = pieces[0].source, pieces[0].range == bytes.indices,
            bytes.count <= Self.keptByteLimit
        {
            // Shared with the plan, not copied.
            self.init(byteCount: byteCount, kept: bytes)
            return
        }
        let isHashed = byteCount > Self.keptByteLimit && byteCount <= Self.hashedByteLimit
        let wanted = isHashed ? byteCount : min(byteCount, Self.keptByteLimit)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(wanted)
        for piece in pieces where bytes.count < wanted {
            let count = min(piece.range.count, wanted - bytes.count)
            let part = ContentPiece(piece.source, piece.range.lowerBound..<piece.range.lowerBound + count)
            guard (try? part.read { bytes.append($0) }) != nil else { return nil }
        }
        self.init(
            byteCount: byteCount, kept: Array(bytes.prefix(Self.keptByteLimit)),
            sha256: isHashed ? Self.sha256(bytes) : nil)
    }

    /// To hash longer content would block the loop.
    private static let hashedByteLimit = 1 << 20

    private static let hasher = OpenSSLHasher()

    /// nil where the system's OpenSSL refuses SHA-256.
    private static func sha256(_ bytes: [UInt8]) -> String? {
        var hash: [UInt8] = []
        hasher.appendHash(.sha256, of: bytes.span, to: &hash)
        guard !hash.isEmpty else { return nil }
        return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
