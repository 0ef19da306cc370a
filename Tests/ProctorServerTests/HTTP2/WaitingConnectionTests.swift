import ProctorHTTP2
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Connections that rest while they wait.
struct WaitingConnectionTests {
    private let yaml = """
        summary: says what it was asked
        origins: { main: { protocols: [h2] } }
        exchanges:
          - request: GET /turn
            reply: { status: 200, headers: { x-turn: "{{request.header.x-turn}}", x-same: everywhere }, body: "{{request.header.x-same}}" }
        """

    @Test(arguments: [0, 1, 7, 64]) func `connections that have waited answer as before, with the tables of both sides`(
        _ awakeCount: Int
    ) async throws {
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.limits.awakeConnectionCount = awakeCount
            configuration.limits.restDuration = .zero
        }
        let answers = try await withRun(yaml, configure: configure) { run in
            let base = run.base
            return try await onThread {
                let clients = try (0..<20).map { _ in try FrameWire(Wire(to: base)) }
                var answers: [String] = []
                for turn in 0..<3 {
                    for (number, client) in clients.enumerated() {
                        // Fields of both sides come into their tables, and are asked for by index from then on.
                        try client.request(
                            "GET /turn", "x-turn: \(number)", "x-same: \(number) everywhere", on: UInt32(2 * turn + 1))
                        let reply = try client.reply(on: UInt32(2 * turn + 1))
                        answers.append(
                            (reply.sections.joined().filter { $0.hasPrefix("x-") } + [reply.text]).joined(
                                separator: ", "))
                    }
                }
                return answers
            }
        }
        #expect(answers == (0..<60).map { "x-turn: \($0 % 20), x-same: everywhere, \($0 % 20) everywhere" })
    }

    @Test func `a connection that rests ends by its own bound`() async throws {
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.limits.awakeConnectionCount = 0
            configuration.limits.restDuration = .zero
            configuration.limits.idleDuration = .milliseconds(100)
        }
        try await withRun(yaml, configure: configure) { run in
            let base = run.base
            let code = try await onThread {
                let client = try FrameWire(Wire(to: base))
                try client.request("GET /turn")
                _ = try client.reply()
                guard case .goAway(_, let code, _)? = try client.next(.goAway)?.content else { return "none" }
                return code.description
            }
            #expect(code == "NO_ERROR")
        }
    }
}
