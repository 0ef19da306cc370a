import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Windows of both directions (RFC 9113 §5.2, §6.9).
@Suite(.limit(minutes: 2))
struct HTTP2FlowTests {
    @Test func `no more content is sent than the stream's window permits`() async throws {
        try await TransportBench.runFrames(settings: [Setting(.initialWindowSize, 10)]) { peer in
            // Behind this reply the client knows the SETTINGS.
            try await peer.reply(on: try await peer.request().stream)
            let request = try await peer.request()
            var count = 0
            while count < 10 { count += try await peer.next(.data).payload.count }
            #expect(count == 10)
            for step in 1...3 {
                try await peer.send(.windowUpdate(5, on: request.stream))
                count += try await peer.next(.data).payload.count
                #expect(count == 10 + 5 * step)
            }
            try await peer.reply(on: request.stream)
            try await peer.send(.resetStream(request.stream, .noError))
        } _: { bench in
            #expect(try await bench.loadFrames(bench.get()).summary == ["200", "content", "ended"])
            let host = await bench.loadFrames(try bench.post(.bytes(pattern(100_000))))
            #expect(host.summary.suffix(3) == ["200", "content", "ended"])
        }
    }

    @Test func `no more content is sent than the connection's window permits`() async throws {
        try await TransportBench.runFrames(settings: [Setting(.initialWindowSize, 1 << 20)]) { peer in
            let request = try await peer.request()
            var count = 0
            while count < 65_535 { count += try await peer.next(.data).payload.count }
            #expect(count == 65_535)
            try await peer.send(.windowUpdate(1 << 20, on: request.stream), .windowUpdate(1_000))
            while count < 66_535 { count += try await peer.next(.data).payload.count }
            #expect(count == 66_535)
            try await peer.send(.windowUpdate(1 << 20))
            while count < 100_000 { count += try await peer.next(.data).payload.count }
            try await peer.reply(on: request.stream)
        } _: { bench in
            let host = await bench.loadFrames(try bench.post(.bytes(pattern(100_000))))
            #expect(host.summary == ["sent", "200", "content", "ended"])
        }
    }

    @Test(arguments: [(HTTP2Fault.overrunsStreamWindow, UInt32(10)), (.overrunsConnectionWindow, 1 << 20)])
    func `a broken client takes no notice of a window`(fault: HTTP2Fault, window: UInt32) async throws {
        try await TransportBench.runFrames(settings: [Setting(.initialWindowSize, window)]) { peer in
            try await peer.reply(on: try await peer.request().stream)
            let stream = try await peer.request().stream
            let wanted = window == 10 ? 60_000 : 100_000
            var count = 0
            while count < wanted { count += try await peer.next(.data).payload.count }
            #expect(count == wanted)
            try await peer.reply(on: stream)
        } _: { bench in
            await bench.loadFrames(try bench.get(), fault: fault)
            let byteCount = window == 10 ? 60_000 : 100_000
            let host = await bench.loadFrames(try bench.post(.bytes(pattern(byteCount))), fault: fault)
            #expect(host.summary == ["sent", "200", "content", "ended"])
        }
    }

    @Test func `content that the host does not take is not credited, and stops no other stream`() async throws {
        let taken = Moment()
        let other = Moment()
        try await TransportBench.runFrames { peer in
            let held = try await peer.request().stream
            try await peer.sendHead([(":status", "200")], on: held)
            for piece in 0..<3 {
                try await peer.send(.data(pattern(16_384), on: held), .ping([0, 0, 0, 0, 0, 0, 0, UInt8(piece)]))
                _ = try await peer.next(.ping)
            }
            #expect(!peer.frames.contains { $0.type == .windowUpdate && $0.stream == held })
            try await peer.reply(on: try await peer.request().stream)
            other.come()
            let update = try await peer.next(.windowUpdate)
            #expect(update.stream == held || update.stream == 0)
            try await peer.send(.data([], on: held, endsStream: true))
        } _: { bench in
            async let held = bench.loadFrames(
                try bench.get(),
                for: RecordingHost { _ in
                    await taken.wait()
                    return .readOn
                })
            while bench.pool.sharedConnections.isEmpty { _ = await bench.loop.sleep(for: .milliseconds(5)) }
            let host = await bench.loadFrames(try bench.get())
            #expect(host.summary == ["200", "content", "ended"])
            await other.wait()
            taken.come()
            let first = try await held
            #expect(first.content.count == 3 * 16_384)
            #expect(first.summary == ["200", "content", "ended"])
        }
    }

    @Test func `content of streams that were reset is credited to the connection`() async throws {
        try await TransportBench.runFrames { peer in
            for _ in 0..<8 {
                let stream = try await peer.request().stream
                try await peer.sendHead([(":status", "200")], on: stream)
                _ = try await peer.next(.resetStream)
                try await peer.send(.data(pattern(16_384), on: stream), .ping([0, 0, 0, 0, 0, 0, 0, 1]))
                _ = try await peer.next(.ping)
            }
            let credit = peer.frames.filter { $0.type == .windowUpdate && $0.stream == 0 }
                .reduce(0) { sum, frame in
                    guard case .windowUpdate(let count)? = ReadFrame(sent: frame, at: 0).content else { return sum }
                    return sum + Int(count)
                }
            #expect(credit > 7 * 16_384)
        } _: { bench in
            for _ in 0..<8 { await bench.loadFrames(try bench.get(), for: RecordingHost { _ in .abort }) }
        }
    }

    @Test func `a megabyte passes in both directions`() async throws {
        try await TransportBench.runFrames { peer in
            let request = try await peer.request()
            #expect(try await peer.content(of: request.stream) == pattern(1 << 20))
            try await peer.sendHead([(":status", "200")], on: request.stream)
            var (window, connection, rest) = (65_535, 65_535, pattern(1 << 20)[...])
            while !rest.isEmpty {
                let part = rest.prefix(min(16_384, min(window, connection)))
                if part.isEmpty {
                    let update = try await peer.next(.windowUpdate)
                    guard case .windowUpdate(let count)? = ReadFrame(sent: update, at: 0).content else { return }
                    if update.stream == 0 { connection += Int(count) } else { window += Int(count) }
                    continue
                }
                rest = rest.dropFirst(part.count)
                window -= part.count
                connection -= part.count
                try await peer.send(.data(part, on: request.stream, endsStream: rest.isEmpty))
            }
        } _: { bench in
            let host = await bench.loadFrames(try bench.post(.bytes(pattern(1 << 20))))
            #expect(host.summary == ["sent", "200", "content", "ended"])
            #expect(host.content == pattern(1 << 20))
        }
    }
}
