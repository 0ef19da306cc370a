import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Verdicts from the journal alone.
struct WireGraderTests {

    @Test func `a target that is no UTF-8 is escaped and one that is stays`() throws {
        let script = try JournalScript.opened("GET /a")
        guard case .requestHead(let head, _) = script.entries[1].event else { return }
        for (target, written) in [([0x2F, 0xE9], "GET /\\\\xE9"), (Array("/ż".utf8), "GET /ż")] as [([UInt8], String)] {
            var entries = script.entries
            entries[1] = JournalEntry(
                sequence: 2, nanoseconds: 0, connection: 0, request: 0, event: .requestHead(head, target: target))
            #expect(WireGrader(try makeCase(wire: #"request("\#(written)")"#)).grade(entries).outcome == .pass)
        }
    }

    @Test func `requests may be interleaved with an ambient expression`() throws {
        let entries = try JournalScript.requests("GET /favicon.ico", "GET /a", "GET /favicon.ico")
        let grade = { (ambient: String?) in
            WireGrader(try makeCase(wire: "request(GET /a)", ambient: ambient)).grade(entries).outcome
        }
        #expect(try grade(nil) == .fail)
        #expect(try grade("request(GET /favicon.ico)*") == .pass)
    }
}
