internal import ProctorJournal
internal import ProctorScript

/// The replies in the bytes that a script sends step by step, for the journal.
struct SteppedReplies {
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

    init(to method: [UInt8]) {
        self.method = method
    }

    /// The replies whose heads the step completes; to be asked before its bytes are sent.
    mutating func begun(by step: ScriptStep) -> [SentReply] {
        switch step {
        case .send(let sent): take(sent)
        case .close, .reset, .halfClose, .stall: rest()
        case .wait, .await, .read: []
        }
    }

    /// A reply that can't be read, where bytes were sent that belong to no other.
    mutating func rest() -> [SentReply] {
        guard !isOver, bytes.count > notedByteCount else { return [] }
        isOver = true
        return [SentReply(status: nil, fields: nil, headByteCount: nil, content: nil)]
    }

    private mutating func take(_ sent: [UInt8]) -> [SentReply] {
        guard !isOver else { return [] }
        bytes += sent
        stepCount += 1
        let found = RepliesRead.heads(in: bytes, to: method).dropFirst(notedCount)
        notedCount += found.count
        if let last = found.last {
            notedByteCount = last.offset + (last.reply.headByteCount ?? 0)
            isOver = !last.reply.isInterim
        }
        let isLong = bytes.count > Self.byteLimit || stepCount >= Self.stepLimit
        return found.map(\.reply) + (isLong ? rest() : [])
    }
}
