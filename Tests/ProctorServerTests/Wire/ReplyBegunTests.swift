import Foundation
import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// What the journal keeps of many replies that are alike; what it says of each stands in Tests/Data/conversations/replies/begun.md.
struct ReplyBegunTests {
    @Test func `requests with the same reply share one object, and a full journal counts it once`() async throws {
        let yaml = always("{ status: 200, body: { pattern: offset, bytes: 60000 } }")
        try await withRun(yaml) { run in
            let base = run.base
            // 60,000 bytes a request would be more than the journal's 16 MiB.
            try await onThread {
                let wire = try Wire(to: base)
                defer { wire.close() }
                for _ in 0..<400 {
                    try wire.send(.request("GET /"))
                    let head = try wire.readHead()
                    _ = try wire.read(60_000)
                    guard head.hasPrefix("HTTP/1.1 200") else { throw FixtureFailure(description: head) }
                }
            }
            _ = try await run.journal.lines(untilClosed: 1)
            let snapshot = run.journal.snapshot()
            #expect(snapshot.droppedCount == 0)
            let replies = run.journal.begunReplies
            #expect(replies.count == 400)
            #expect(replies.allSatisfy { $0 === replies[0] })
        }
    }
}
