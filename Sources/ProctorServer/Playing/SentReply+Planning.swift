internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

extension ReplyPlanner {
    /// What a client is told by a reply of which we know every part.
    ///
    /// `head` is the draft's, `hasContent` is false where method or status leave the content out, and `steps` are all of
    /// the reply.
    func sentReply(
        _ draft: ReplyDraft, _ head: [UInt8], hasContent: Bool, of message: StructuredReply, _ steps: [ReplyPlan.Step]
    ) -> SentReply {
        let (content, coded) = sentContent(draft, head, hasContent: hasContent, of: message, steps)
        return SentReply(
            status: draft.status, fields: FieldSection(draft.lines.map { ($0.name, $0.value) }),
            headByteCount: head.count, content: content, codedContent: coded)
    }

    /// The content as a client has it and, where they differ, with its codings.
    private func sentContent(
        _ draft: ReplyDraft, _ head: [UInt8], hasContent: Bool, of message: StructuredReply, _ steps: [ReplyPlan.Step]
    ) -> (SentContent?, SentContent?) {
        guard hasContent else { return (.empty, nil) }
        let method = Array(request.head.methodBytes)
        guard let read = try? ReplyHead(parsing: head, replyingTo: method) else { return (nil, nil) }
        let pieces: [ContentPiece]
        switch read.framing {
        case .none: return (.empty, nil)
        case .tunnel: return (nil, nil)
        case .length(let byteCount): pieces = draft.content.pieces(of: 0..<min(byteCount, draft.content.byteCount))
        case .untilClose: pieces = draft.content.pieces
        case .chunked:
            guard case .chunked = draft.framing else {
                // The fixture has written the chunks itself.
                let found = RepliesRead(head, draft.content, to: request.head.methodBytes).replies.last
                return (found?.reply.content, found?.reply.codedContent)
            }
            pieces = draft.content.pieces
        }
        guard !steps.sendsBetween(untilClose: read.framing == .untilClose) else { return (nil, nil) }
        let sent = SentContent(reading: pieces)
        guard read.fields.namesCodings else { return (sent, nil) }
        guard draft.isWhole, let coding = message.coding, case .names = coding.label, let coded, coded.content != nil,
            coded.variant.steps.allSatisfy(\.isWellFormed), !message.headers.contains(where: { $0.namesCoding })
        else { return (nil, sent) }
        return (SentContent(reading: bodyPieces(of: message)), sent)
    }

    /// What a client is told by raw bytes, as far as they stand in memory: interim replies, and the final one.
    func sentReplies(inRaw content: ContentWalk, _ steps: [ReplyPlan.Step]) -> [BegunReply] {
        let found = RepliesRead([], content, to: request.head.methodBytes).replies
        guard !found.isEmpty else {
            return [BegunReply(offset: 0, SentReply(status: nil, fields: nil, headByteCount: nil, content: nil))]
        }
        guard steps.sendsBetween(untilClose: true) else { return found }
        return found.map { $0.withoutContent }
    }
}

/// A reply and where its first byte stands among those of its plan, without those that effects send.
struct BegunReply: Sendable {
    let offset: Int
    let reply: SentReply

    init(offset: Int, _ reply: SentReply) {
        self.offset = offset
        self.reply = reply
    }

    fileprivate var withoutContent: BegunReply {
        BegunReply(
            offset: offset,
            SentReply(
                status: reply.status, fields: reply.fields, headByteCount: reply.headByteCount,
                content: reply.isInterim ? reply.content : nil))
    }
}

/// Replies as they stand on the wire, read as a client reads them.
private struct RepliesRead {
    /// Interim ones first; nothing behind the final one.
    private(set) var replies: [BegunReply] = []

    /// Longer ones are read as far as this.
    private static let byteLimit = 1 << 20

    /// Reads `start` and the content behind it, which is taken for the wire.
    init(_ start: [UInt8], _ content: ContentWalk, to method: ArraySlice<UInt8>) {
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

    private mutating func read(_ bytes: [UInt8], isWhole: Bool, to method: ArraySlice<UInt8>) {
        var reader = ReplyReader()
        reader.expectReply(to: Array(method))
        var offset = 0
        var start = 0
        var final: (head: ReplyHead, offset: Int)?
        var content: [UInt8] = []
        var isClean = true
        var hasEnded = false
        while !hasEnded {
            guard let event = reader.next(bytes.span, at: &offset) ?? (isWhole ? reader.end() : nil) else { break }
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
            case .violation: isClean = false
            case .end: hasEnded = true
            case .chunk, .trailers: break
            }
        }
        guard let final else { return }
        let isKnown = isClean && hasEnded && final.head.framing != .tunnel
        let sent = isKnown ? SentContent(reading: [ContentPiece(content)]) : nil
        let reply =
            final.head.fields.namesCodings && !content.isEmpty
            ? SentReply(final.head, nil, coded: sent) : SentReply(final.head, sent)
        replies.append(BegunReply(offset: final.offset, reply))
    }
}

extension SentReply {
    convenience init(_ head: ReplyHead, _ content: SentContent?, coded: SentContent? = nil) {
        self.init(
            status: head.status, fields: head.fields, headByteCount: head.bytes.count, content: content,
            codedContent: coded)
    }
}

extension [ReplyPlan.Step] {
    /// Whether an effect sends bytes that a client takes for part of the reply.
    ///
    /// Those at the end stand behind the content, where that does not run until close.
    fileprivate func sendsBetween(untilClose: Bool) -> Bool {
        contains { step in
            guard case .effect(.send, let position) = step else { return false }
            return untilClose || position != Effect.Position.end.text
        }
    }
}

extension FieldSection {
    /// Whether a client has codings to undo, other than chunks.
    fileprivate var namesCodings: Bool {
        contains { line in
            let isContent = line.name.isNamed("content-encoding")
            guard isContent || line.name.isNamed("transfer-encoding") else { return false }
            return line.value.split(separator: UInt8(ascii: ",")).contains { element in
                let name = ReplyFields.trimmed(element)[...]
                return !name.isEmpty && !name.isNamed(isContent ? "identity" : "chunked")
            }
        }
    }
}

extension CodingStep {
    /// Whether every client that knows the coding has the same content.
    fileprivate var isWellFormed: Bool {
        !isRaw && !hasWrongChecksum && missingByteCount == 0 && trailing.isEmpty
    }
}

extension ReplyField {
    fileprivate var namesCoding: Bool {
        let name = Array(name)[...]
        return name.isNamed("content-encoding") || name.isNamed("transfer-encoding")
    }
}

extension ArraySlice<UInt8> {
    /// ASCII case aside (RFC 9110 §5.1).
    fileprivate func isNamed(_ other: String) -> Bool {
        count == other.utf8.count && zip(self, other.utf8).allSatisfy { $0.asciiLowercased == $1 }
    }
}
