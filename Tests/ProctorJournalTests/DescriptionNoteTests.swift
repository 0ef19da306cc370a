import Testing

@testable import ProctorJournal

/// What a journal says of messages that a description speaks of.
struct DescriptionNoteTests {
    static let fault = DescriptionNote.Fault(
        part: "body", pointer: "/a\n/0", schemaPointer: "/x", place: "a.yaml:1:2", sentence: #"wanted "a""#)
    static let full = DescriptionNote(.request, operation: "POST /a", faults: [fault], open: ["body: it is coded"])
    static let bare = DescriptionNote(.reply, operation: nil, faults: [], open: [])

    @Test func `a note has its golden line`() {
        let head = #"{"seq":7,"ns":81230,"connection":2,"ev":"described","of":"#
        #expect(
            JournalEncoderTests.line(.described(Self.full))
                == head + #""request","operation":"POST /a","faults":[{"part":"body","pointer":"/a\n/0","#
                + #""schemaPointer":"/x","place":"a.yaml:1:2","sentence":"wanted \"a\""}],"open":["body: it is coded"]}"#
                + "\n")
        #expect(JournalEncoderTests.line(.described(Self.bare)) == head + #""reply","faults":[],"open":[]}"# + "\n")
    }

    @Test func `a note comes back as it was`() throws {
        let notes = [Self.full, Self.bare]
        let bytes = JournalEncoder().lines(
            notes.enumerated().map { index, note in
                JournalEntry(
                    sequence: UInt64(index + 1), nanoseconds: 9, connection: 0, request: 1, event: .described(note))
            })
        let read = try JournalLines(bytes, file: "j.jsonl").entries.compactMap { entry -> DescriptionNote? in
            if case .described(let note) = entry.event { note } else { nil }
        }
        #expect(read == notes)
    }

    @Test func `a sentence has the first three faults and no control characters`() {
        let many = DescriptionNote(
            .request, operation: "POST /a", faults: Array(repeating: Self.fault, count: 5), open: [])
        #expect(
            many.sentence.hasPrefix(
                #"the request is not as described under POST /a: body /a\n/0: wanted "a" (a.yaml:1:2 #/x)"#))
        #expect(many.sentence.hasSuffix("; 2 other faults"))
        #expect(Self.full.sentence.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        let open = DescriptionNote(.reply, operation: nil, faults: [], open: ["body: it is coded"])
        #expect(open.sentence == "the scenario's reply is not judged: body: it is coded")
    }
}
