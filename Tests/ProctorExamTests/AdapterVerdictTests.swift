import ProctorExam
import ProctorGrading
import ProctorScenario
import ProctorTestSupport
import Testing

/// Verdicts on an adapter that hangs; the case can be passed without a network.
@Suite(.limit(minutes: 5))
struct AdapterVerdictTests {
    /// A script that writes a trace, whose events lie a microsecond apart, and then does what is said.
    private func script(_ events: [String], then last: String) -> String {
        let header =
            #"{"trace":"proctor","version":1,"client":"script","clientVersion":"1","clock":"monotonic","unit":"ns","#
            + #""lanes":["task","session","handler","harness"]}"#
        let lines = [header] + events.enumerated().map { "{\"seq\":\($0 + 1),\"ns\":\(($0 + 1) * 1_000),\($1)}" }
        return lines.map { "echo '\($0)'\n" }.joined() + last
    }

    private static let resume = #""lane":"harness","task":0,"ev":"resume""#

    @Test func `a hang is ended, gets a verdict with its open question, and does not delay other cases`() async throws {
        let events = [
            Self.resume, #""lane":"task","task":0,"family":"US","ev":"redirect","arg":"302","phase":"enter""#,
        ]
        let ledger = try Ledger.of(
            "client: script\ndeviations:\n  cancel/in-redirect#in-the-second:\n    because: so it is\n    outcome: hang\n"
        )
        let clock = ContinuousClock()
        let start = clock.now
        try await ExamBench.with { bench in
            let examiner = bench.examiner(
                script: script(events, then: "echo 'still here' >&2; sleep 1000"), ledger: ledger)
            async let unlisted = bench.sit("cancel/in-redirect", "no-answer", with: examiner)
            async let listed = bench.sit("cancel/in-redirect", "in-the-second", with: examiner)
            let verdict = try await unlisted.verdict
            #expect(verdict.outcome == .hang)
            let text = try #require(verdict.failures.first).description
            #expect(text.contains("after redirect(302) of task"), "\(text)")
            #expect(text.contains("open    : task: redirect(302), event 2"), "\(text)")
            #expect(text.contains("stderr  : still here"), "\(text)")
            #expect(try await listed.verdict.outcome == .known)
        }
        // The bound of the case, longer on a slow machine, and the watchdog's behind it; the script sleeps for 1,000 s.
        #expect(clock.now - start < .seconds(400))
    }
}
