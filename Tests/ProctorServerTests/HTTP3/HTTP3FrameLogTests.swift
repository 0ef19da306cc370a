import ProctorJournal
import Testing

@testable import ProctorHTTP3Serving

/// What the journal has of the bytes on streams of HTTP/3.
struct HTTP3FrameLogTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let stream: UInt64
        let bytes: [UInt8]
        let notes: [String]
    }

    /// A frame of an unknown type, a GOAWAY with an integer of two bytes, and SETTINGS with one parameter.
    private static let control: [UInt8] = [0, 0x04, 2, 0x06, 0x10, 0x21, 1, 9, 0x07, 2, 0x40, 0x04]

    static let rows = [
        Row(
            testDescription: "a control stream", stream: 3, bytes: control,
            notes: [
                "STREAM 3 0 0 streamType(\"control\")", "SETTINGS 3 2 1 settings MAX_FIELD_SECTION_SIZE=16",
                "0x21 3 1 5", "GOAWAY 3 2 8 id(4)", "STREAM FIN 3 0 12",
            ]),
        Row(
            testDescription: "a request", stream: 0, bytes: [1, 2, 0xD9, 0xD9, 0, 3, 1, 2, 3, 0x40, 0, 0],
            notes: ["HEADERS 0 2 0", "DATA 0 3 4", "DATA 0 0 9", "STREAM FIN 0 0 12"]),
        Row(
            testDescription: "a push stream, whose number stands before its frames", stream: 7, bytes: [1, 5, 1, 0],
            notes: ["STREAM 7 0 0 streamType(\"push\")", "HEADERS 7 0 2", "STREAM FIN 7 0 4"]),
        Row(
            testDescription: "instructions, which are no frames", stream: 11, bytes: [2, 0x3F, 0xBD, 1],
            notes: ["STREAM 11 0 0 streamType(\"encoder\")", "STREAM FIN 11 0 1"]),
        Row(testDescription: "nothing but FIN", stream: 4, bytes: [], notes: ["STREAM FIN 4 0 0"]),
    ]

    @Test(arguments: rows) func `frames are noted once, however the bytes come`(_ row: Row) {
        for cut in 0...row.bytes.count {
            #expect(notes(of: [Array(row.bytes[..<cut]), Array(row.bytes[cut...])], on: row.stream) == row.notes)
        }
        #expect(notes(of: row.bytes.map { [$0] } + [[]], on: row.stream) == row.notes)
    }

    @Test func `of DATA the first frames of each direction are noted`() {
        let bytes = [UInt8](repeating: 0, count: 2 * (FrameNote.dataEntryLimit + 5))
        #expect(notes(of: [bytes], on: 0).count { $0.hasPrefix("DATA") } == FrameNote.dataEntryLimit)
    }

    private func notes(of pieces: [[UInt8]], on stream: UInt64) -> [String] {
        var log = HTTP3FrameLog()
        var notes: [String] = []
        for (index, piece) in pieces.enumerated() {
            let bytes = ContiguousArray(piece)
            log.read(bytes.span, on: stream, ends: index + 1 == pieces.count, by: .server) { note in
                var words = [note.type] + note.flags + ["\(note.stream)", "\(note.byteCount)", "\(note.offset)"]
                switch note.detail {
                case .settings(let settings)?:
                    words.append("settings " + settings.map { "\($0.name)=\($0.value)" }.joined())
                case let detail?: words.append("\(detail)")
                case nil: break
                }
                notes.append(words.joined(separator: " "))
            }
        }
        return notes
    }
}
