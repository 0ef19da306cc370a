internal import ProctorReference

extension Breakage {
    /// Mistakes of WebSockets (RFC 6455, RFC 7692).
    static let webSockets: [Breakage] = [
        .ofWebSocket("ws-constant-key", "send one key in every handshake", .constantKey),
        .ofWebSocket("ws-other-version", "ask for version 12", .otherVersion),
        .ofWebSocket("ws-takes-any-accept", "open whatever Sec-WebSocket-Accept says", .takesAnyAccept),
        .ofWebSocket("ws-takes-any-upgrade", "open without Upgrade, Connection or the accept", .takesAnyUpgrade),
        .ofWebSocket("ws-takes-any-protocol", "open with a protocol that was not offered", .takesAnyProtocol),
        .ofWebSocket("ws-takes-any-extension", "open with an extension that was not offered", .takesAnyExtension),
        .ofWebSocket("ws-opens-early", "say that the WebSocket is open before the reply is judged", .opensEarly),
        .ofWebSocket(
            "ws-connects-unasked", "send an extended CONNECT that the server does not permit", .connectsUnasked),
        .ofWebSocket("ws-no-mask", "mask no frame", .noMask),
        .ofWebSocket("ws-constant-mask", "mask each frame with one key", .constantMask),
        .ofWebSocket("ws-long-lengths", "say each length in eight bytes", .longLengths),
        .ofWebSocket("ws-splits-messages", "send the fragments of a message with its own opcode", .splitsMessages),
        .ofWebSocket("ws-no-pong", "answer no Ping", .noPong),
        .ofWebSocket("ws-empty-pong", "answer a Ping without its payload", .emptyPong),
        .ofWebSocket("ws-no-close-reply", "answer no Close frame", .noCloseReply),
        .ofWebSocket("ws-sends-after-close", "send a message behind its own Close frame", .sendsAfterClose),
        .ofWebSocket("ws-no-close", "end the connection without a Close frame", .noClose),
        .ofWebSocket("ws-fails-silently", "fail the connection without a Close frame", .failsSilently),
        .ofWebSocket("ws-takes-reserved-bits", "take frames with reserved bits", .takesReservedBits),
        .ofWebSocket("ws-takes-unknown-opcodes", "pass frames of unknown opcodes over", .takesUnknownOpcodes),
        .ofWebSocket("ws-takes-masked-frames", "take frames that the server has masked", .takesMaskedFrames),
        .ofWebSocket("ws-takes-invalid-text", "take text that is not UTF-8", .takesInvalidText),
        .ofWebSocket("ws-takes-long-control-frames", "take control frames of any length", .takesLongControlFrames),
        .ofWebSocket(
            "ws-takes-fragmented-control-frames", "take control frames without FIN", .takesFragmentedControlFrames),
        .ofWebSocket("ws-takes-stray-continuations", "take fragments in any order", .takesStrayContinuations),
        .ofWebSocket("ws-takes-any-close-code", "take a Close frame with any code", .takesAnyCloseCode),
        .ofWebSocket("ws-takes-any-length", "take lengths that are not said in the fewest bytes", .takesAnyLength),
        .ofWebSocket("ws-delivers-fragments", "deliver each fragment as a message", .deliversFragments),
        .ofWebSocket("ws-never-inflates", "deliver compressed messages as they came", .neverInflates),
        .ofWebSocket("ws-forgets-kind", "deliver texts as binary messages", .forgetsKind),
        .ofWebSocket("ws-delivers-after-close", "deliver messages behind the Close frame", .deliversAfterClose),
        .ofWebSocket("ws-takes-any-end", "take a lost connection for a closed one", .takesAnyEnd),
    ]

    private static func ofWebSocket(_ label: String, _ name: String, _ fault: WebSocketFault) -> Breakage {
        setting(label, name) { $0.webSocketFault = fault }
    }
}
