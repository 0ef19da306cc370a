// What comes and goes on a WebSocket.
extension JournalTable {
    static let webSocketOpened: Event<(protocolName: String?, extensions: [String])> = Event("webSocketOpened") {
        Key("protocol", .text, ifAny: \.protocolName)
        Key("extensions", .list(.text), \.extensions)
    } make: {
        .webSocket(WebSocketNote(.opened(protocolName: $0, extensions: $1)))
    }

    static let webSocketFrame: Event<WebSocketFrameNote> = Event("webSocketFrame") {
        Key("by", .word, \.party)
        Key("opcode", .text, \.opcode)
        Key("flags", .list(.text), \.flags)
        Key("isMasked", .flag, \.isMasked)
        Key("mask", .number, ifAny: \.mask)
        Key("byteCount", .number, \.byteCount)
        Key("offset", .number, \.offset)
        Key("message", .object(webSocketMessage), ifAny: \.message)
        Key("violation", .text, ifAny: \.violation)
    } make: { party, opcode, flags, isMasked, mask, byteCount, offset, message, violation in
        .webSocket(
            WebSocketNote(
                .frame(
                    WebSocketFrameNote(
                        by: party, opcode: opcode, flags: flags, isMasked: isMasked, mask: mask,
                        byteCount: byteCount, offset: offset, message: message, violation: violation))))
    }

    private static let webSocketMessage: Object<WebSocketFrameNote.Message> = Object {
        Key("kind", .word, \.kind)
        Key("byteCount", .number, \.byteCount)
        Key(bytes: "content", \.kept)
        Key("isCompressed", ifTrue: \.isCompressed)
        Key("code", .number, ifAny: \.code)
    } make: { kind, byteCount, content, isCompressed, code in
        WebSocketFrameNote.Message(
            kind, byteCount: byteCount, kept: content, isCompressed: isCompressed, code: code)
    }

    static let webSocketViolation: Event<WebSocketViolationNote> = Event("webSocketViolation") {
        Key("of", .word, \.part)
        Key("kind", .text, \.kind)
        Key("offset", .number, \.offset)
        Key("code", .number, ifAny: \.code)
        Key("section", .text, \.section)
        Key("sentence", .text, \.sentence)
    } make: { part, kind, offset, code, section, sentence in
        .webSocket(
            WebSocketNote(
                .violation(
                    WebSocketViolationNote(
                        of: part, kind, at: offset, code: code, section: section, sentence: sentence))))
    }

    static let webSocketExpected: Event<WebSocketExpectedNote> = Event("webSocketExpected") {
        Key("how", .word, \.outcome)
        Key("wanted", .text, \.wanted)
        Key("got", .text, ifAny: \.got)
    } make: { outcome, wanted, got in
        .webSocket(WebSocketNote(.expected(WebSocketExpectedNote(outcome, wanted: wanted, got: got))))
    }
}
