import Foundation
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Polls of the journal that end by time, with the server, or all at once.
struct JournalCallTests {
    /// `wait=30000`, after which every poll is answered.
    private static let longestWait = Duration.seconds(30)

    private static func heldPoll(_ query: String, of id: String, at base: String) throws -> Wire {
        let wire = try Wire(to: base)
        try wire.send(controlRequest("GET /runs/\(id)/journal?\(query)"))
        #expect(wire.isSilent(milliseconds: 50))
        return wire
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
