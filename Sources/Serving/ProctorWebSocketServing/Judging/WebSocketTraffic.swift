internal import ProctorGrading
internal import ProctorJournal

/// What one side sent on the WebSocket of one exchange, up to its first Close frame.
struct WebSocketTraffic {
    private(set) var messages: [Message] = []
    /// 1005 for a Close frame without a code; nil where none was sent.
    private(set) var closeCode: Int?
    /// nil where it was not kept whole, or is no UTF-8.
    private(set) var closeReason: String?
    /// Whether these are all messages; false behind a frame that the other side must refuse, or of which the journal does
    /// not say what it completes.
    private(set) var isAll = true

    struct Message {
        let isText: Bool
        let byteCount: Int
        /// nil where they were not kept whole.
        let bytes: [UInt8]?

        /// As `messages` of a `result` has it; nil where it is unknown.
        var text: String? {
            guard let bytes else { return nil }
            guard isText else {
                return "binary " + bytes.hexadecimal
            }
            return String(validating: bytes, as: UTF8.self).map { "text \($0)" }
        }
    }

    /// nil where no WebSocket was opened, or where bytes of an effect may stand among the frames.
    init?(_ exchange: SeenExchange, of load: ContentLoad, by party: JournalEvent.Party) {
        guard !exchange.hasBytesOfEffects else { return nil }
        var isOpen = false
        for event in load.webSocketEvents(of: exchange) {
            switch event {
            case .opened: isOpen = true
            case .frame(let frame): if frame.party == party, closeCode == nil { read(frame) }
            // Where the client's frames are wrong, the server reads no more of them as they were meant.
            case .violation(let violation): if party == .client, violation.part == .frames { isAll = false }
            case .expected: break
            }
        }
        guard isOpen else { return nil }
    }

    private mutating func read(_ frame: WebSocketFrameNote) {
        let isControl = ["close", "ping", "pong"].contains(frame.opcode)
        if frame.violation != nil || frame.message == nil && frame.flags.contains("FIN") { isAll = false }
        guard let message = frame.message, isAll || isControl else { return }
        let isWhole = message.kept.count == message.byteCount
        switch message.kind {
        case .text, .binary:
            let read = Message(
                isText: message.kind == .text, byteCount: message.byteCount, bytes: isWhole ? message.kept : nil)
            // A text that is no UTF-8 is refused (RFC 6455 §8.1).
            if read.isText, isWhole, read.text == nil { isAll = false } else { messages.append(read) }
        case .close:
            closeCode = message.code ?? 1005
            closeReason = String(validating: message.kept, as: UTF8.self)
        case .ping, .pong: break
        }
    }

    /// The Pings of the client that a Pong of the server answers: one answers those before its own too (RFC 6455 §5.5.3).
    static func answeredPingCount(_ exchange: SeenExchange, of load: ContentLoad) -> Int {
        var (count, waiting): (Int, [[UInt8]]) = (0, [])
        for case .frame(let frame) in load.webSocketEvents(of: exchange) {
            guard let message = frame.message else { continue }
            switch (message.kind, frame.party) {
            case (.ping, .client): waiting.append(message.kept)
            case (.pong, .server):
                guard let index = waiting.firstIndex(of: message.kept) else { break }
                count += index + 1
                waiting.removeFirst(index + 1)
            default: break
            }
        }
        return count
    }
}

extension ContentLoad {
    /// What came and went on the WebSocket of one of its exchanges, in order.
    fileprivate func webSocketEvents(of exchange: SeenExchange) -> [WebSocketNote.Event] {
        gathered(SeenWebSockets.self)?.events(of: exchange.number) ?? []
    }
}
