import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The end of a judgement before its time: its caller leaves, or the server stops.
@Suite(.limit(minutes: 5))
struct JudgingEndTests {
    /// A scenario whose case takes minutes to compare with ``trace``: each event leads to a state that was not met
    /// before.
    private static let scenario = """
        summary: A page
        exchanges: [{ request: GET /, reply: { status: 200 } }]
        cases:
          slow:
            client: { url: / }
            task: (data | bodySent)* data \(String(repeating: "(data | bodySent) ", count: 1_000))complete(ok)
        """

    private static let trace: String = {
        var state: UInt64 = 7
        return (0..<120_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return "{\"lane\":\"task\",\"ev\":\"\(state >> 63 == 0 ? "data" : "bodySent")\"}\n"
        }.joined()
    }()

    private static let short = "{\"lane\":\"task\",\"ev\":\"complete\",\"arg\":\"ok\"}\n"

    /// Asks for as many long judgements as run at a time.
    private func fill(_ server: Server, _ run: String) async throws -> [Wire] {
        let base = server.base
        return try await onThread {
            try (0..<4).map { _ in
                let wire = try Wire(to: base)
                try wire.send(controlRequest("POST /runs/\(run)/grade?case=slow", body: Self.trace))
                return wire
            }
        }
    }

    @Test func `callers that leave give their turns back`() async throws {
        try await withControl { server in
            let run = try await call("POST /inline", on: server, body: Self.scenario).text("run")
            let wires = try await fill(server, run)
            for wire in wires { wire.close() }
            // Without an end of the others this one would wait for its turn longer than the client's patience.
            let verdict = try await call("POST /runs/\(run)/grade?case=slow", on: server, body: Self.short)
            #expect(try verdict.text("outcome") == "fail")
        }
    }

    @Test func `a server that stops ends what is being judged`() async throws {
        try await withControl { server in
            let run = try await call("POST /inline", on: server, body: Self.scenario).text("run")
            let wires = try await fill(server, run)
            // Judged by now, or waiting for a turn; a verdict needs a turn of its own, so that it can't be asked.
            await server.stop(grace: .milliseconds(50))
            for wire in wires { wire.close() }
        }
    }
}
