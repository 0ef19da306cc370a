import ProctorBase
import Testing

@testable import ProctorLoop

/// What becomes of a layer's queue where the socket is closed soon.
@Suite(.timeLimit(.minutes(5)))
struct LayerDrainTests {
    /// Writes until the system takes no more and records stand in the layer's queue; returns how much plaintext.
    private static func fillQueue(of socket: Socket) -> Int {
        var sent = 0
        while true {
            let more = socket.writeAtOnce(pattern(3000))
            if more == 0 { return sent }
            sent += more
        }
    }

    @Test func `what stood in the queue arrives when it is drained before the close`() async throws {
        let (sent, got) = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            (pair.ours.layer, pair.peer.layer) = (MirrorLayer(), MirrorLayer())
            let sent = Self.fillQueue(of: pair.ours)
            #expect(pair.ours.hasUnsentRecords)
            async let got = pair.peer.takeAll()
            #expect(await pair.ours.drainLayer(within: patience))
            #expect(!pair.ours.hasUnsentRecords)
            pair.ours.close()
            return (sent, try await got.count)
        }
        #expect(got == sent)
    }

    @Test func `a peer that does not read is waited for in bounds`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            pair.ours.layer = MirrorLayer()
            _ = Self.fillQueue(of: pair.ours)
            #expect(await !pair.ours.drainLayer(within: 50_000_000))
            #expect(pair.ours.hasUnsentRecords)
            pair.ours.cancel()
            #expect(await !pair.ours.drainLayer(within: patience))
        }
    }

    @Test func `without a queue there is nothing to wait for`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            #expect(await pair.ours.drainLayer(within: patience))
            pair.ours.layer = MirrorLayer()
            #expect(await pair.ours.drainLayer(within: patience))
            pair.ours.close()
            #expect(await pair.ours.drainLayer(within: patience))
        }
    }

    @Test func `a queue that can't be sent any more is not waited for`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            pair.ours.layer = MirrorLayer()
            _ = Self.fillQueue(of: pair.ours)
            pair.peer.reset()
            #expect(await pair.ours.drainLayer(within: patience))
        }
    }
}
