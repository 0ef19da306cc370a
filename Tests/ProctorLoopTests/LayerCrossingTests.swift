import ProctorBase
import Testing

@testable import ProctorLoop

/// A direction of a layer that waits for the other one's bytes, while another task waits for those already.
@Suite(.timeLimit(.minutes(5)))
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

    @Test func `a write that needs bytes finds them where nobody reads`() async throws {
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
