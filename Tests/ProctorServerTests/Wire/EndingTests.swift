import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Ends of connections that take time or much content; the others stand in pages of Tests/Data.
struct EndingTests {
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
}
