import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorTestSupport
import Testing

/// Conversations over HTTP/2 with curl, over TLS and without.
@Suite(.limit(minutes: 5))
struct HTTP2ClientTests {
    private func yaml(_ origin: String) -> String {
        """
        summary: answers over HTTP/2
        origins:
          main: \(origin)
        exchanges:
          - request: GET /
            reply: { status: 200, body: "{{base}}" }
          - request: GET /long
            reply: { status: 200, body: { repeat: x, bytes: 5000000 } }
          - request: POST /echo
            reply: { status: 200, body: "{{request.body}}" }
        """
    }

    private func curl(_ run: Run, _ words: String..., input: [UInt8]? = nil) async throws -> ChildProcess.Outcome {
        let trust = run.trust.map { ["--cacert", $0] } ?? []
        return try await ChildProcess.run(
            ["/usr/bin/env", "curl", "-sS", "--max-time", "60"] + trust + words, input: input)
    }

    @Test(arguments: ["{ protocols: [h2] }", "{ scheme: https, protocols: [h2] }"])
    func `long content goes both ways`(origin: String) async throws {
        try await withRun(yaml(origin)) { run in
            let long = try await curl(run, "--http2-prior-knowledge", run.base + "/long")
            #expect(long.output == [UInt8](repeating: 0x78, count: 5_000_000), "\(long.err)")
            let content = [UInt8]((0..<600_000).map { UInt8(truncatingIfNeeded: $0 % 251) })
            let echo = try await curl(
                run, "--http2-prior-knowledge", "--data-binary", "@-", run.base + "/echo", input: content)
            #expect(echo.output == content, "\(echo.err)")
        }
    }
}
