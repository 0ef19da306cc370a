import ProctorJournal
import Testing

@testable import ProctorGrading

/// What a description says of messages, in the verdict on a case.
struct DescriptionFindingTests {
    private static let fault = DescriptionNote.Fault(
        part: "body", pointer: "/count", schemaPointer: "/components/schemas/Order/required", place: "a.yaml:1:2",
        sentence: "wanted this member, got an object without it")

    private func verdict(_ note: DescriptionNote?) throws -> WireVerdict {
        var script = try JournalScript.opened("POST /orders")
        if let note { script.add(.described(note), request: 0) }
        script.close()
        return WireGrader(try makeCase(wire: "request(POST /orders)")).grade(script.entries)
    }

    @Test func `a request that is not as described fails a case that is otherwise met`() throws {
        #expect(try verdict(nil).outcome == .pass)
        let verdict = try verdict(DescriptionNote(.request, operation: "POST /orders", faults: [Self.fault], open: []))
        #expect(verdict.outcome == .fail)
        let finding = try #require(verdict.findings.first)
        #expect(verdict.findings.count == 1 && finding.sequence == 4 && finding.subject.word == "description")
        #expect(
            finding.sentence
                == "the request is not as described under POST /orders: body /count: wanted this member, got an object "
                + "without it (a.yaml:1:2 #/components/schemas/Order/required)")
    }

    @Test func `a reply that is not as described fails it too, and what was left open does not`() throws {
        let reply = try verdict(DescriptionNote(.reply, operation: "POST /orders", faults: [Self.fault], open: []))
        #expect(reply.outcome == .fail)
        #expect(reply.findings.first?.sentence.hasPrefix("the scenario's reply is not as described") == true)
        let open = try verdict(DescriptionNote(.request, operation: nil, faults: [], open: ["body: it is coded"]))
        #expect(open.outcome == .pass && open.findings.isEmpty)
    }
}
