import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

/// One direction of a layer needs bytes for which the other direction's task already waits.
@Suite(.limit(minutes: 5))
struct LayerCrossingTests {
    /// Tasks made before have come to where they wait.
    private static func letOthersBegin(on loop: EventLoop) async {
        for _ in 0..<10 { await loop.yieldToOthers() }
    }

    @Test func `a write that needs bytes leaves the reader's wait alone`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            let ours = pair.ours
            ours.layer = CrossingLayer(.writesNeedBytes)
            pair.peer.layer = MirrorLayer()
            async let heard = ours.take(1)
            async let written: Void = ours.write([1, 2], within: patience)
            await Self.letOthersBegin(on: loop)
            try await pair.peer.write([9], within: patience)
            #expect(try await pair.peer.take(2) == [1, 2])
            #expect(try await heard == [9])
            try await written
        }
    }

    @Test func `a write that needs bytes receives them while no task reads`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            let ours = pair.ours
            ours.layer = CrossingLayer(.writesNeedBytes)
            pair.peer.layer = MirrorLayer()
            async let written: Void = ours.write([1, 2], within: patience)
            await Self.letOthersBegin(on: loop)
            try await pair.peer.write([9], within: patience)
            #expect(try await pair.peer.take(2) == [1, 2])
            try await written
            #expect(try await ours.take(1) == [9])
        }
    }

    @Test func `a write that needs bytes waits for its time only`() async throws {
        let error = try await onLoop { loop -> SocketError? in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.ours.layer = CrossingLayer(.writesNeedBytes)
            do throws(SocketError) {
                try await pair.ours.write([1], within: 50_000_000)
                return nil
            } catch {
                return error
            }
        }
        #expect(error == .timedOut)
    }

    @Test func `a read that needs room leaves the writer's wait alone`() async throws {
        let sent = pattern(400_000)
        let (got, heard) = try await onLoop { loop in
            let pair = try await Pair.narrow(on: loop)
            defer { pair.close() }
            let ours = pair.ours
            ours.layer = CrossingLayer(.readsNeedRoom)
            pair.peer.layer = MirrorLayer()
            async let written: Void = ours.write(sent, within: patience)
            await Self.letOthersBegin(on: loop)
            async let heard = ours.take(1)
            await Self.letOthersBegin(on: loop)
            try await pair.peer.write([9], within: patience)
            let got = try await pair.peer.take(sent.count)
            try await written
            return (got, try await heard)
        }
        #expect(got == sent)
        #expect(heard == [9])
    }
}

/// The fate of a layer's queue when its socket is closed.
@Suite(.limit(minutes: 5))
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
