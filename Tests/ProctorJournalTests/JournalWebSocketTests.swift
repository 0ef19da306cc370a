import Testing

@testable import ProctorJournal

/// Journal lines about WebSockets: written, and read back.
struct JournalWebSocketTests {
    private static let rows: [(WebSocketNote.Event, String)] = [
        (
            .opened(protocolName: "chat", extensions: ["permessage-deflate; client_max_window_bits=9"]),
            #""ev":"webSocketOpened","protocol":"chat","extensions":["permessage-deflate; client_max_window_bits=9"]}"#
        ),
        (.opened(protocolName: nil, extensions: []), #""ev":"webSocketOpened","extensions":[]}"#),
        (
            .frame(
                WebSocketFrameNote(
                    by: .client, opcode: "text", flags: ["RSV1"], isMasked: true, mask: 0x1234, byteCount: 5,
                    offset: 12)),
            #""ev":"webSocketFrame","by":"client","opcode":"text","flags":["RSV1"],"isMasked":true,"mask":4660,"byteCount":5,"#
                + #""offset":12}"#
        ),
        (
            .frame(
                WebSocketFrameNote(
                    by: .server, opcode: "close", flags: ["FIN"], isMasked: false, byteCount: 5, offset: 0,
                    message: .init(.close, byteCount: 3, kept: Array("bye".utf8), code: 1000))),
            #""ev":"webSocketFrame","by":"server","opcode":"close","flags":["FIN"],"isMasked":false,"byteCount":5,"#
                + #""offset":0,"message":{"kind":"close","byteCount":3,"content":"bye","code":1000}}"#
        ),
        (
            .frame(
                WebSocketFrameNote(
                    by: .client, opcode: "continuation", flags: ["FIN"], isMasked: true, byteCount: 1, offset: 7,
                    message: .init(.binary, byteCount: 2, kept: [0x61, 0xFF], isCompressed: true))),
            #""ev":"webSocketFrame","by":"client","opcode":"continuation","flags":["FIN"],"isMasked":true,"#
                + #""byteCount":1,"offset":7,"message":{"kind":"binary","byteCount":2,"contentBase64":"Yf8=","#
                + #""isCompressed":true}}"#
        ),
        (
            .violation(
                WebSocketViolationNote(
                    of: .frames, "mask-missing", at: 1, code: 1002, section: "RFC 6455 §5.1", sentence: "wrong")),
            #""ev":"webSocketViolation","of":"frames","kind":"mask-missing","offset":1,"code":1002,"#
                + #""section":"RFC 6455 §5.1","sentence":"wrong"}"#
        ),
        (
            .expected(WebSocketExpectedNote(.differed, wanted: "a ping", got: "a close")),
            #""ev":"webSocketExpected","how":"differed","wanted":"a ping","got":"a close"}"#
        ),
        (
            .expected(WebSocketExpectedNote(.met, wanted: "a ping")),
            #""ev":"webSocketExpected","how":"met","wanted":"a ping"}"#
        ),
    ]

    @Test func `every note has its golden line, and is read back`() throws {
        for (event, members) in Self.rows {
            let entry = JournalEntry(
                sequence: 1, nanoseconds: 9, connection: 0, request: 1, event: .webSocket(WebSocketNote(event)))
            let bytes = JournalEncoder().lines([entry])
            #expect(
                String(decoding: bytes, as: UTF8.self) == #"{"seq":1,"ns":9,"connection":0,"request":1,"# + members
                    + "\n")
            guard case .webSocket(let read)? = try JournalLines(bytes, file: "a").entries.first?.event else {
                Issue.record("no note: \(members)")
                continue
            }
            #expect(read == WebSocketNote(event))
        }
    }
}
