// What comes and goes on a WebSocket.
extension JournalTable {
    static let webSocketOpened: JournalShape<(protocolName: String?, extensions: [String]), JournalEvent> =
        JournalShape(
            named: "webSocketOpened", says: "an opening handshake of WebSocket is accepted, and frames follow",
            fields: JournalKey.text(
                "protocol", says: "the value of Sec-WebSocket-Protocol", when: "where the reply has one",
                of: \.protocolName),
            JournalKey.texts("extensions", says: "the elements of Sec-WebSocket-Extensions", of: \.extensions)
        ) { .webSocket(WebSocketNote(.opened(protocolName: $0, extensions: $1))) }

    static let webSocketFrame: JournalShape<WebSocketFrameNote, JournalEvent> = JournalShape(
        named: "webSocketFrame", says: "a frame of WebSocket has come whole, or went out",
        fields: JournalKey<WebSocketFrameNote>.word("by", says: "who sent it", of: \.party),
        JournalKey<WebSocketFrameNote>.text(
            "opcode", says: "`continuation`, `text`, `binary`, `close`, `ping`, `pong`, or the number, as `opcode 0xb`",
            of: \.opcode),
        JournalKey<WebSocketFrameNote>.texts(
            "flags", says: "of `FIN`, `RSV1`, `RSV2` and `RSV3` those that are set", of: \.flags),
        JournalKey<WebSocketFrameNote>.flag("isMasked", says: "it has a masking key", of: \.isMasked),
        JournalKey<WebSocketFrameNote>.integer(
            "mask", says: "the key, its first byte as the most significant", when: "where there is one",
            of: \.mask),
        JournalKey<WebSocketFrameNote>.integer(
            "byteCount", says: "bytes of the payload, by the head", of: \.byteCount),
        JournalKey<WebSocketFrameNote>.integer(
            "offset", says: "where it begins, in bytes of this side behind the handshake",
            of: \.offset),
        JournalKey<WebSocketFrameNote>.object(
            "message", webSocketMessage, says: "what is complete with it",
            when: "not before the last frame of a message", of: \.message),
        JournalKey<WebSocketFrameNote>.text(
            "violation", says: "what a client must refuse",
            when: "of a wrong frame of the server", of: \.violation)
    ) { party, opcode, flags, isMasked, mask, byteCount, offset, message, violation in
        .webSocket(
            WebSocketNote(
                .frame(
                    WebSocketFrameNote(
                        by: party, opcode: opcode, flags: flags, isMasked: isMasked, mask: mask,
                        byteCount: byteCount, offset: offset, message: message, violation: violation))))
    }

    private static let webSocketMessage: JournalShape<WebSocketFrameNote.Message, WebSocketFrameNote.Message> =
        JournalShape(
            named: "message", says: "a message of WebSocket, or what a control frame says",
            fields: JournalKey<WebSocketFrameNote.Message>.word("kind", says: "what it is", of: \.kind),
            JournalKey<WebSocketFrameNote.Message>.integer("byteCount", says: "its bytes, inflated", of: \.byteCount),
            JournalKey<WebSocketFrameNote.Message>.bytes(
                "content", orBase64: "contentBase64",
                says: "the first 64 KiB of the message or payload, or the reason of a Close", of: { $0.kept[...] }),
            JournalKey<WebSocketFrameNote.Message>.flag(
                "isCompressed", says: "it came compressed", whenTrue: "only where it is true", of: \.isCompressed),
            JournalKey<WebSocketFrameNote.Message>.integer(
                "code", says: "the code of a Close", when: "where it has one", of: \.code)
        ) { kind, byteCount, content, isCompressed, code in
            WebSocketFrameNote.Message(
                kind, byteCount: byteCount, kept: content, isCompressed: isCompressed, code: code)
        }

    static let webSocketViolation: JournalShape<WebSocketViolationNote, JournalEvent> = JournalShape(
        named: "webSocketViolation", says: "a departure of the client from RFC 6455, 7692 or 8441",
        fields: JournalKey<WebSocketViolationNote>.word("of", says: "the part that is wrong", of: \.part),
        JournalKey<WebSocketViolationNote>.text("kind", says: "its name", of: \.kind),
        JournalKey<WebSocketViolationNote>.integer(
            "offset", says: "where it stands, in bytes of the head, or of the client's frames",
            of: \.offset),
        JournalKey<WebSocketViolationNote>.integer(
            "code", says: "the code of the Close that answers it", when: "where a Close does", of: \.code),
        JournalKey<WebSocketViolationNote>.text("section", says: "the section of the specification", of: \.section),
        JournalKey<WebSocketViolationNote>.text("sentence", says: "what is wrong, for a person", of: \.sentence)
    ) { part, kind, offset, code, section, sentence in
        .webSocket(
            WebSocketNote(
                .violation(
                    WebSocketViolationNote(
                        of: part, kind, at: offset, code: code, section: section, sentence: sentence))))
    }

    static let webSocketExpected: JournalShape<WebSocketExpectedNote, JournalEvent> = JournalShape(
        named: "webSocketExpected", says: "a turn has ended that expects something of the client",
        fields: JournalKey<WebSocketExpectedNote>.word("how", says: "how the turn ended", of: \.outcome),
        JournalKey<WebSocketExpectedNote>.text("wanted", says: "what was expected", of: \.wanted),
        JournalKey<WebSocketExpectedNote>.text(
            "got", says: "what came in its place", when: "where `how` is not `met`", of: \.got)
    ) { outcome, wanted, got in
        .webSocket(WebSocketNote(.expected(WebSocketExpectedNote(outcome, wanted: wanted, got: got))))
    }
}
