internal import ProctorJournal
internal import ProctorScenario
internal import ProctorWebSocket

/// Reads what goes out as a client does (RFC 6455 §5), where a script has frames that are written by hand: the journal then
/// has the messages that they make, and the first frame that a client must refuse.
final class WebSocketAudience {
    private var reader: WebSocketReader
    private var kind = WebSocketEvent.MessageKind.text
    private var isCompressed = false
    private var content: [UInt8] = []
    /// What a client refuses of a frame before; nothing behind it is read.
    private var refusal: WebSocketViolation.Kind?

    /// nil where the server makes all frames, which are right.
    init?(_ script: WebSocketScript) {
        let direction = script.agreement?.compression?.direction(from: .server)
        let isNeeded = script.turns.contains { turn in
            switch turn {
            case .frame: true
            case .send(let message): message.isCompressed == true && direction == nil
            case .control, .close, .effect, .expect, .echo, .script: false
            }
        }
        guard isNeeded else { return nil }
        var limits = WebSocketLimits()
        limits.messageByteCount = WebSocketScript.sentByteBound
        limits.frameByteCount = WebSocketScript.sentByteBound
        reader = WebSocketReader(role: .client, limits: limits, compression: direction)
    }

    /// What a client makes of the bytes of one frame.
    struct Heard {
        /// A message that ends with it.
        var message: (kind: WebSocketFrameNote.Kind, content: [UInt8], isCompressed: Bool)?
        /// What a client refuses of it.
        var violation: WebSocketViolation.Kind?
        /// Whether a client reads it: nothing is wrong with it or with what came before.
        var isRead = true
    }

    func hear(_ bytes: borrowing Span<UInt8>) -> Heard {
        var heard = Heard()
        var position = 0
        while refusal == nil, let event = reader.next(bytes, at: &position) {
            switch event {
            case .messageBegan(let kind, let isCompressed):
                (self.kind, self.isCompressed, content) = (kind, isCompressed, [])
            case .content(let more): content += more
            case .messageEnded:
                heard.message = (kind == .text ? .text : .binary, content, isCompressed)
                content = []
            case .violation(let violation):
                refusal = violation.kind
                heard.violation = violation.kind
            case .frame, .frameEnded, .close, .ping, .pong: break
            }
        }
        heard.isRead = refusal == nil
        return heard
    }
}
