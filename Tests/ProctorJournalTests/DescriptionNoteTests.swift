import Testing

@testable import ProctorJournal

/// What a journal says of messages that a description speaks of.
struct DescriptionNoteTests {
    static let fault = DescriptionNote.Fault(
        part: "body", pointer: "/a\n/0", schemaPointer: "/x", place: "a.yaml:1:2", sentence: #"wanted "a""#)
    static let full = DescriptionNote(.request, operation: "POST /a", faults: [fault], open: ["body: it is coded"])

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
