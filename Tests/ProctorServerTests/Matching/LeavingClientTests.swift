import Dispatch
import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Clients that leave while their requests wait for the thread that compares.
@Suite(.serialized)
struct LeavingClientTests {
    enum Leaving: String, CaseIterable, CustomTestStringConvertible {
        case reset = "a connection of HTTP/1.1 is reset"
        case streamReset = "a stream of HTTP/2 is reset"
        case connectionReset = "a connection of HTTP/2 is reset"
        case none = "the client stays"

        var testDescription: String { rawValue }
    }

    private static let yaml = """
        summary: many patterns that take long
        origins: { main: { protocols: [http/1.1, h2] } }
        exchanges:
        """
        + (0..<300)
        .map { "\n  - { request: { method: GET, path: { matches: '/(a+)+b\($0)' } }, reply: { status: 200 } }" }
        .joined()
    private static let target = "/" + String(repeating: "a", count: 3_000)

    @Test(arguments: Leaving.allCases)
    func `a request is not compared once its client has left, and one that stays is told of the bound`(
        _ leaving: Leaving
    ) async throws {
        let scenarios = [try scenario(Self.yaml), try scenario(always("{ status: 200 }"), id: "test/two")]
        try await withServer(scenarios, configure: { $0.threadCount = 1 }) { server in
            let run = try await server.run(scenarios[0].id)
            let other = try await server.run(scenarios[1].id)
            // The thread that compares does nothing until the client has left.
            let mayCompare = DispatchSemaphore(value: 0)
            WorkThreads.matching.add(within: .ofInput) { _ in mayCompare.wait() }
            let client: (Wire, FrameWire?)
            do {
                defer { mayCompare.signal() }
                client = try await Self.ask(leaving, run.base)
                _ = try await run.journal.lines { $0.contains { $0.contains("r0 ") } }
                try await onThread { try Self.leave(leaving, client) }
                // The loop looks at its sockets at least once between two replies, and acts on what it saw.
                for _ in 0..<2 { _ = try await exchange(.request("GET /"), with: other.base) }
            }
            let isMissed = { (line: String) in line.contains(" missed") }
            if leaving == .none { _ = try await run.journal.lines { $0.contains(where: isMissed) } }
            // A connection ends behind its requests.
            client.0.close()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains(where: isMissed) == (leaving == .none), "\(lines)")
        }
    }

    private static func ask(_ leaving: Leaving, _ base: String) async throws -> (Wire, FrameWire?) {
        try await onThread {
            let wire = try Wire(to: base)
            guard leaving == .streamReset || leaving == .connectionReset else {
                try wire.send(.request("GET \(target)"))
                return (wire, nil)
            }
            let frames = try FrameWire(wire)
            try frames.request("GET \(target)")
            return (wire, frames)
        }
    }

    private static func leave(_ leaving: Leaving, _ client: (Wire, FrameWire?)) throws {
        switch leaving {
        case .reset, .connectionReset: client.0.reset()
        case .streamReset: try client.1?.send(.resetStream(1, .cancel))
        case .none: break
        }
    }
}
