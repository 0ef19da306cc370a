import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorReplies
@testable import ProctorServer
@testable import ProctorServing

/// What frames, field blocks and violations become in a journal, and what is made of their entries.
struct HTTP2NotesTests {
    private static func note(_ frame: Frame) throws -> FrameNote {
        var bytes: [UInt8] = []
        FrameWriter.append(frame, to: &bytes)
        var reader = FrameReader(expectsPreface: false)
        var position = 0
        guard case .frame(let read)? = reader.next(bytes.span, at: &position) else {
            throw UnreadableFrame()
        }
        return FrameNote(read, by: .client)
    }

    private struct UnreadableFrame: Error {}

    @Test func `a frame has its type, its flags by name, and what its payload says`() throws {
        let rows: [(Frame, FrameNote)] = [
            (
                Frame(
                    .headers, flags: [.endStream, .endHeaders, .padded, .priority], stream: 3,
                    payload: [1, 0x80, 0, 0, 1, 9, 0x82, 0]),
                FrameNote(
                    by: .client, type: "HEADERS", flags: ["END_STREAM", "END_HEADERS", "PADDED", "PRIORITY"], stream: 3,
                    byteCount: 8, offset: 0, padding: 1, detail: .priority(dependsOn: 1, isExclusive: true, weight: 10))
            ),
            (
                Frame(.data, flags: FrameFlags(rawValue: 0x41), stream: 1, payload: [1, 2]),
                FrameNote(
                    by: .client, type: "DATA", flags: ["END_STREAM", "0x40"], stream: 1, byteCount: 2, offset: 0)
            ),
            (
                .settings([Setting(.enablePush, 0), Setting(Setting.Identifier(rawValue: 0x2A), .max)]),
                FrameNote(
                    by: .client, type: "SETTINGS", byteCount: 12, offset: 0,
                    detail: .settings([SettingNote("ENABLE_PUSH", 0), SettingNote("0x2a", .max)]))
            ),
            (.settingsAck, FrameNote(by: .client, type: "SETTINGS", flags: ["ACK"], byteCount: 0, offset: 0)),
            (
                .resetStream(3, .cancel),
                FrameNote(by: .client, type: "RST_STREAM", stream: 3, byteCount: 4, offset: 0, detail: .code("CANCEL"))
            ),
            (
                .goAway(lastStream: 5, ErrorCode(rawValue: 0x2A), debug: [UInt8](repeating: 0x61, count: 2_000)),
                FrameNote(
                    by: .client, type: "GOAWAY", byteCount: 2_008, offset: 0,
                    detail: .goAway(
                        lastStream: 5, code: "0x2a", debug: [UInt8](repeating: 0x61, count: FrameNote.keptByteLimit)))
            ),
            (
                .windowUpdate(9, on: 1),
                FrameNote(by: .client, type: "WINDOW_UPDATE", stream: 1, byteCount: 4, offset: 0, detail: .increment(9))
            ),
            (
                .ping([1, 2, 3, 4, 5, 6, 7, 8]),
                FrameNote(
                    by: .client, type: "PING", byteCount: 8, offset: 0, detail: .opaque([1, 2, 3, 4, 5, 6, 7, 8]))
            ),
            (
                Frame(.pushPromise, flags: .endHeaders, stream: 1, payload: [0, 0, 0, 2]),
                FrameNote(
                    by: .client, type: "PUSH_PROMISE", flags: ["END_HEADERS"], stream: 1, byteCount: 4, offset: 0,
                    detail: .promised(2))
            ),
            (
                Frame(.priorityUpdate, payload: [0, 0, 0, 1] + Array("u=1".utf8)),
                FrameNote(
                    by: .client, type: "PRIORITY_UPDATE", byteCount: 7, offset: 0,
                    detail: .priorityUpdate(stream: 1, value: Array("u=1".utf8)))
            ),
            // The payload has not the form of its type.
            (
                Frame(.resetStream, stream: 3, payload: [1]),
                FrameNote(by: .client, type: "RST_STREAM", stream: 3, byteCount: 1, offset: 0)
            ),
            (
                Frame(FrameType(rawValue: 0x1F), flags: FrameFlags(rawValue: 0x81), stream: 9, payload: [1]),
                FrameNote(by: .client, type: "0x1f", flags: ["0x01", "0x80"], stream: 9, byteCount: 1, offset: 0)
            ),
        ]
        for (frame, expected) in rows {
            #expect(try Self.note(frame) == expected)
            var sent = expected
            (sent.party, sent.offset) = (.server, 700)
            #expect(FrameNote(ReadFrame(sent: frame, at: 700), by: .server) == sent)
        }
    }

