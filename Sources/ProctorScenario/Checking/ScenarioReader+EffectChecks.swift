import ProctorBase
import ProctorDocument

extension ScenarioReader {
    /// Reports effects at positions that the reply never comes to.
    func checkEffects(_ effects: [Effect], of message: Reply.Message?, opensTunnel: Bool = false) {
        for effect in effects {
            guard let sentence = Self.misplaced(effect.position, message, opensTunnel) else { continue }
            sink.report(effect.location, "this effect is never played: \(sentence)")
        }
        for (index, effect) in effects.enumerated() {
            let last = effects.enumerated().first { other in
                other.element.action.endsTheReply && Self.isBefore(other.element, effect, other.offset < index)
            }
            guard let last = last?.element.location else { continue }
            let end = "the reply ends with the effect at \(last.line):\(last.column)"
            sink.report(effect.location, "this effect is never played: \(end)")
        }
    }

    /// Why a position is never reached; nil when it is, or when that cannot be told before.
    private static func misplaced(
        _ position: Effect.Position, _ message: Reply.Message?, _ opensTunnel: Bool
    ) -> String? {
        if opensTunnel, position == .end { return "behind the head the connection is the origin's" }
        switch (message, position) {
        case (.structured(let reply), .body), (.structured(let reply), .wire), (.structured(let reply), .end):
            if reply.tunnel != nil { return "behind the head the connection is the origin's" }
        default: break
        }
        switch (message, position) {
        case (_, .end): return nil
        case (nil, .head(0)), (nil, .body(0)), (nil, .wire(0)): return nil
        case (nil, _): return "a reply of effects alone has no bytes"
        case (.forward, _): return "a request that is handed on has the effects of the origin's reply"
        case (.raw, .head(0)): return nil
        case (.raw, .head), (.raw, .body): return "a raw reply has no head and body of its own; count with wire N"
        case (.raw(let pieces), .wire(let offset)):
            return pieces.byteCount.flatMap { $0 < offset ? "the raw reply has \($0) bytes" : nil }
        case (.structured, .head), (.structured, .wire): return nil
        case (.structured(let reply), .body(let offset)):
            // What is coded, or cut by a range, is as long as it turns out to be.
            guard reply.knowsContentLength else { return nil }
            return reply.contentByteCount.flatMap { $0 < offset ? "the body has \($0) bytes" : nil }
        }
    }

    /// Whether the first is surely played before the second; `isEarlier` decides at equal positions.
    private static func isBefore(_ first: Effect, _ second: Effect, _ isEarlier: Bool) -> Bool {
        switch (first.position, second.position) {
        case (.head(let left), .head(let right)), (.body(let left), .body(let right)),
            (.wire(let left), .wire(let right)):
            left < right || left == right && isEarlier
        case (.end, .end): isEarlier
        case (.head, _), (_, .end): true
        default: false
        }
    }
}

extension Effect.Action {
    /// Whether nothing can be played after it.
    var endsTheReply: Bool {
        switch self {
        case .close, .reset, .stall, .alert: true
        // The last two spoil the record that follows.
        case .wait, .halfClose, .send, .await, .truncateRecord, .badMAC: false
        }
    }
}

extension StructuredReply {
    /// Bytes of content before framing, if known at load.
    var contentByteCount: Int? { body.byteCount }
}
