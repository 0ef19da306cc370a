import Foundation
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// The journal over the control API: from a number on, and as it comes.
struct JournalCallTests {
    @Test func `the journal is JSON lines, and after leaves out what is known`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            _ = try await exchange(.request("GET /", "X-Odd: \"é\\"), with: base)
            let all = try await wholeJournal(of: id, on: server)
            #expect(all.map { $0["seq"] as? Int } == Array(1...all.count))
            #expect(all.allSatisfy { $0["scenario"] as? String == "plain/turns" && $0["run"] as? String == id })
            #expect(all[1]["ev"] as? String == "requestHead" && all[1]["target"] as? String == "/")
            for after in 0...all.count {
                let rest = try await call("GET /runs/\(id)/journal?after=\(after)", on: server).entries
                #expect(rest.map { $0["seq"] as? Int } == Array(all.dropFirst(after)).map { $0["seq"] as? Int })
            }
            let beyond = try await call("GET /runs/\(id)/journal?after=9223372036854775807", on: server)
            #expect(beyond.status == 200 && beyond.body.isEmpty)
        }
    }

    /// Until the connection has ended.
    private func wholeJournal(of id: String, on server: Server) async throws -> [[String: Any]] {
        var entries: [[String: Any]] = []
        while entries.last?["ev"] as? String != "connectionClosed" {
            let more = try await call("GET /runs/\(id)/journal?after=\(entries.count)&wait=10000", on: server).entries
            try #require(!more.isEmpty)
            entries += more
        }
        return entries
    }

    /// `wait=30000`, after which every poll is answered.
    private static let longestWait = Duration.seconds(30)

    /// Asks, makes sure that the answer is held back, does something, and reads the answer; on one thread: between two
    /// tasks a busy pool may let the time of a poll pass.
    private func poll(
        _ query: String, of id: String, on server: Server, _ body: @escaping @Sendable () throws -> Void
    ) async throws -> (reply: ControlReply, duration: Duration) {
        let base = server.base
        return try await onThread {
            try timed {
                let wire = try Self.heldPoll(query, of: id, at: base)
                defer { wire.close() }
                try body()
                return try ControlReply(wire.readReply())
            }
        }
    }

    private static func heldPoll(_ query: String, of id: String, at base: String) throws -> Wire {
        let wire = try Wire(to: base)
        try wire.send(controlRequest("GET /runs/\(id)/journal?\(query)"))
        #expect(wire.isSilent(milliseconds: 50))
        return wire
    }

    @Test func `a poll is answered by the entry it waits for`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            let control = server.base
            let (first, _) = try await poll("wait=30000", of: id, on: server) {
                _ = try exchangeNow(.request("GET /"), with: base)
            }
            #expect(try first.entries.first?["ev"] as? String == "connectionOpened")
            let last = try await wholeJournal(of: id, on: server).count
            let (second, _) = try await poll("after=\(last)&wait=30000", of: id, on: server) {
                _ = try callNow("POST /runs/\(id)/reached", at: control, body: #"{"event":"fileReady"}"#)
            }
            let entries = try second.entries
            #expect(entries.map { $0["event"] as? String } == ["fileReady"] && entries[0]["seq"] as? Int == last + 1)
        }
    }

    @Test func `a poll behind a reset waits for what comes after it`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            _ = try await exchange(.request("GET /"), with: base)
            let last = try await wholeJournal(of: id, on: server).count
            _ = try await call("POST /runs/\(id)/reset", on: server)
            let (reply, _) = try await poll("after=\(last)&wait=30000", of: id, on: server) {
                _ = try exchangeNow(.request("GET /"), with: base)
            }
            #expect(try reply.entries.first?["seq"] as? Int == last + 1)
        }
    }

    @Test func `a poll for which nothing comes is answered when its time is over`() async throws {
        try await withControl { server in
            let (id, _) = try await makeRun("plain/turns", on: server)
            let base = server.base
            let (reply, passed) = try await onThread {
                try timed { try callNow("GET /runs/\(id)/journal?wait=150", at: base) }
            }
            #expect(reply.status == 200 && reply.body.isEmpty)
            #expect(passed >= .milliseconds(150) && passed < Self.longestWait)
        }
    }

    @Test func `polls end with their run`() async throws {
        try await withControl { server in
            let (id, _) = try await makeRun("plain/turns", on: server)
            let base = server.base
            let (reply, duration) = try await poll("wait=30000", of: id, on: server) {
                _ = try callNow("DELETE /runs/\(id)", at: base)
            }
            #expect(reply.status == 200 && reply.body.isEmpty && duration < Self.longestWait)
            #expect(try await call("GET /runs/\(id)/journal", on: server).error.code == "unknown-run")
        }
    }

    @Test(arguments: [1, 2])
    func `polls end with the server, and do not use up its grace`(threadCount: Int) async throws {
        var configuration = ServerConfiguration()
        configuration.threadCount = threadCount
        let server = try await Server.start(
            Catalogue(try ControlFixtures.scenarios()), configuration: configuration)
        let (id, _) = try await makeRun("plain/turns", on: server)
        let base = server.base
        let wire = try await onThread { try Self.heldPoll("wait=30000", of: id, at: base) }
        let start = ContinuousClock.now
        async let answer = onThread { (try ControlReply(wire.readReply()), ContinuousClock.now) }
        await server.stop(grace: Patience.whole)
        let (reply, end) = try await answer
        #expect(reply.status == 200 && end - start < Self.longestWait)
    }

    @Test func `many polls of one run are all answered`() async throws {
        try await withControl { server in
            let (id, base) = try await makeRun("plain/turns", on: server)
            let target = server.base
            let wires = try await onThread {
                try (0..<50).map { _ in
                    let wire = try Wire(to: target)
                    try wire.send(controlRequest("GET /runs/\(id)/journal?wait=30000"))
                    return wire
                }
            }
            // Some leave without waiting for the answer.
            for wire in wires.prefix(10) { wire.reset() }
            _ = try await exchange(.request("GET /"), with: base)
            try await onThread {
                let replies = try wires.dropFirst(10).map { try ControlReply($0.readReply()) }
                #expect(replies.allSatisfy { $0.status == 200 && !$0.body.isEmpty })
            }
        }
    }
}
