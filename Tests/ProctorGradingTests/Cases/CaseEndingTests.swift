import ProctorEvents
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// Clients that die or do not end.
struct CaseEndingTests {

    @Test func `of very many loads that hang the first hundred are told one by one, and the others counted`() throws {
        let trace = (0..<103).map { "[\($0)]resume [\($0)]response(200)" }.joined(separator: " ")
        let verdict = CaseGrader(try makeCase(lanes: [:]), scenario: "a").grade(
            CaseEvidence(events: try TraceScript.events(trace)))
        let sentences = verdict.findings.map(\.sentence).filter { $0.contains("hung") }
        #expect(sentences.count == 101)
        #expect(sentences[99].hasPrefix("task[99] hung"))
        #expect(sentences[100] == "3 more loads hung")
    }
}

/// The notes of a verdict about replies whose awaited event did not come.
struct SyncPointNoteTests {
    private func journal(_ passings: [(String, JournalEvent.SyncPassing)]) throws -> [JournalEntry] {
        var script = try JournalScript.opened("GET /a", after: 1)
        for (event, how) in passings { script.add(.syncPassed(event: event, how: how), request: 0) }
        return script.entries
    }

    private func notes(_ passings: (String, JournalEvent.SyncPassing)...) throws -> [String] {
        let verdict = try grade(
            makeCase(), "resume response(200) answer(allow) data complete(ok)", journal: try journal(passings))
        #expect(verdict.outcome == .pass)
        return verdict.notJudged
    }

    @Test func `the timeline has a row for each`() throws {
        let evidence = CaseEvidence(events: [], journal: try journal([("data", .timedOut), ("response", .reached)]))
        let text = Timeline(evidence).description
        #expect(text.contains("went on without data: the client did not report it in time"))
        #expect(text.contains("went on, for the client had reported response"))
    }
}
