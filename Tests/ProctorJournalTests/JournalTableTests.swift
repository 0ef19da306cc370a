import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorEvents
@testable import ProctorJournal

/// What is written by hand against the table of fields; the lines themselves are in Tests/Data/readers/journal.
struct JournalTableTests {
    private static func line(_ event: JournalEvent, request: Int? = nil, encoder: JournalEncoder = JournalEncoder())
        -> String
    {
        let entry = JournalEntry(sequence: 7, nanoseconds: 81_230, connection: 2, request: request, event: event)
        return String(decoding: encoder.lines([entry]), as: UTF8.self)
    }

    @Test func `every line begins with the keys of its table`() {
        for scenario in [nil, "redirect/\"302\""] {
            for run in [nil, "r1"] {
                for (connection, request) in [(nil, nil), (0, nil), (12, 345)] as [(Int?, Int?)] {
                    for number in [1, 9, 10, 99, 100, 81_230, UInt64.max] {
                        let entry = JournalEntry(
                            sequence: number, nanoseconds: number, connection: connection, request: request,
                            event: .continueSent)
                        var json = JSONText()
                        json.open("{")
                        JournalTable.line.write(
                            JournalLineStart(
                                sequence: number, nanoseconds: number, scenario: scenario, run: run,
                                connection: connection, request: request, event: "continueSent"), to: &json)
                        json.close("}")
                        json.lineEnd()
                        #expect(JournalEncoder(scenario: scenario, run: run).lines([entry]) == json.bytes)
                    }
                }
            }
        }
    }

    @Test func `the entries that are written by hand are those of the table`() throws {
        let heads =
            [
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: a.example\r\nX: a\tb\"c\\d\u{7F}é\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n  b\r\nEmpty:\r\n\r\n",
            ].map { Array($0.utf8) } + [
                Array("GET / HTTP/1.1\r\nHost: x\r\nX: ".utf8) + [0xFF] + Array("\r\n\r\n".utf8)
            ]
        for head in try heads.map({ try RequestHead(parsing: $0) }) + Self.streamHeads {
            for target in [head.target, [0xFF, 0x20], Array("/\"é\"".utf8), []] {
                #expect(
                    Self.line(.requestHead(head, target: target))
                        == Self.line(JournalTable.requestHead, (head, target)))
            }
        }
        for number in [0, 9, 10, 12_345] {
            #expect(
                Self.line(.exchangeChosen(exchange: number, turn: number + 1))
                    == Self.line(JournalTable.exchangeChosen, (number, number + 1)))
            for status in [nil, 200] {
                #expect(
                    Self.line(.replySent(status: status, byteCount: number))
                        == Self.line(JournalTable.replySent, (status, number)))
            }
        }
        let short = SentContent(byteCount: 3, kept: [0x61, 0xFF, 0x62])
        let long = SentContent(byteCount: 5_000, kept: [UInt8](repeating: 0x61, count: 5_000))
        let fields = FieldSection([(Array("A".utf8), Array("b\"".utf8)), (Array("C".utf8), [])])
        for reply in [
            SentReply(status: nil, fields: nil, headByteCount: nil, content: nil),
            SentReply(status: 200, fields: fields, headByteCount: 64, content: short, codedContent: .empty),
            SentReply(status: 200, fields: fields, headByteCount: 64, content: long),
        ] {
            // From the second line on, short members are copied.
            for _ in 0..<3 { #expect(Self.line(.replyBegun(reply)) == Self.line(JournalTable.replyBegun, reply)) }
        }
    }

    private static func line<Payload>(
        _ shape: JournalShape<Payload, JournalEvent>, _ payload: Payload
    ) -> String {
        var json = JSONText()
        json.open("{")
        JournalTable.line.write(
            JournalLineStart(
                sequence: 7, nanoseconds: 81_230, scenario: nil, run: nil, connection: 2, request: nil,
                event: shape.name), to: &json)
        shape.write(payload, to: &json)
        json.close("}")
        json.lineEnd()
        return String(decoding: json.bytes, as: UTF8.self)
    }

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
    private static let streamHeads: [RequestHead] = [
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

    @Test func `the lines that stand for what is missing are written as they are read`() throws {
        let entry = JournalEntry(
            sequence: 13, nanoseconds: 9, connection: nil, request: nil, event: .replySent(status: nil, byteCount: 1))
        var json = JSONText()
        JournalEncoder(scenario: "a/one", run: "r1").appendDropped(12, before: entry, to: &json)
        JournalEncoder.appendLost(3, reason: #""full""#, to: &json)
        let bytes = json.bytes
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"seq":12,"ns":9,"scenario":"a/one","run":"r1","ev":"entriesDropped","count":12}
                {"ev":"linesLost","count":3,"reason":"\\"full\\""}

                """)
        #expect(try JournalLines(bytes, file: "j").droppedCount == 15)
    }

    @Test func `a block keeps 256 items and 64 KiB, and counts all`() {
        let field = FieldBlockNote.Item.field(FieldBlockNote.Field([0x61], [0x62], .incremental))
        func kept(_ items: [FieldBlockNote.Item], of count: Int? = nil) -> (Int, Int) {
            let block = FieldBlockNote(
                by: .client, stream: 1, kind: .request, frameCount: 1, byteCount: 9, itemCount: count, items: items)
            return (block.items.count, block.itemCount)
        }
        #expect(kept(Array(repeating: field, count: 256)) == (256, 256))
        #expect(kept(Array(repeating: field, count: 300)) == (256, 300))
        #expect(kept([field], of: 9) == (1, 9))
        let long = FieldBlockNote.Item.field(
            FieldBlockNote.Field([0x61], [UInt8](repeating: 0x62, count: 64 << 10 - 1), .incremental))
        #expect(kept([long]) == (1, 1))
        #expect(kept([long, .tableSize(0), field, .tableSize(0)]) == (2, 4))
        #expect(kept([field, long, field]) == (1, 3))
    }
}
