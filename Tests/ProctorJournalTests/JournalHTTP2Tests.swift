import ProctorHTTP
import Testing

@testable import ProctorEvents
@testable import ProctorJournal

/// Journal lines about HTTP/2: written, read back, and refused where they say what cannot be.
struct JournalHTTP2Tests {
    private static func line(_ members: String) -> [UInt8] { Array(#"{"seq":1,"ns":2,\#(members)}"#.utf8) }

    private static func text(_ events: [JournalEvent]) -> String {
        let entries = events.enumerated().map { index, event in
            JournalEntry(sequence: UInt64(index + 1), nanoseconds: 9, connection: 0, request: 1, event: event)
        }
        return String(decoding: JournalEncoder().lines(entries), as: UTF8.self)
    }

    @Test func `every frame has its golden line`() {
        let head = #"{"seq":7,"ns":81230,"connection":2,"ev":"frame","by":"#
        let rows: [(FrameNote, String)] = [
            (
                FrameNote(
                    by: .client, type: "HEADERS", flags: ["END_STREAM", "END_HEADERS", "PADDED", "PRIORITY"], stream: 1,
                    byteCount: 40, offset: 63, padding: 7,
                    detail: .priority(dependsOn: 0, isExclusive: true, weight: 256)),
                #""client","type":"HEADERS","flags":["END_STREAM","END_HEADERS","PADDED","PRIORITY"],"stream":1,"#
                    + #""byteCount":40,"offset":63,"padding":7,"#
                    + #""priority":{"dependsOn":0,"isExclusive":true,"weight":256}}"#
            ),
            (
                FrameNote(
                    by: .client, type: "SETTINGS", byteCount: 12, offset: 24,
                    detail: .settings([SettingNote("INITIAL_WINDOW_SIZE", 65_535), SettingNote("0x2a", .max)])),
                #""client","type":"SETTINGS","flags":[],"stream":0,"byteCount":12,"offset":24,"settings":["#
                    + #"{"name":"INITIAL_WINDOW_SIZE","value":65535},{"name":"0x2a","value":4294967295}]}"#
            ),
            (
                FrameNote(by: .server, type: "SETTINGS", byteCount: 0, offset: 0, detail: .settings([])),
                #""server","type":"SETTINGS","flags":[],"stream":0,"byteCount":0,"offset":0,"settings":[]}"#
            ),
            (
                FrameNote(by: .server, type: "SETTINGS", flags: ["ACK"], byteCount: 0, offset: 9),
                #""server","type":"SETTINGS","flags":["ACK"],"stream":0,"byteCount":0,"offset":9}"#
            ),
            (
                FrameNote(
                    by: .client, type: "RST_STREAM", stream: 3, byteCount: 4, offset: 90, detail: .code("CANCEL")),
                #""client","type":"RST_STREAM","flags":[],"stream":3,"byteCount":4,"offset":90,"code":"CANCEL"}"#
            ),
            (
                FrameNote(
                    by: .server, type: "GOAWAY", byteCount: 10, offset: 90,
                    detail: .goAway(lastStream: 5, code: "NO_ERROR", debug: [0x61, 0xFF])),
                #""server","type":"GOAWAY","flags":[],"stream":0,"byteCount":10,"offset":90,"#
                    + #""goAway":{"lastStream":5,"code":"NO_ERROR","debugBase64":"Yf8="}}"#
            ),
            (
                FrameNote(
                    by: .client, type: "WINDOW_UPDATE", byteCount: 4, offset: 51, detail: .increment(1 << 31 - 1)),
                #""client","type":"WINDOW_UPDATE","flags":[],"stream":0,"byteCount":4,"offset":51,"#
                    + #""increment":2147483647}"#
            ),
            (
                FrameNote(
                    by: .client, type: "PING", flags: ["0x40"], byteCount: 8, offset: 51,
                    detail: .opaque(Array("12345678".utf8))),
                #""client","type":"PING","flags":["0x40"],"stream":0,"byteCount":8,"offset":51,"opaque":"12345678"}"#
            ),
            (
                FrameNote(
                    by: .server, type: "PUSH_PROMISE", flags: ["END_HEADERS"], stream: 1, byteCount: 20, offset: 51,
                    padding: 0, detail: .promised(2)),
                #""server","type":"PUSH_PROMISE","flags":["END_HEADERS"],"stream":1,"byteCount":20,"offset":51,"#
                    + #""padding":0,"promised":2}"#
            ),
            (
                FrameNote(
                    by: .client, type: "PRIORITY_UPDATE", byteCount: 9, offset: 51,
                    detail: .priorityUpdate(stream: 1, value: Array("u=1, i".utf8))),
                #""client","type":"PRIORITY_UPDATE","flags":[],"stream":0,"byteCount":9,"offset":51,"#
                    + #""priorityUpdate":{"stream":1,"value":"u=1, i"}}"#
            ),
            (
                FrameNote(by: .client, type: "0x1f", flags: ["0x01"], stream: 9, byteCount: 3, offset: 24),
                #""client","type":"0x1f","flags":["0x01"],"stream":9,"byteCount":3,"offset":24}"#
            ),
        ]
        for (frame, rest) in rows { #expect(JournalEncoderTests.line(.frame(frame)) == head + rest + "\n") }
    }

    @Test func `a block and a violation have their golden lines`() {
        let head = #"{"seq":7,"ns":81230,"connection":2,"ev":"#
        #expect(
            JournalEncoderTests.line(.fieldBlock(HTTP2NoteSamples.block))
                == head + #""fieldBlock","by":"client","stream":1,"of":"request","frameCount":2,"byteCount":24,"#
                + #""itemCount":5,"items":[{"tableSize":0},"#
                + #"{"name":":method","value":"GET","as":"indexed","index":2},"#
                + #"{"name":":path","value":"/a","as":"without-indexing","index":4,"isValueHuffman":true},"#
                + #"{"name":"x-\"","valueBase64":"/w==","as":"never-indexed","isNameHuffman":true},"#
                + #"{"name":"","value":"","as":"incremental"}]}"# + "\n")
        #expect(
            JournalEncoderTests.line(.frameViolation(HTTP2NoteSamples.violation))
                == head + #""frameViolation","kind":"wrong-length","offset":24,"stream":3,"frame":"RST_STREAM","#
                + #""scope":"connection","code":"FRAME_SIZE_ERROR","section":"RFC 9113 §6.4","sentence":"s"}"# + "\n")
        #expect(
            JournalEncoderTests.line(.frameViolation(HTTP2NoteSamples.harmless))
                == head + #""frameViolation","kind":"reserved-bit","offset":0,"stream":0,"frame":"0x1f","#
                + #""scope":"none","section":"RFC 9113 §4.1","sentence":"s"}"# + "\n")
        var readOver = HTTP2NoteSamples.violation
        readOver.isReadOver = true
        #expect(
            JournalEncoderTests.line(.frameViolation(readOver)).contains(
                #""code":"FRAME_SIZE_ERROR","isReadOver":true,"section":"RFC 9113 §6.4""#))
    }

    @Test func `every event comes back as it was`() throws {
        let read = try JournalLines(Array(Self.text(HTTP2NoteSamples.events).utf8), file: "j")
        #expect(read.unknownCount == 0 && read.entries.count == HTTP2NoteSamples.events.count)
        #expect(Self.text(read.entries.map(\.event)) == Self.text(HTTP2NoteSamples.events))
        var (frames, blocks, violations): ([FrameNote], [FieldBlockNote], [FrameViolationNote]) = ([], [], [])
        for entry in read.entries {
            switch entry.event {
            case .frame(let frame): frames.append(frame)
            case .fieldBlock(let block): blocks.append(block)
            case .frameViolation(let violation): violations.append(violation)
            default: Issue.record("\(entry)")
            }
        }
        #expect(frames == HTTP2NoteSamples.frames)
        #expect(blocks == HTTP2NoteSamples.blocks)
        #expect(violations == HTTP2NoteSamples.violations)
    }

    @Test func `a request has its version, its stream, and the bytes of its form in HTTP/1.1`() {
        #expect(
            JournalEncoderTests.line(.requestHead(HTTP2NoteSamples.heads[0], target: Array("/".utf8)))
                == #"{"seq":7,"ns":81230,"connection":2,"ev":"requestHead","method":"GET","target":"/","#
                + #""version":"HTTP/2","stream":1,"framing":"none","fields":[["host","a.example"]],"#
                + #""bytes":"GET / HTTP/2\r\nhost: a.example\r\n\r\n"}"# + "\n")
    }

    @Test(arguments: HTTP2NoteSamples.heads.indices) func `every request comes back as it was`(index: Int) throws {
        let head = HTTP2NoteSamples.heads[index]
        let text = Self.text([.requestHead(head, target: [0x2F, 0xFF])])
        let read = try JournalLines(Array(text.utf8), file: "j").entries.map(\.event)
        guard case .requestHead(let again, let target)? = read.first else {
            Issue.record("\(read)")
            return
        }
        #expect(again == head && again.stream == head.stream && again.isMultiplexed)
        #expect(again.form == head.form && again.framing == head.framing && again.fields == head.fields)
        #expect(again.expectsContinue == head.expectsContinue && again.methodBytes == head.methodBytes)
        #expect(target == [0x2F, 0xFF] && Self.text(read) == text)
    }

    private static let head = #""ev":"requestHead","target":"/","version":"HTTP/2","stream":1,"framing":"none""#

    @Test(
        arguments: [
            (#","method":"GET","fields":[],"bytes":"GET / HTTP/2\r\n\r\n""#, nil),
            (#","method":"GET","fields":[["x","y"]],"bytes":"GET / HTTP/2\r\n\r\n""#, wrongBytes),
            (#","method":"POST","fields":[],"bytes":"GET / HTTP/2\r\n\r\n""#, wrongBytes),
            (#","method":"GET","fields":[],"bytes":"""#, wrongBytes),
            (
                #","method":"GET","fields":[["x"]],"bytes":"GET / HTTP/2\r\n\r\n""#,
                "'fields' is a list of name and value"
            ),
            (#","fields":[],"bytes":"GET / HTTP/2\r\n\r\n""#, "an entry needs the key 'method'"),
        ] as [(String, String?)]) func `bytes that do not fit the other keys are refused`(
            _ members: String, _ sentence: String?
        ) throws
    {
        let line = Self.line(Self.head + members)
        guard let sentence else {
            #expect(try JournalLines(line, file: "j").entries.count == 1)
            return
        }
        #expect { try JournalLines(line, file: "j") } throws: { error in
            (error as? TraceReadingError)?.sentence == sentence
        }
    }

    private static let wrongBytes = "'bytes' of a requestHead of HTTP/2 are not its method, target and fields"

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

    @Test func `keys of later versions are passed over`() throws {
        let line =
            #""ev":"frame","by":"client","type":"PING","flags":[],"stream":0,"byteCount":8,"offset":1,"color":[2,{"a":1}]"#
        #expect(try JournalLines(Self.line(line), file: "j").entries.count == 1)
    }

    private static let frame = #""ev":"frame","by":"client","type":"X","flags":[],"byteCount":8,"offset":1"#
    private static let block =
        #""ev":"fieldBlock","by":"client","stream":1,"of":"request","frameCount":1,"byteCount":1,"itemCount":1"#

    struct Wrong: Sendable {
        let members: String
        let sentence: String

        init(_ members: String, _ sentence: String) { (self.members, self.sentence) = (members, sentence) }
    }

    static let wrong: [Wrong] = [
        Wrong(#""ev":"frame","by":"client""#, "an entry needs the key 'type'"),
        Wrong(frame, "an entry needs the key 'stream'"),
        Wrong(frame + #","stream":4294967296"#, "'stream' is a whole number from 0 to 4294967295"),
        Wrong(frame + #","stream":1,"increment":4294967296"#, "'increment' is a whole number from 0 to 4294967295"),
        Wrong(frame + #","stream":1,"settings":[1]"#, "'settings' is a list of objects"),
        Wrong(frame + #","stream":1,"settings":[{"name":"A"}]"#, "an entry needs the key 'value'"),
        Wrong(
            frame + #","stream":1,"settings":[{"name":"A","value":4294967296}]"#,
            "'value' is a whole number from 0 to 4294967295"
        ),
        Wrong(frame + #","stream":1,"goAway":{"lastStream":1,"debug":""}"#, "an entry needs the key 'code'"),
        Wrong(frame + #","stream":1,"priority":3"#, "'priority' is an object"),
        Wrong(block + #","items":[{"value":"b","as":"indexed"}]"#, "an entry needs the key 'name'"),
        Wrong(block + #","items":[{"name":"b","as":"indexed"}]"#, "an entry needs the key 'value'"),
        Wrong(block + #","items":[{"name":"a","value":"b"}]"#, "an entry needs the key 'as'"),
        Wrong(block + #","items":[{"name":"a","value":"b","as":"raw"}]"#, "'as' is no 'raw'"),
        Wrong(#""ev":"fieldBlock","by":"client","stream":1,"of":"push""#, "'of' is no 'push'"),
        Wrong(
            #""ev":"frameViolation","kind":"a","offset":0,"stream":0,"frame":"PING","scope":"all","section":"","sentence":"""#,
            "'scope' is no 'all'"
        ),
    ]

    @Test(arguments: wrong) func `an impossible value is refused with its reason`(wrong: Wrong) {
        #expect { try JournalLines(Self.line(wrong.members), file: "j") } throws: { error in
            (error as? TraceReadingError)?.sentence == wrong.sentence
        }
    }
}
