import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorEvents
@testable import ProctorJournal

/// What is written by hand against the table of fields; the lines themselves are in Tests/Data/readers/journal.
struct JournalTableTests {
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

    @Test func `an entry has 64 bytes, those of frames and field blocks within it`() {
        #expect(MemoryLayout<JournalEntry>.stride == 64)
    }

    @Test func `a note of another frame or block that is written alike differs in its place alone`() {
        let frame = FrameNote(by: .client, type: "HEADERS", flags: ["END_HEADERS"], byteCount: 0, offset: 0)
        #expect(
            frame.placed(on: 3, byteCount: 9, at: 40)
                == FrameNote(
                    by: .client, type: "HEADERS", flags: ["END_HEADERS"], stream: 3, byteCount: 9, offset: 40))
        let item = FieldBlockNote.Item.field(FieldBlockNote.Field([0x61], [0x62], .incremental))
        func block(stream: UInt32, frameCount: Int) -> FieldBlockNote {
            FieldBlockNote(
                by: .client, stream: stream, kind: .request, frameCount: frameCount, byteCount: 9, items: [item])
        }
        #expect(block(stream: 1, frameCount: 1).placed(on: 3) == block(stream: 3, frameCount: 1))
        #expect(block(stream: 1, frameCount: 1).inFrames(2) == block(stream: 1, frameCount: 2))
        #expect(block(stream: 1, frameCount: 1).placed(on: 3) != block(stream: 1, frameCount: 1))
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
