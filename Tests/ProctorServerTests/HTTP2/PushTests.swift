import ProctorDocument
import ProctorHTTP2
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Warnings of replies that are pushed.
struct PushTests {
    @Test func `a push that nothing answers is warned of`() async throws {
        let yaml = """
            summary: s
            origins: { main: { protocols: [h2] } }
            exchanges:
              - request: GET /page
                reply: { status: 200, body: page, effects: [{ at: body 2, do: push /nowhere }] }
            """
        try await withRun(yaml) { run in
            #expect(
                run.scenario.warnings.map(\.sentence) == [
                    "no exchange of the origin answers the pushed GET /nowhere"
                ])
        }
    }
}
