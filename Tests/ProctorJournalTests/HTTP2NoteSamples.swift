import ProctorHTTP

@testable import ProctorJournal

/// What a journal can say of HTTP/2, with and without everything that may be left out, and with what a peer may put in.
enum HTTP2NoteSamples {
    static let details: [FrameNote.Detail?] = [
        nil, .settings([]), .settings([SettingNote("ENABLE_PUSH", 0), SettingNote("0xff", .max)]), .code("CANCEL"),
        .code("0x2a"), .goAway(lastStream: .max, code: "NO_ERROR", debug: []),
        .goAway(lastStream: 0, code: "\u{1B}\"", debug: [0, 0xFF]), .increment(0), .increment(.max), .opaque([]),
        .opaque([0xFF, 0, 1, 2, 3, 4, 5, 6]), .priority(dependsOn: .max, isExclusive: true, weight: 256),
        .priority(dependsOn: 0, isExclusive: false, weight: 1), .promised(0), .promised(.max),
        .priorityUpdate(stream: 1, value: [0xFE]), .priorityUpdate(stream: 0, value: []),
    ]

    static let frames: [FrameNote] =
        details.map {
            FrameNote(by: .client, type: "HEADERS", flags: ["PADDED"], stream: 1, byteCount: 9, offset: 24, detail: $0)
        } + [
            FrameNote(by: .server, type: "DATA", stream: .max, byteCount: 1 << 24, offset: 1 << 40, padding: 255),
            FrameNote(
                by: .client, type: "PING", byteCount: 8, offset: 9, detail: .opaque([1]), count: 1_000),
            FrameNote(by: .server, type: "\u{1B}[2J", flags: ["\"\\", "ü"], byteCount: 0, offset: 0, padding: 0),
        ]

    static let block = FieldBlockNote(
        by: .client, stream: 1, kind: .request, frameCount: 2, byteCount: 24,
        items: [
            .tableSize(0), .field(FieldBlockNote.Field(Array(":method".utf8), Array("GET".utf8), .indexed, index: 2)),
            .field(
                FieldBlockNote.Field(
                    Array(":path".utf8), Array("/a".utf8), .withoutIndexing, index: 4, isValueHuffman: true)),
            .field(FieldBlockNote.Field(Array("x-\"".utf8), [0xFF], .neverIndexed, isNameHuffman: true)),
            .field(FieldBlockNote.Field([], [], .incremental)),
        ])

    static let blocks: [FieldBlockNote] =
        [block]
        + FieldBlockNote.Kind.allCases.map {
            FieldBlockNote(
                by: .server, stream: 2, kind: $0, frameCount: 1, byteCount: 0, itemCount: 400, items: [.tableSize(1)])
        }

    static let violation = FrameViolationNote(
        "wrong-length", section: "RFC 9113 §6.4", sentence: "s", at: 24, stream: 3, frame: "RST_STREAM",
        scope: .connection, code: "FRAME_SIZE_ERROR")

    static let harmless = FrameViolationNote(
        "reserved-bit", section: "RFC 9113 §4.1", sentence: "s", at: 0, stream: 0, frame: "0x1f", scope: .none)

    static let violations = [
        violation, harmless,
        FrameViolationNote(
            "upper-case-name", section: "RFC 9113 §8.2.1", sentence: "\u{1B}\"ü\n", at: 1 << 40, stream: .max,
            frame: "HEADERS", scope: .stream, code: "PROTOCOL_ERROR", isReadOver: true),
    ]

    private static func head(
        _ method: String = "GET", path: String? = "/", authority: String? = "a.example", endsStream: Bool = true,
        protocol name: [UInt8]? = nil, contentLength: Int? = nil, stream: UInt32? = 1,
        fields: [(String, [UInt8])] = []
    ) -> RequestHead {
        RequestHead(
            RequestHead.ControlData(
                method: Array(method.utf8), path: path.map { Array($0.utf8) },
                authority: authority.map { Array($0.utf8) }, protocolName: name, endsStream: endsStream,
                contentLength: contentLength, stream: stream),
            fields: fields.map { (name: Array($0.0.utf8), value: $0.1) })
    }

    /// Requests, also those that no client may send, since an origin may accept anything.
    static let heads: [RequestHead] = [
        head(), head(stream: nil), head(stream: .max), head("POST", endsStream: false),
        head("CONNECT", path: "/chat", protocol: Array("websocket".utf8)), head("CONNECT", protocol: [0x00, 0xFF]),
        head("PUT", endsStream: false, contentLength: 5, fields: [("content-length", Array("5".utf8))]),
        head("POST", endsStream: false, fields: [("expect", Array("100-continue".utf8))]),
        head(authority: nil), head(authority: nil, fields: [("host", Array("b.example".utf8))]),
        head(authority: "a.example", fields: [("host", Array("b.example".utf8)), ("x", [])]),
        head(fields: [("cookie", Array("a=1".utf8)), ("x", [0x79]), ("cookie", Array("b=2".utf8))]),
        head("CONNECT", path: nil, authority: "a.example:443", endsStream: false),
        head("CONNECT", path: nil, authority: nil), head("CONNECT", path: "/chat", endsStream: false),
        head(path: ""), head(path: "no path"), head(path: "/a HTTP/2\r\nx: y\r\n"),
        head("OPTIONS", path: "*"), head("A B\r\n"), head(""),
        head(fields: [("x", Array("1\r\ny: 2\r\n\r\n".utf8)), ("X\r\n", [0xFF, 0]), ("", [])]),
    ]

    static let events: [JournalEvent] =
        frames.map { .frame($0) } + blocks.map { .fieldBlock($0) } + violations.map { .frameViolation($0) }
}
