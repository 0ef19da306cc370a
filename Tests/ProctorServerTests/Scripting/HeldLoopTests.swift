import ProctorBase
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

struct HeldLoopTests {
    @Test(arguments: [
        (
            "{ request: GET /x, reply: { script: 'LUA return { status = 200 }' } }", HeldLoop.Work.script,
            "the script of exchange 0 runs"
        ),
        (
            "{ request: { method: GET, path: /x, script: 'LUA return true' }, reply: { status: 200 } }",
            .condition, "the script of exchange 0 is asked whether it is its request"
        ),
    ])
    func `the journal and the server's owner are told which request holds the loop`(
        _ row: (exchange: String, work: HeldLoop.Work, words: String)
    ) async throws {
        let busy = "local start = time.monotonic() while time.monotonic() - start < 0.9 do end"
        let yaml = "summary: x\nexchanges:\n  - \(row.exchange.replacing("LUA", with: busy))\n"
        let told = Locked<[String]>([])
        try await withRun(yaml) {
            $0.limits.heldLoopDuration = .milliseconds(20)
            $0.report = { sentence in told.withLock { $0.append(sentence) } }
        } _: { run in
            _ = try await exchange(.request("GET /x"), with: run.base)
            let entries = run.journal.snapshot().entries
            let held = entries.compactMap { entry -> HeldLoop? in
                if case .loopHeld(let held) = entry.event { held } else { nil }
            }.filter { $0.work == row.work }
            #expect(held.first?.line == "GET /x" && held.first?.exchange == 0 && held.first?.loop == 0, "\(entries)")
            let wanted = ": \(row.words) (test/one, run \(run.id), connection 0)"
            let sentences = told.withLock { $0 }
            #expect(sentences.contains { $0.contains(" by GET /x") && $0.hasSuffix(wanted) }, "\(sentences)")
        }
    }
}
