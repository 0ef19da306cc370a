import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

/// Input that is answered in parts, behind that of others.
@Suite(.limit(minutes: 5))
struct LateTurnTests {
    private final class Log {
        var names: [String] = []
        var readCount = 0
    }

    @Test func `an answer that goes on later is asked for again, and others have their turn between`() async throws {
        let names = try await onLoop { loop in
            let (busy, other) = (try await Pair.make(on: loop), try await Pair.make(on: loop))
            defer {
                busy.close()
                other.close()
            }
            let log = LoopBound(Log(), on: loop)
            var rest = 4
            async let wait: Void = busy.ours.waitForInput(until: Socket.deadline(within: patience)) {
                log.value.names.append("busy")
                rest -= 1
                // What comes now is found when the loop polls next.
                if rest == 2 { _ = other.peer.writeAtOnce([1]) }
                return rest > 0 ? .goesOnLater(until: Socket.deadline(within: patience)) : .ends
            }
            async let otherWait: Void = other.ours.waitForInput(until: Socket.deadline(within: patience)) {
                log.value.names.append("other")
                return .ends
            }
            await loop.yieldToOthers()
            _ = busy.peer.writeAtOnce([1])
            try await wait
            try await otherWait
            return log.value.names
        }
        #expect(names.filter { $0 == "busy" }.count == 4 && names.contains("other"))
        #expect(names.last == "busy")
    }

    @Test func `a wait that comes later is answered without new input`() async throws {
        let count = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            var count = 0
            try await pair.ours.waitForInput(until: Socket.deadline(within: patience), isBehind: true) {
                count += 1
                return .ends
            }
            return count
        }
        #expect(count == 1)
    }

    @Test func `input that comes while a turn is awaited is not lost`() async throws {
        let got = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            var got: [UInt8] = []
            var turns = 0
            _ = pair.peer.writeAtOnce([1])
            try await pair.ours.waitForInput(until: Socket.deadline(within: patience)) {
                turns += 1
                guard case .bytes? = try? pair.ours.readAtOnce({ got += $0.array }) else {
                    return .beginsAnew(until: Socket.deadline(within: patience))
                }
                if got.count < 3 { _ = pair.peer.writeAtOnce([UInt8(got.count + 1)]) }
                return got.count == 3 ? .ends : .goesOnLater(until: Socket.deadline(within: patience))
            }
            return got
        }
        #expect(got == [1, 2, 3])
    }

    @Test func `a socket that has moved much is answered behind others`() async throws {
        let names = try await onLoop { loop in
            let (busy, other) = (try await Pair.make(on: loop), try await Pair.make(on: loop))
            defer {
                busy.close()
                other.close()
            }
            let log = LoopBound(Log(), on: loop)
            // Each read counts as 4 KiB at least.
            let readCount = EventLoop.scratchByteCount >> 12
            async let wait: Void = busy.ours.waitForInput(until: Socket.deadline(within: patience)) {
                while case .bytes? = try? busy.ours.readAtOnce(upTo: 1, { _ in }) { log.value.readCount += 1 }
                if log.value.readCount == readCount { return .goesOn }
                log.value.names.append("busy")
                return .ends
            }
            async let otherWait: Void = other.ours.waitForInput(until: Socket.deadline(within: patience)) {
                log.value.names.append("other")
                return .ends
            }
            await loop.yieldToOthers()
            _ = busy.peer.writeAtOnce([UInt8](repeating: 0, count: readCount))
            try untilUnread([busy.ours], byteCount: readCount)
            while log.value.readCount == 0 { await loop.yieldToOthers() }
            _ = busy.peer.writeAtOnce([1])
            _ = other.peer.writeAtOnce([1])
            try untilUnread([busy.ours, other.ours])
            try await wait
            try await otherWait
            return log.value.names
        }
        #expect(names == ["other", "busy"])
    }

    @Test func `of many new sockets a part is answered before one that is known, and the rest behind it`() async throws
    {
        let (known, count) = try await onLoop { loop in
            let knownPair = try await Pair.make(on: loop)
            var pairs: [Pair] = []
            for _ in 0..<LateTurns.newAtOnceLimit + 8 { pairs.append(try await Pair.make(on: loop)) }
            defer { for pair in pairs + [knownPair] { pair.close() } }
            let all = pairs
            let log = LoopBound(Log(), on: loop)
            async let knownWait: Void = knownPair.ours.waitForInput(until: Socket.deadline(within: patience)) {
                _ = try? knownPair.ours.readAtOnce { _ in }
                log.value.readCount += 1
                if log.value.readCount == 1 { return .goesOn }
                log.value.names.append("known")
                return .ends
            }
            await loop.yieldToOthers()
            _ = knownPair.peer.writeAtOnce([1])
            try untilUnread([knownPair.ours])
            while log.value.readCount == 0 { await loop.yieldToOthers() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for pair in all {
                    group.addTask {
                        try await pair.ours.waitForInput(until: Socket.deadline(within: patience)) {
                            log.value.names.append("new")
                            return .ends
                        }
                    }
                }
                await loop.yieldToOthers()
                for pair in all + [knownPair] { _ = pair.peer.writeAtOnce([1]) }
                try untilUnread(all.map(\.ours) + [knownPair.ours])
                try await group.waitForAll()
            }
            try await knownWait
            return (log.value.names.firstIndex(of: "known"), log.value.names.count)
        }
        #expect(known == LateTurns.newAtOnceLimit)
        #expect(count == LateTurns.newAtOnceLimit + 9)
    }

    /// Spins, so that the loop polls only when all have come.
    private func untilUnread(_ sockets: [Socket], byteCount: Int = 1) throws {
        let limit = Socket.deadline(within: patience)
        while !sockets.allSatisfy({ $0.unreadByteBound >= byteCount }) {
            try #require(MonotonicClock.nanoseconds < limit, "bytes did not come")
        }
    }

    @Test func `many jobs at once do not keep the loop from its sockets`() async throws {
        let isServed = try await onLoop { loop in
            let pair = try await Pair.make(on: loop)
            defer { pair.close() }
            let log = LoopBound(Log(), on: loop)
            async let wait: Void = pair.ours.waitForInput(until: Socket.deadline(within: patience)) {
                log.value.names.append("served")
                return .ends
            }
            await loop.yieldToOthers()
            _ = pair.peer.writeAtOnce([1])
            // Jobs of more than any budget, each of which makes the next one ready.
            let end = MonotonicClock.nanoseconds + patience
            while log.value.names.isEmpty, MonotonicClock.nanoseconds < end { await Task.yield() }
            let isServed = !log.value.names.isEmpty
            try await wait
            return isServed
        }
        #expect(isServed)
    }
}
