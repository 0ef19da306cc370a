import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// How the chunks of a reply are spelled, byte for byte.
struct ChunkStyleTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let framing: String
        let wire: String
        var testDescription: String { framing }
    }

    private static let rows: [Row] = [
        Row(framing: "{ chunked: [ 11, 1 ] }", wire: "b\r\n0123456789a\r\n1\r\nb\r\n0\r\n\r\n"),
        Row(framing: "{ chunked: [ 12 ], digits: upper }", wire: "C\r\n0123456789ab\r\n0\r\n\r\n"),
        Row(framing: "{ chunked: [ 12 ], width: 4 }", wire: "000c\r\n0123456789ab\r\n0000\r\n\r\n"),
        Row(framing: "{ chunked: [ 12 ], digits: upper, width: 2 }", wire: "0C\r\n0123456789ab\r\n00\r\n\r\n"),
        Row(
            framing: "{ chunked: [ 6 ], extensions: \";a=b\" }",
            wire: "6;a=b\r\n012345\r\n6;a=b\r\n6789ab\r\n0;a=b\r\n\r\n"),
        Row(
            framing: "{ chunked: [ 4 ], extensions: [ \";x\", \"\", \" ; q=\\\"1\\\"\" ] }",
            wire: "4;x\r\n0123\r\n4\r\n4567\r\n4 ; q=\"1\"\r\n89ab\r\n0 ; q=\"1\"\r\n\r\n"),
        Row(framing: "{ chunked: [ 6 ], last: missing }", wire: "6\r\n012345\r\n6\r\n6789ab\r\n"),
        Row(framing: "{ chunked: [] }", wire: "c\r\n0123456789ab\r\n0\r\n\r\n"),
    ]

    @Test(arguments: rows)
    func `chunks are spelled as the fixture says`(_ row: Row) async throws {
        let reply = "{ status: 200, framing: \(row.framing), body: 0123456789ab }"
        let got = try await withRun(always(reply)) { run in try await exchange(.request("GET /"), with: run.base) }
        #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + row.wire, .closed))
    }

    @Test func `an effect finds its place between chunks of any spelling`() async throws {
        let reply = """
            { status: 200, framing: { chunked: [ 6 ], width: 3, extensions: ";a" }, body: 0123456789ab,
              effects: [ { at: wire 2, do: send < }, { at: body 6, do: send > } ] }
            """
        let got = try await withRun(always(reply)) { run in try await exchange(.request("GET /"), with: run.base) }
        #expect(got.text.hasSuffix("\r\n\r\n00<6;a\r\n012345\r\n>006;a\r\n6789ab\r\n000;a\r\n\r\n"))
    }

    @Test func `effects stand between interim replies`() async throws {
        let reply = """
            { status: 200, body: hi, interim: [ 100, { do: send [x] }, { status: 103, headers: { A: b } }, { do: send [y] } ] }
            """
        try await withRun(always(reply.replacing("[x]", with: "<").replacing("[y]", with: ">"))) { run in
            let got = try await exchange(.request("GET /"), with: run.base)
            let wanted =
                "HTTP/1.1 100 Continue\r\n\r\n<HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n>"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
            #expect(got == Wire.Received(wanted, .closed))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                lines.filter { $0.contains("effect") } == [
                    "c0 r0 effect send 1 bytes at interim 1", "c0 r0 effect send 1 bytes at interim 2",
                ])
        }
    }
}

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
            await run.stop(grace: Patience.whole)
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
            await run.stop(grace: Patience.whole)
            let kept = run.journal.snapshot().entries.compactMap { entry -> RequestBody? in
                if case .requestBody(let body) = entry.event { body } else { nil }
            }
            #expect(kept.map(\.chunks.count) == [20])
            #expect((kept.first?.chunkLines.reduce(0) { $0 + $1.count } ?? .max) <= ReceivedBytes.keptByteLimit)
            #expect(run.wireVerdict(of: run.scenario.cases[0]).undecidedFacts.map(\.text) == ["wire[0].chunk-lines"])
        }
    }
}
