import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import Testing

/// How the chunks of a request were spelled.
struct ChunkLineTests {
    private static let yaml = """
        summary: takes chunks
        exchanges: [{ request: PUT /, reply: { status: 200 } }]
        cases:
          spelled: { client: { url: / }, facts: { "wire[0].chunk-lines": ["0A;a=b", "00b", "000;last"], "wire[0].chunks": [10, 11] } }
        """

    private static let body = "0A;a=b\r\n0123456789\r\n00b\r\n01234567890\r\n000;last\r\n\r\n"

    @Test(arguments: [1, 3, 1000])
    func `digits, zeros and extensions are kept as they came, however they came`(step: Int) async throws {
        try await withRun(Self.yaml) { run in
            _ = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Transfer-Encoding: chunked"))
                let bytes = Array(Self.body.utf8)
                for start in stride(from: 0, to: bytes.count, by: step) {
                    try wire.send(Array(bytes[start..<min(start + step, bytes.count)]))
                }
                return try wire.readReply()
            }
            await run.stop(grace: .seconds(30))
            let verdict = run.wireVerdict(of: run.scenario.cases[0])
            #expect(verdict.failures.isEmpty, "\(verdict)")
            #expect(run.journal.received.isEmpty)
        }
    }

    @Test func `of long lines so many bytes are kept as one entry keeps, and the verdict says that there were more`()
        async throws
    {
        let line = "1;x=" + String(repeating: "y", count: 4_000) + "\r\na\r\n"
        let body = String(repeating: line, count: 20) + "0\r\n\r\n"
        try await withRun(Self.yaml) { run in
            _ = try await exchange(.request("PUT /", "Transfer-Encoding: chunked") + body, with: run.base)
            await run.stop(grace: .seconds(30))
            let kept = run.journal.snapshot().entries.compactMap { entry -> RequestBody? in
                if case .requestBody(let body) = entry.event { body } else { nil }
            }
            #expect(kept.map(\.chunks.count) == [20])
            #expect((kept.first?.chunkLines.reduce(0) { $0 + $1.count } ?? .max) <= ReceivedBytes.keptByteLimit)
            #expect(run.wireVerdict(of: run.scenario.cases[0]).undecidedFacts.map(\.text) == ["wire[0].chunk-lines"])
        }
    }
}
