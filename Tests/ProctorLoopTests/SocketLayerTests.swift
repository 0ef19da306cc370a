import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The guarantees of a socket whose bytes go through a layer.
@Suite(.limit(minutes: 5))
struct SocketLayerTests {
    /// Both ends speak through a layer.
    private static func pair(on loop: EventLoop, isNarrow: Bool = false) async throws -> (
        pair: Pair, ours: MirrorLayer, peers: MirrorLayer
    ) {
        let pair = isNarrow ? try await Pair.narrow(on: loop) : try await Pair.make(on: loop)
        let (ours, peers) = (MirrorLayer(), MirrorLayer())
        pair.ours.layer = ours
        pair.peer.layer = peers
        return (pair, ours, peers)
    }

    @Test func `the wire has records and both users have plaintext`() async throws {
        let (raw, got) = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.ours.layer = MirrorLayer()
            try await pair.ours.write([1, 2, 3], within: patience)
            let raw = try await pair.peer.take(5)
            try await pair.peer.write([0, 2, 0xF0, 0x0F], within: patience)
            return (raw, try await pair.ours.take(2))
        }
        #expect(raw == [0, 3, 0xFE, 0xFD, 0xFC])
        #expect(got == [0x0F, 0xF0])
    }

    @Test(.wide, arguments: ["at once", "some", "pieces", "whole"])
    func `what is written through narrow buffers arrives whole`(way: String) async throws {
        let sent = pattern(300_000)
        let got = try await onLoop { loop in
            let (pair, _, _) = try await Self.pair(on: loop, isNarrow: true)
            defer { pair.close() }
            async let got = pair.peer.takeAll()
            switch way {
            case "pieces":
                try await pair.ours.write(
                    [[], Array(sent[..<7]), Array(sent[7..<200_000]), [], Array(sent[200_000...])], within: patience)
            case "whole": try await pair.ours.write(sent, within: patience)
            case "at once":
                let count = pair.ours.writeAtOnce(sent)
                try await pair.ours.write(Array(sent[count...]), within: patience)
            default:
                var position = 0
                while position < sent.count {
                    position += try await pair.ours.writeSome(
                        sent, from: position, upTo: position + 1000, expectingMore: true, within: patience)
                }
            }
            pair.ours.halfClose()
            return try await got
        }
        #expect(got == sent)
    }

    @Test func `what a write at once left in the queue follows without another call`() async throws {
        let (count, got) = try await onLoop { loop in
            let (pair, _, _) = try await Self.pair(on: loop, isNarrow: true)
            defer { pair.close() }
            // Until the system takes no more, so that a part of the last record stands in the queue.
            var count = 0
            while true {
                let more = pair.ours.writeAtOnce(pattern(3000))
                if more == 0 { break }
                count += more
            }
            #expect((pair.ours.unacknowledgedByteCount ?? 0) > MirrorLayer.queueLimit)
            let got = try await pair.peer.take(count)
            return (count, got)
        }
        #expect(got.count == count)
    }

    @Test func `a file goes through the layer`() async throws {
        let path = temporaryPath("layer")
        let content = pattern(150_000)
        try write(content, to: path)
        defer { unsafe unlink(path) }
        let got = try await onLoop { loop in
            let file = try OpenFile(path: path)
            let (pair, _, _) = try await Self.pair(on: loop)
            defer { pair.close() }
            async let got = pair.peer.takeAll()
            var position = 1000
            while true {
                let count = try await pair.ours.sendSome(of: file, from: position, byteCount: 1 << 20, within: patience)
                if count == 0 { break }
                position += count
            }
            pair.ours.halfClose()
            return try await got
        }
        #expect(got == Array(content[1000...]))
    }

    @Test(arguments: [true, false])
    func `a half-close takes leave before FIN unless it is not to`(notifies: Bool) async throws {
        let (said, heard) = try await onLoop { loop in
            let (pair, ours, peers) = try await Self.pair(on: loop)
            defer { pair.close() }
            pair.ours.sendsCloseNotify = notifies
            try await pair.ours.write([1], within: patience)
            pair.ours.halfClose()
            #expect(try await pair.peer.takeAll() == [1])
            // The other direction still works.
            try await pair.peer.write([2], within: patience)
            #expect(try await pair.ours.take(1) == [2])
            return (ours.saidGoodbye, peers.heardGoodbye)
        }
        #expect(said == notifies)
        #expect(heard == notifies)
    }

    @Test func `FIN waits for what stands in the queue`() async throws {
        let (sent, got) = try await onLoop { loop in
            let (pair, _, peers) = try await Self.pair(on: loop, isNarrow: true)
            defer { pair.close() }
            var sent = 0
            while true {
                let more = pair.ours.writeAtOnce(pattern(3000))
                if more == 0 { break }
                sent += more
            }
            pair.ours.halfClose()
            let got = try await pair.peer.takeAll().count
            #expect(peers.heardGoodbye)
            return (sent, got)
        }
        #expect(got == sent)
    }

    @Test func `what the layer can't read is told in its words`() async throws {
        let error = try await onLoop { loop -> SocketError? in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.ours.layer = MirrorLayer()
            try await pair.peer.write([0xFF, 0xFF], within: patience)
            do throws(SocketError) {
                _ = try await pair.ours.read(within: patience) { $0.count }
                return nil
            } catch {
                return error
            }
        }
        #expect(error == .layerFailed("a record of 65535 bytes can't be read"))
    }

    @Test func `a reset is told as one, for reading and for writing`() async throws {
        let codes = try await onLoop { loop -> [Int32?] in
            let (pair, _, _) = try await Self.pair(on: loop)
            defer { pair.close() }
            pair.peer.reset()
            let reading = try await pair.ours.codeAtEnd()
            var writing: Int32?
            do throws(SocketError) {
                try await pair.ours.write([1], within: patience)
            } catch {
                if case .failed(let failure) = error { writing = failure.code }
            }
            return [reading, writing]
        }
        #expect(codes == [ECONNRESET, ECONNRESET])
    }

    @Test func `a peer that does not read makes a write wait, for its time only`() async throws {
        let error = try await onLoop { loop -> SocketError? in
            let (pair, _, _) = try await Self.pair(on: loop, isNarrow: true)
            defer { pair.close() }
            do throws(SocketError) {
                while true { try await pair.ours.write(pattern(10_000), within: 300_000_000) }
            } catch {
                return error
            }
        }
        #expect(error == .timedOut)
    }

    @Test func `quiet is what has neither plaintext nor an end, whatever stands in the system's queue`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.ours.layer = MirrorLayer()
            #expect(pair.ours.isQuiet)
            // Half of a record is no news.
            try await pair.peer.write([0, 2, 7], within: patience)
            try await pair.ours.waitToReceive(within: patience)
            #expect(pair.ours.isQuiet)
            try await pair.peer.write([8], within: patience)
            try await pair.ours.waitUntilReadable(within: patience)
            #expect(!pair.ours.isQuiet)
            #expect(try await pair.ours.take(2) == [~7, ~8])
            #expect(pair.ours.isQuiet)
            pair.peer.halfClose()
            try await pair.ours.waitUntilReadable(within: patience)
            #expect(!pair.ours.isQuiet)
        }
    }

    @Test func `who looks for unread bytes leaves them to the task that waits for them`() async throws {
        try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            pair.ours.layer = MirrorLayer()
            #expect(!pair.ours.hasUnreadBytes)
            async let got = pair.ours.take(2)
            await loop.yieldToOthers()
            // From here to the next wait the loop hears nothing of the system.
            #expect(pair.peer.writeAtOnce([0, 2, 7, 8]) == 4)
            var looks = 0
            while !pair.ours.hasUnreadBytes, looks < 1_000_000 { looks += 1 }
            #expect(pair.ours.hasUnreadBytes)
            #expect(try await got == [~7, ~8])
            #expect(!pair.ours.hasUnreadBytes)
            pair.peer.halfClose()
            try await pair.ours.waitUntilReadable(within: patience)
            #expect(pair.ours.hasUnreadBytes)
        }
    }

    @Test func `a wait for the peer's reading waits for the queue too`() async throws {
        let (early, late) = try await onLoops(2) { loops -> (Bool, PeerReading) in
            let pair = try await Pair.narrow(on: loops[0], peerOn: loops[1])
            let layer = MirrorLayer()
            pair.ours.layer = layer
            var sent = 0
            while true {
                let more = pair.ours.writeAtOnce(pattern(3000))
                if more == 0 { break }
                sent += more
            }
            let early = layer.unsentByteCount > 0
            let records = sent + sent / 3000 * 2
            let reading = Task(executorPreference: loops[1]) { try await pair.peer.take(records) }
            let late = try await pair.ours.waitUntilPeerHasRead(within: patience)
            _ = try await reading.value
            pair.ours.close()
            try await loops[1].run { pair.peer.close() }
            return (early, late)
        }
        #expect(early)
        #if canImport(Darwin)
            #expect(late == .unknown)
        #else
            #expect(late == .everything)
        #endif
    }
}
