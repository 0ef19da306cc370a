import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorTestWire
import Testing

@testable import ProctorHTTP2Serving
@testable import ProctorJournal
@testable import ProctorReplies
@testable import ProctorServer
@testable import ProctorServing

/// Names that two modules share, and the room that entries take; the notes stand in Tests/Data/readers/http2/journal.md.
struct HTTP2NotesTests {
    @Test func `the journal's list of kinds is that of the frames' reader`() {
        #expect(FrameViolationNote.kinds == HTTP2Violation.Kind.allCases.map(\.rawValue))
    }

    @Test func `the journal's names of types are those of the frames' reader`() {
        for name in FrameNote.typesOfStreams { #expect(FrameType(named: name) != nil, "\(name)") }
    }

    private static let violation = FrameViolationNote(
        "wrong-length", section: "RFC 9113 §6.4", sentence: "it is wrong", at: 24, stream: 3, frame: "RST_STREAM",
        scope: .connection, code: "FRAME_SIZE_ERROR")

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

    @Test func `a violation that is read over ends nothing`() throws {
        let read = try #require(ReadFrame(sent: Frame(.ping, stream: 1), at: 0).violations.first)
        let note = FrameViolationNote(read, isReadOver: true)
        #expect(FrameViolationNote(read).isFatal && !note.isFatal && note.scope == .connection)
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
