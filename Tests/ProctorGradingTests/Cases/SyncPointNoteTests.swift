import ProctorTrace
import Testing

@testable import ProctorGrading

/// What a verdict says of replies that waited in vain.
struct SyncPointNoteTests {
    private func journal(_ passings: [(String, JournalEvent.SyncPassing)]) throws -> [JournalEntry] {
        var script = JournalScript()
        script.wait(milliseconds: 1)
        script.open()
        try script.request("GET /a")
        for (event, how) in passings { script.add(.syncPassed(event: event, how: how), request: 0) }
        return script.entries
    }

    private func notes(_ passings: (String, JournalEvent.SyncPassing)...) throws -> [String] {
        let verdict = try grade(
            makeCase(), "resume response(200) answer(allow) data complete(ok)", journal: try journal(passings))
        #expect(verdict.outcome == .pass)
        return verdict.notJudged
    }

    @Test func `a reported event is nothing to speak of`() throws {
        #expect(try notes(("response", .reached), ("data", .reached)) == [])
    }

    @Test func `what came too late, or was never reported, is told once each, and fails nothing`() throws {
        #expect(
            try notes(
                ("data", .timedOut), ("response", .reached), ("data", .timedOut), ("data", .timedOut),
                ("complete", .unreported)) == [
                    "the order at 'await data': the reply went on without it, for the client did not report it in time "
                        + "(journal entry 4, and 2 more)",
                    "the order at 'await complete': the reply went on without it, for the client had reported nothing "
                        + "(journal entry 8)",
                ])
    }

    @Test func `the timeline has a row for each`() throws {
        let evidence = CaseEvidence(events: [], journal: try journal([("data", .timedOut), ("response", .reached)]))
        let text = Timeline(evidence).description
        #expect(text.contains("went on without data: the client did not report it in time"))
        #expect(text.contains("went on, for the client had reported response"))
    }
}
