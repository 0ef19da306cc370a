import Foundation
import ProctorEvents
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Runs: each a life of its own, with an end that leaves nothing behind.
struct RunTests {
    private static let turns = """
        summary: turns
        exchanges:
          - { request: GET /, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }
        cases:
          both: { client: { url: / }, wire: request(GET /) request(GET /) }
        """

    @Test func `an unknown scenario, too many runs and a stopped server are told apart`() async throws {
        let scenario = try scenario(Self.turns)
        let server = try await withServer([scenario], configure: { $0.limits.runCount = 2 }) { server in
            await #expect {
                try await server.run("test/oen")
            } throws: {
                "\($0)" == "there is no scenario 'test/oen'; did you mean 'test/one'?"
            }
            let first = try await server.run("test/one")
            _ = try await server.run("test/one")
            await #expect {
                try await server.run("test/one")
            } throws: {
                "\($0)" == "2 runs are open, which is the limit; end some first"
            }
            await first.stop()
            _ = try await server.run("test/one")
            return server
        }
        await #expect { try await server.run("test/one") } throws: { "\($0)" == "the server is being stopped" }
    }

    @Test func `runs that are being made while the server stops end with it`() async throws {
        for _ in 0..<10 {
            let server = try await Server.start(Catalogue([try scenario(Self.turns)]))
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask {
                        guard let run = try? await server.run("test/one") else { return }
                        await run.stop()
                    }
                }
                group.addTask { await server.stop(grace: .zero) }
            }
        }
    }
}

/// What an ended run leaves behind: nothing.
struct RunEndTests {
    private static let yaml = """
        summary: three origins
        origins: { other: {}, dead: { role: closed } }
        exchanges:
          - { request: GET /, reply: { status: 200, body: ok } }
          - { request: GET /stall, reply: { effects: [ { at: head, do: stall } ] } }
          - { request: GET /reset, reply: { effects: [ { at: head, do: reset } ] } }
        """

    @Test func `100 runs made, used and stopped leave no connection and no listener`() async throws {
        try await withServer([try scenario(Self.yaml)]) { server in
            var ports: [String] = []
            for number in 0..<100 {
                let run = try await server.run("test/one")
                ports += [run.base, try #require(run.origin("other"))]
                let target = ["/", "/reset", "/stall"][number % 3]
                let wire = try await onThread { () -> Wire in
                    let wire = try Wire(to: run.base)
                    try wire.send(.request("GET \(target)"))
                    if target == "/" { _ = try wire.readReply() }
                    return wire
                }
                await run.stop()
                let rest = try await onThread { try wire.readToEnd() }
                #expect(rest.bytes.isEmpty && rest.ending != .silent)
                #expect(run.journal.lines.count { $0.contains(" closed by ") } <= 1)
            }
            try await expectRefused(by: ports)
        }
    }

    @Test func `runs that their maker forgets end with the server`() async throws {
        let server = try await Server.start(Catalogue([try scenario(Self.yaml)]))
        var ports: [String] = []
        for _ in 0..<20 { ports.append(try await server.run("test/one").base) }
        await server.stop(grace: .zero)
        try await expectRefused(by: ports)
    }

    /// Sooner or later: a child process that another test starts holds our descriptors until its program begins.
    private func expectRefused(by ports: [String]) async throws {
        try await onThread { for base in ports { try Wire.waitUntilRefused(by: base) } }
    }
}

/// Bytes that a run reads while it ends.
@Suite(.limit(minutes: 5))
struct RunStopTests {
    @Test func `bytes of clients that have left are read, though the loop has not read them yet`() async throws {
        let clientCount = 200
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let base = run.base
            // Faster than one loop accepts, reads and answers.
            try await onThread {
                for index in 0..<clientCount {
                    let wire = try Wire(to: base)
                    try wire.send(.request("GET /\(index)"))
                    wire.close()
                }
            }
            await run.stop(grace: Patience.whole)
            let lines = run.journal.lines
            #expect(lines.count { $0.contains(" opened ") } == clientCount)
            #expect(lines.count { $0.contains(" GET /") } == clientCount)
        }
    }

    @Test func `half a request is waited for as long as the grace lasts, and no longer`() async throws {
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let wire = try Wire(to: run.base)
            defer { wire.close() }
            try wire.send("GET / HT")
            await run.stop(grace: .milliseconds(200))
            #expect(!run.journal.lines.contains { $0.contains(" GET /") })
        }
    }

    @Test func `who says nothing is not waited for`() async throws {
        try await withRun(always("{ status: 200, body: ok }")) { run in
            let wire = try Wire(to: run.base)
            defer { wire.close() }
            _ = try await run.journal.lines { $0.contains { $0.contains(" opened ") } }
            // A grace that is longer than the whole suite, so the test can't wait for its end.
            await run.stop(grace: .seconds(3_600))
            #expect(run.journal.lines.contains { $0.contains(" closed by ") })
        }
    }
}
