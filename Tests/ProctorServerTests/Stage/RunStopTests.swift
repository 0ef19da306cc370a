import ProctorServer
import ProctorTestSupport
import Testing

/// What a run that ends still hears.
@Suite(.timeLimit(.minutes(5)))
struct RunStopTests {
    @Test func `what clients have sent and left is heard, though nobody had looked yet`() async throws {
        let clientCount = 200
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let base = run.base
            // Faster than one loop accepts, reads and answers.
            try await onThread {
                for index in 0..<clientCount {
                    let wire = try Wire(to: base)
                    try wire.send(.request("GET /\(index)"))
                    wire.close()
                }
            }
            await run.stop(grace: Patience.whole)
            let lines = run.journal.lines
            #expect(lines.count { $0.contains(" opened ") } == clientCount)
            #expect(lines.count { $0.contains(" GET /") } == clientCount)
        }
    }

    @Test func `half a request is waited for as long as the grace lasts, and no longer`() async throws {
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let wire = try Wire(to: run.base)
            defer { wire.close() }
            try wire.send("GET / HT")
            await run.stop(grace: .milliseconds(200))
            #expect(!run.journal.lines.contains { $0.contains(" GET /") })
        }
    }

    @Test func `who says nothing is not waited for`() async throws {
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let wire = try Wire(to: run.base)
            defer { wire.close() }
            _ = try await run.journal.lines { $0.contains { $0.contains(" opened ") } }
            // A grace that nobody waits for: the suite would not live to see its end.
            await run.stop(grace: .seconds(3_600))
            #expect(run.journal.lines.contains { $0.contains(" closed by ") })
        }
    }
}
