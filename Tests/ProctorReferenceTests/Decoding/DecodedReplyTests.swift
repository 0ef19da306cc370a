import ProctorBase
import ProctorCoding
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Coded content over a connection: what of it is undone, what not, and what is wrong with it.
@Suite(.limit(minutes: 5))
struct DecodedReplyTests {
    @Test func `a bomb is undone as fast as the host takes it`() async throws {
        let byteCount = 32 << 20
        let bomb = try Coded.zeros(byteCount, CodingStep(.gzip))
        let mayGoOn = Moment()
        let most = Counter()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            try await peer.send(bomb)
            mayGoOn.come()
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = RecordingHost(watch: { event, _ in
                if case .content(let bytes) = event, bytes.count > 65_536 { _ = most.next() }
            }) { host in
                // The server has sent everything, and no more than one piece was undone for it.
                if host.questionCount == 2 {
                    await mayGoOn.wait()
                    #expect(host.content.count <= 65_536)
                }
                return .readOn
            }
            await bench.load(try bench.get(), for: host)
            #expect(host.content.count == byteCount)
            #expect(most.value == 0)
        }
    }
}

enum Coded {
    static func bytes(_ content: [UInt8], _ steps: CodingStep...) throws -> [UInt8] {
        var bytes = content
        for step in steps {
            var encoder = try CodingEncoder(step)
            var coded: [UInt8] = []
            try encoder.encode(bytes.span, into: &coded)
            try encoder.finish(into: &coded)
            bytes = coded
        }
        return bytes
    }

    /// Many times the same: a little of what is coded stands for a lot.
    static func zeros(_ byteCount: Int, _ step: CodingStep) throws -> [UInt8] {
        var encoder = try CodingEncoder(step)
        var coded: [UInt8] = []
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<byteCount >> 20 { try encoder.encode(piece.span, into: &coded) }
        try encoder.finish(into: &coded)
        return coded
    }
}
