package import ProctorJournal
package import ProctorScenario

/// The replies in the bytes that a script sends step by step, for the journal.
package struct SteppedReplies {
    private let method: [UInt8]
    private var bytes: [UInt8] = []
    private var stepCount = 0
    private var notedCount = 0
    /// Bytes up to the end of the last head that was noted.
    private var notedByteCount = 0
    /// Whether a final reply was noted, so that nothing behind it is one.
    private var isOver = false

    /// A head that is not complete within so many bytes and steps counts as unreadable.
    private static let byteLimit = 64 << 10
    private static let stepLimit = 100

    package init(to method: [UInt8]) {
        self.method = method
    }

    /// The replies whose heads the step completes; to be asked before its bytes are sent.
    package mutating func begun(by action: Effect.Action) -> [SentReply] {
        if case .send(.literal(let sent)) = action { return readReplies(sent) }
        return action.row.ends.cutsReply() ? rest() : []
    }

    /// A reply that can't be read, where bytes were sent that belong to no other.
    package mutating func rest() -> [SentReply] {
        guard !isOver, bytes.count > notedByteCount else { return [] }
        isOver = true
        return [SentReply(status: nil, fields: nil, headByteCount: nil, content: nil)]
    }

    private mutating func readReplies(_ sent: [UInt8]) -> [SentReply] {
        guard !isOver else { return [] }
        bytes += sent
        stepCount += 1
        let heads = RepliesRead.heads(in: bytes, to: method).dropFirst(notedCount)
        notedCount += heads.count
        if let last = heads.last {
            notedByteCount = last.offset + (last.reply.headByteCount ?? 0)
            isOver = !last.reply.isInterim
        }
        let isLong = bytes.count > Self.byteLimit || stepCount >= Self.stepLimit
        return heads.map(\.reply) + (isLong ? rest() : [])
    }
}
