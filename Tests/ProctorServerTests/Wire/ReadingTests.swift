import Foundation
import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorLoop
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Uploads that are not read; others stand in Tests/Data/conversations/requests.
struct ReadingTests {
    private let yaml = """
        summary: content is read in portions
        origins: { main: { receive-buffer: 4096 } }
        exchanges: [{ request: POST /, reads: { bytes: 1000, every: 10m }, reply: { status: 200, body: ok } }]
        """

    @Test func `what is not read yet shuts the client's window, and the run can end all the same`() async throws {
        try await withRun(yaml) { run in
            let address = try SocketAddress(base: run.base)
            let loop = try EventLoop()
            let acknowledged = try await loop.run {
                let socket = try await Socket.connect(to: address, on: loop, within: Patience.whole.wholeNanoseconds)
                defer { socket.close() }
                try await socket.write(Array(String.request("POST /", "Content-Length: 100000000").utf8))
                let piece = [UInt8](repeating: 0x78, count: 65_536)
                var written = 0
                do {
                    while true { written += try await socket.writeSome(piece, from: 0, within: 300_000_000) }
                } catch let error as SocketError {
                    #expect(error == .timedOut)
                }
                return written - (try #require(socket.unacknowledgedByteCount))
            }
            loop.stop()
            // The portion, and what fits into the buffer, which Linux makes twice as large.
            #expect(acknowledged < 20_000, "\(acknowledged) bytes were taken")
            await run.stop()
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 1000 cut"), "\(lines)")
        }
    }
}
