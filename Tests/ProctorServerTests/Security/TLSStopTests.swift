import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// A slow client gets the last records of a reply, which wait in the session's queue.
@Suite(.limit(minutes: 5))
struct TLSStopTests {
    // More than the systems of both ends hold.
    private static let byteCount = 24_000_000

    private static func scenario(_ version: String) -> String {
        """
        summary: a large reply over TLS
        origins:
          main: { scheme: https, tls: { versions: "\(version)" } }
        exchanges:
          - request: "GET /*"
            reply:
              status: 200
              body: { repeat: "0123456789abcdef", times: \(byteCount / 16) }
        """
    }

    @Test(arguments: ["1.2", "1.3"])
    func `a graceful stop lets a slow reader have the whole of its reply`(_ version: String) async throws {
        try await withRun(Self.scenario(version)) { run in
            async let reading = ChildProcess.run([
                "/usr/bin/env", "curl", "-sS", "--max-time", "60", "--limit-rate", "12M", "-o", "/dev/null", "-w",
                "%{size_download}", "--cacert", run.trust ?? "", run.base,
            ])
            _ = try await run.journal.lines { lines in lines.contains { $0.contains(" sent 200") } }
            await run.stop(grace: Patience.whole)
            let outcome = try await reading
            #expect(outcome.out == "\(Self.byteCount)" && outcome.status == 0, "\(outcome.err)")
        }
    }
}
