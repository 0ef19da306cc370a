import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The journal's entries about the end of a connection.
struct EndingTests {
    private func last(
        _ reply: String = "{ status: 200, body: ok }", configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (Wire) throws -> Void
    ) async throws -> [String] {
        try await withRun(always(reply), configure: configure) { run in
            try await talk(to: run.base, body)
            return try await run.journal.lines(untilClosed: 1)
        }
    }

    @Test func `a client that says nothing and leaves`() async throws {
        let lines = try await last { $0.finish() }
        #expect(lines == ["c0 opened main", "c0 closed by client: closed"])
    }

    @Test func `a client that leaves after a reply`() async throws {
        let lines = try await last { wire in
            try wire.send(.request("GET /"))
            _ = try wire.readHead()
            _ = try wire.read(2)
        }
        #expect(lines.suffix(2) == ["c0 r0 sent 200 40", "c0 closed by client: closed"])
    }

    @Test func `a client that resets`() async throws {
        let lines = try await last { wire in
            try wire.send(.request("GET /"))
            _ = try wire.readHead()
            _ = try wire.read(2)
            wire.reset()
        }
        #expect(lines.last == "c0 closed by client: reset")
    }

    @Test func `a client that goes away in the middle of a reply`() async throws {
        let lines = try await last("{ status: 200, body: { repeat: x, bytes: 1073741824 } }") { wire in
            try wire.send(.request("GET /"))
            _ = try wire.read(1_000)
            wire.reset()
        }
        #expect(lines.contains { $0.hasPrefix("c0 r0 aborted ") && $0.hasSuffix(": the client reset the connection") })
        #expect(lines.last == "c0 closed by client: reset")
    }

    @Test func `a client that leaves in the middle of a head`() async throws {
        let lines = try await last { wire in
            try wire.send("GET / HTTP")
            wire.finish()
        }
        #expect(
            lines == ["c0 opened main", "c0 violation incomplete-head at 10", "c0 closed by client: closed"])
    }

    @Test func `a client that leaves in the middle of a body`() async throws {
        let lines = try await last { wire in
            try wire.send(.request("PUT /", "Content-Length: 10") + "abc")
            wire.finish()
            _ = try wire.readToEnd()
        }
        #expect(lines.contains("c0 r0 body 3 cut"))
        #expect(lines.contains { $0.contains("violation incomplete-content") })
        #expect(lines.last == "c0 closed by client: closed")
        #expect(!lines.contains { $0.contains(" sent ") })
    }

    @Test func `a reply that says close is followed by our FIN`() async throws {
        let lines = try await last("{ status: 200, headers: { Connection: close }, body: ok }") { wire in
            try wire.send(.request("GET /") + .request("GET /"))
            _ = try wire.readToEnd()
        }
        #expect(lines.count { $0.contains(" sent ") } == 1)
        #expect(lines.last == "c0 closed by server: closed")
    }

    @Test func `a head that does not come to its end in time`() async throws {
        let lines = try await last(configure: { $0.limits.headDuration = .milliseconds(80) }) { wire in
            try wire.send("GET / HTTP/1.1\r\nHo")
            _ = try wire.readToEnd()
        }
        #expect(lines == ["c0 opened main", "c0 closed by server: timedOut"])
    }

    @Test func `dripping bytes does not lengthen the time for a head`() async throws {
        let (lines, wasEnded) = try await withRun(
            always("{ status: 200 }"), configure: { $0.limits.headDuration = .milliseconds(150) },
            { run in
                let wasEnded = try await talk(to: run.base) { wire in
                    // Ten seconds at least, unless the connection is ended.
                    for byte in Array(repeating: "X", count: 1_000) {
                        guard (try? wire.send(byte)) != nil, wire.isSilent(milliseconds: 10) else { return true }
                    }
                    return false
                }
                return (try await run.journal.lines(untilClosed: 1), wasEnded)
            })
        #expect(lines.last == "c0 closed by server: timedOut")
        #expect(wasEnded)
    }

    @Test func `a connection that is silent between requests for too long`() async throws {
        let lines = try await last(configure: { $0.limits.idleDuration = .seconds(2) }) { wire in
            try wire.send(.request("GET /"))
            _ = try wire.readToEnd()
        }
        #expect(lines.suffix(2) == ["c0 r0 sent 200 40", "c0 closed by server: timedOut"])
    }

    @Test func `a body that makes no progress`() async throws {
        let lines = try await last(configure: { $0.limits.progressDuration = .milliseconds(80) }) { wire in
            try wire.send(.request("PUT /", "Content-Length: 10") + "abc")
            _ = try wire.readToEnd()
        }
        #expect(lines.suffix(2) == ["c0 r0 body 3 cut", "c0 closed by server: timedOut"])
    }

    @Test func `a client that takes nothing of a large reply`() async throws {
        let reply = "{ status: 200, body: { repeat: x, bytes: 1073741824 } }"
        try await withRun(
            always(reply), configure: { $0.limits.progressDuration = .milliseconds(80) },
            { run in
                let lines = try await talkWhile(run) { wire in try wire.send(.request("GET /")) }
                #expect(lines.contains { $0.hasPrefix("c0 r0 aborted ") && $0.contains("took nothing for too long") })
                #expect(lines.last == "c0 closed by server: timedOut")
            })
    }

    /// The connection stays open until the journal tells its end.
    private func talkWhile(_ run: Run, _ body: @escaping @Sendable (Wire) throws -> Void) async throws -> [String] {
        let wire = try await onThread { () -> Wire in
            let wire = try Wire(to: run.base)
            try body(wire)
            return wire
        }
        defer { wire.close() }
        return try await run.journal.lines(untilClosed: 1)
    }

    @Test func `an idle connection of a run that is stopped`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let wire = try await onThread { () -> Wire in
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                return wire
            }
            await run.stop(grace: Patience.whole)
            #expect(run.journal.lines.last == "c0 closed by server: stopped")
            #expect(try await onThread { try wire.readToEnd() } == Wire.Received("", .closed))
            try await onThread { try Wire.waitUntilRefused(by: run.base) }
        }
    }

    @Test func `a busy connection of a run that is stopped gets its reply first`() async throws {
        let count = 64 << 20
        try await withRun(always("{ status: 200, body: { repeat: x, bytes: \(count) } }")) { run in
            let wire = try await onThread { () -> Wire in
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                return wire
            }
            async let stopped: Void = run.stop(grace: Patience.whole)
            let rest = try await onThread {
                // The body is too large for any buffer, so the reply can't be over before we read.
                try Wire.waitUntilRefused(by: run.base)
                return try wire.drain(checkedByteCount: 0)
            }
            await stopped
            #expect(rest.byteCount == count && rest.ending == .closed)
            let own = run.journal.lines.filter { $0.hasPrefix("c0 ") }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
            #expect(own.suffix(2) == ["c0 r0 sent 200 \(head.utf8.count + count)", "c0 closed by server: closed"])
        }
    }

    @Test func `a reply that outlasts the grace is cut`() async throws {
        let reply = "{ status: 200, body: ok, effects: [ { at: body 1, do: wait 10m } ] }"
        try await withRun(always(reply)) { run in
            let wire = try await onThread { () -> Wire in
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /"))
                _ = try wire.readHead()
                return wire
            }
            async let rest = onThread { try wire.readToEnd() }
            await run.stop(grace: .milliseconds(50))
            #expect(try await rest == Wire.Received("o", .closed))
            #expect(
                run.journal.lines.suffix(2) == [
                    "c0 r0 aborted 39: the server was stopped", "c0 closed by server: stopped",
                ])
        }
    }
}
