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

    @Test func `two runs of one scenario do not see each other`() async throws {
        try await withServer([try scenario(Self.turns)]) { server in
            let first = try await server.run("test/one")
            let second = try await server.run("test/one")
            #expect(first.id != second.id && first.base != second.base)
            #if os(Linux)
                // Cookies ignore ports, so the hosts differ too.
                #expect(first.base.split(separator: ":")[1] != second.base.split(separator: ":")[1])
            #endif
            #expect(try await exchange(.request("GET /"), with: first.base).text.hasSuffix("one"))
            #expect(try await exchange(.request("GET /"), with: first.base).text.hasSuffix("two"))
            #expect(try await exchange(.request("GET /"), with: second.base).text.hasSuffix("one"))
            _ = try await first.journal.lines(untilClosed: 2)
            _ = try await second.journal.lines(untilClosed: 1)
            let both = first.scenario.cases[0]
            #expect(first.wireVerdict(of: both).outcome == .pass)
            #expect(second.wireVerdict(of: both).outcome == .fail)
            await first.stop()
            #expect(try await exchange(.request("GET /"), with: second.base).text.hasSuffix("two"))
        }
    }

    @Test func `a reset begins anew, also for a connection that lives on`() async throws {
        try await withServer([try scenario(Self.turns)]) { server in
            let run = try await server.run("test/one")
            let wire = try await onThread { () -> Wire in
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /"))
                _ = try wire.readReply()
                return wire
            }
            // The reply is on the wire a moment before the journal has it.
            _ = try await run.journal.lines { $0.contains("c0 r0 sent 200 41") }
            run.reset()
            #expect(run.journal.lines == [])
            let reply = try await onThread { () -> String in
                try wire.send(.request("GET /"))
                let reply = try wire.readReply()
                wire.close()
                return reply
            }
            #expect(reply.hasSuffix("one"))
            #expect(
                try await run.journal.lines(untilClosed: 1) == [
                    "c0 opened main", "c0 r0 head GET /", "c0 r0 exchange 0 turn 0", "c0 r0 sent 200 41",
                    "c0 closed by client: closed",
                ])
            #expect(run.wireVerdict(of: run.scenario.cases[0]).outcome == .fail)
        }
    }

    @Test func `a reply that a reset overtakes leaves no trace in the new journal`() async throws {
        let yaml = always("{ status: 200, body: ok, effects: [ { at: body 1, do: stall } ] }")
        try await withRun(yaml) { run in
            let wire = try await onThread { () -> Wire in
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                _ = try wire.read(1)
                return wire
            }
            _ = try await run.journal.lines { $0.last == "c0 r0 effect stall at body 1" }
            run.reset()
            wire.close()
            await run.stop(grace: Patience.whole)
            #expect(run.journal.lines == [])
        }
    }

    @Test func `a full journal drops its oldest entries, and nothing is judged any more`() async throws {
        try await withServer(
            [try scenario(Self.turns)],
            configure: { $0.limits.journal = Journal.Limits(entryCount: 8, byteCount: 1 << 20) },
            { server in
                let run = try await server.run("test/one")
                _ = try await exchange(.request("GET /") + .request("GET /"), with: run.base)
                let lines = try await run.journal.lines(untilClosed: 1)
                #expect(
                    lines == [
                        "c0 r0 exchange 0 turn 0", "c0 r0 sent 200 41", "c0 r1 head GET /", "c0 r1 exchange 0 turn 1",
                        "c0 r1 sent 200 41", "c0 closed by client: closed",
                    ])
                #expect(run.journal.snapshot().droppedCount == 2)
                let outcome = run.wireVerdict(of: run.scenario.cases[0]).outcome
                guard case .setupFailed(let reason) = outcome else {
                    Issue.record("judged all the same: \(outcome)")
                    return
                }
                #expect(reason.contains("dropped 2 entries"))
                run.reset()
                #expect(run.journal.snapshot().droppedCount == 0)
            })
    }

    @Test func `bodies count against the bytes of a journal`() async throws {
        try await withRun(
            always("{ status: 200 }"), configure: { $0.limits.journal = Journal.Limits(byteCount: 50_000) },
            { run in
                let body = String(repeating: "x", count: 20_000)
                for _ in 0..<5 {
                    _ = try await exchange(.request("PUT /", "Content-Length: 20000") + body, with: run.base)
                }
                let snapshot = run.journal.snapshot()
                #expect(snapshot.droppedCount > 0)
                let kept = snapshot.entries.reduce(0) { sum, entry in
                    if case .requestBody(let body) = entry.event { sum + body.kept.count } else { sum }
                }
                #expect(kept <= 50_000 && kept > 0)
            })
    }

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
