internal import ProctorBase
internal import ProctorJournal
internal import ProctorScenario
internal import ProctorServing

extension WebSocketScript: ServedWebSocket {
    func makeLead(keeping room: Int, sendsTurns: Bool) throws(ConnectionEnd) -> any WebSocketBeginning {
        try WebSocketLead(self, keeping: room, sendsTurns: sendsTurns)
    }
}

/// The frames of the first turns, which go out in one write with the head of the reply.
final class WebSocketLead: WebSocketBeginning {
    private let script: WebSocketScript
    let output: WebSocketOutput
    let written: WebSocketOutput.Written
    let turnCount: Int

    /// More bytes than these go out behind the head.
    private static let byteBound = 16 << 10

    fileprivate init(_ script: WebSocketScript, keeping room: Int, sendsTurns: Bool) throws(ConnectionEnd) {
        let output = WebSocketOutput(script, keeping: room)
        var written = WebSocketOutput.Written()
        var turnCount = 0
        for turn in script.turns where sendsTurns {
            guard written.bytes.count + turn.sentByteCount <= Self.byteBound, try output.appendTurn(turn, to: &written)
            else { break }
            turnCount += 1
        }
        (self.script, self.output, self.written, self.turnCount) = (script, output, written, turnCount)
    }

    var bytes: [UInt8] { written.bytes }

    func converse(
        on wire: any ConversationWire, _ log: RequestLog, by player: ReplyPlayer?, for request: ConversationRequest?
    ) -> any HeldWebSocket {
        WebSocketConversation(script, on: wire, log, by: player, behind: self, for: request)
    }
}

extension WebSocketTurn {
    /// The bytes of the payload; `.max` where the turn does not send alone.
    fileprivate var sentByteCount: Int {
        switch self {
        case .send(let message): message.content.byteCount ?? .max / 2
        case .control(_, let source): source.byteCount ?? .max / 2
        case .frame(let template): template.payload.byteCount ?? .max / 2
        case .effect, .close, .expect, .echo, .script: .max / 2
        }
    }
}