    @Test func `a frame that is too long is told without its payload`() throws {
        let note = try Self.note(Frame(.ping, payload: [UInt8](repeating: 0, count: 20_000)))
        #expect(note.byteCount == 20_000 && note.detail == nil)
        #expect(
            FrameNote(
                ReadFrame(sent: Frame(.data, stream: 1, payload: [UInt8](repeating: 0, count: 1 << 20)), at: 0),
                by: .server
            ).byteCount
                == 1 << 20)
    }

    @Test func `a block has its fields as they are written`() throws {
        var block = RawBlock()
        block.tableSize(0)
        block.indexed(2)
        block.literal(.without, nameIndex: 4, value: Array("/a".utf8), isHuffman: true)
        block.literal(.never, name: Array("x".utf8), value: [0xFF], isHuffman: false)
        block.literal(.incremental, name: Array("y".utf8), value: [], isHuffman: true)
        let decoder = try #require(HeaderDecoder())
        let section = try decoder.decode(block.bytes)
        let note = FieldBlockNote(
            section, by: .client, stream: 1, kind: .request, frameCount: 2, byteCount: block.bytes.count)
        #expect(
            note.items == [
                .tableSize(0),
                .field(FieldBlockNote.Field(Array(":method".utf8), Array("GET".utf8), .indexed, index: 2)),
                .field(
                    FieldBlockNote.Field(
                        Array(":path".utf8), Array("/a".utf8), .withoutIndexing, index: 4, isValueHuffman: true)),
                .field(FieldBlockNote.Field([0x78], [0xFF], .neverIndexed)),
                .field(
                    FieldBlockNote.Field([0x79], [], .incremental, isNameHuffman: true, isValueHuffman: true)),
            ])
        #expect(note.itemCount == 5 && note.frameCount == 2 && note.byteCount == block.bytes.count)
        // Fields beyond the bound of the decoder are counted alone.
        let cut = try #require(HeaderDecoder()).decode(block.bytes, HeaderDecoder.Limits(fieldCount: 1))
        let short = FieldBlockNote(cut, by: .client, stream: 1, kind: .request, frameCount: 1, byteCount: 1)
        #expect(short.items.count == 2 && short.itemCount == 5)
    }

    /// The violations of a frame, as a reader finds them.
    private static func violations(of frame: Frame) throws -> [FrameViolationNote] {
        ReadFrame(sent: frame, at: 24).violations.map { FrameViolationNote($0) }
    }

    @Test func `a violation has its section, its scope and its code`() throws {
        let found = try Self.violations(of: Frame(.ping, flags: FrameFlags(rawValue: 0x02), stream: 1, payload: []))
        #expect(found.map(\.kind) == ["undefined-flag", "unwanted-stream"])
        #expect(found.map(\.scope) == [.none, .connection] && found.map(\.code) == [nil, "PROTOCOL_ERROR"])
        let second = try #require(found.last)
        #expect(second.section == "RFC 9113 §6.7" && second.stream == 1 && second.frame == "PING")
        #expect(second.offset == 24 && second.isFatal && second.sentence.hasPrefix("PING on stream 1: "))
        let read = try #require(ReadFrame(sent: Frame(.ping, stream: 1), at: 0).violations.first)
        #expect(!FrameViolationNote(read, isReadOver: true).isFatal)
        #expect(FrameViolationNote(read, isReadOver: true).scope == .connection)
    }

    @Test func `the journal's list of kinds is that of the frames' reader`() {
        #expect(FrameViolationNote.kinds == HTTP2Violation.Kind.allCases.map(\.rawValue))
    }

    @Test func `the journal's names of codes and types are those of the frames' reader`() {
        #expect(FrameNote.codes == ErrorCode.named.map(\.description))
        for name in FrameNote.typesOfStreams { #expect(FrameType(named: name) != nil, "\(name)") }
    }

    // MARK: What is made of entries

    private static let violation = FrameViolationNote(
        "wrong-length", section: "RFC 9113 §6.4", sentence: "it is wrong", at: 24, stream: 3, frame: "RST_STREAM",
        scope: .connection, code: "FRAME_SIZE_ERROR")

    private static func head(on stream: UInt32) -> RequestHead {
        RequestHead(
            RequestHead.ControlData(
                method: Array("GET".utf8), path: Array("/a".utf8), authority: Array("x".utf8), endsStream: true,
                contentLength: nil, stream: stream), fields: [])
    }

    private static func lines(_ events: [(JournalEvent, request: Int?)]) async -> [RequestLine] {
        let lines = RequestLines()
        let source = lines.source(scenario: "a/one")
        for (event, request) in events {
            source.add(JournalEntry(sequence: 1, nanoseconds: 1, connection: 0, request: request, event: event))
        }
        lines.finish()
        var printed: [RequestLine] = []
        await lines.run { (line: RequestLine) in printed.append(line) }
        return printed
    }

    @Test func `the line of a request has its version and what is wrong with its stream`() async throws {
        let printed = await Self.lines([
            (.requestHead(Self.head(on: 1), target: Array("/a".utf8)), 0),
            (.requestHead(Self.head(on: 3), target: Array("/a".utf8)), 1),
            (.frameViolation(Self.violation), nil), (.replySent(status: 200, byteCount: 1), 0),
            (.replySent(status: 200, byteCount: 1), 1),
        ])
        #expect(printed.count == 2 && printed.map(\.outcome) == [.good, .wrong])
        #expect(printed[0].text.hasSuffix("  a/one  GET /a HTTP/2  200  1 byte  0.0 ms"))
        #expect(
            printed[1].text.hasSuffix(
                "  GET /a HTTP/2  200  1 byte  0.0 ms  violation: wrong-length (RFC 9113 §6.4)"))
        #expect(
            printed[1].json.contains(#""target":"/a","version":"HTTP/2","stream":3,"outcome":"replied""#)
                && printed[1].json.hasSuffix(
                    #""violations":[{"kind":"wrong-length","section":"RFC 9113 §6.4"}]}"#)
        )
    }

    @Test func `what is no request has a line where it ends anything`() async throws {
        var harmless = Self.violation
        (harmless.scope, harmless.code) = (.none, nil)
        var readOver = Self.violation
        readOver.isReadOver = true
        let printed = await Self.lines([
            (.frameViolation(harmless), nil), (.frameViolation(readOver), nil), (.frameViolation(Self.violation), nil),
        ])
        #expect(printed.count == 1)
        #expect(
            printed[0].text.hasSuffix(
                "  a request that can't be read  FRAME_SIZE_ERROR  violation: wrong-length (RFC 9113 §6.4)"))
        #expect(printed[0].json.contains(#""outcome":"refused","code":"FRAME_SIZE_ERROR""#))
    }

    @Test func `violations are counted as faults, unless a client could not know better`() {
        let faults = ClientFaults()
        let notes = FaultNotes(faults: faults, scenario: "a/one")
        var late = Self.violation
        (late.kind, late.scope) = ("stream-after-goaway", .none)
        for violation in [Self.violation, late] {
            notes.countEntry(
                JournalEntry(
                    sequence: 1, nanoseconds: 1, connection: 0, request: nil, event: .frameViolation(violation))
            ) { [] }
        }
        #expect(faults.tally.violationCount == 1 && faults.tally.faultCount == 1)
        #expect(
            faults.tally.examples == ["a/one: wrong-length at byte 24: it is wrong (RFC 9113 §6.4)"])
    }

    @Test func `blocks and frames count in a journal by their size`() {
        let long = [UInt8](repeating: 0x61, count: 16 << 10)
        let block = FieldBlockNote(
            by: .client, stream: 1, kind: .request, frameCount: 1, byteCount: 1,
            items: [.field(FieldBlockNote.Field([0x61], long, .neverIndexed))])
        let goAway = FrameNote(
            by: .client, type: "GOAWAY", byteCount: 9, offset: 0,
            detail: .goAway(lastStream: 1, code: "NO_ERROR", debug: Array(long.prefix(1 << 10))))
        for (event, kept) in [(JournalEvent.fieldBlock(block), 10...16), (.frame(goAway), 150...256)] {
            var entries = BoundedEntries(limits: Journal.Limits(entryCount: 1_000, byteCount: 256 << 10))
            for number in 1...1_000 {
                entries.append(
                    JournalEntry(sequence: UInt64(number), nanoseconds: 0, connection: 0, request: nil, event: event))
            }
            #expect(kept.contains(entries.inOrder.count), "\(entries.inOrder.count)")
        }
    }
}
