import Testing

@testable import ProctorLoop

@Suite(.timeLimit(.minutes(5)))
struct EventLoopEndTests {
    @Test func `what was enqueued before stop still runs on the loop`() async throws {
        let loop = try EventLoop()
        let tasks = (0..<1000).map { _ in Task(executorPreference: loop) { loop.isCurrent } }
        loop.stop()
        for task in tasks {
            // A task that came too late ran elsewhere; none may be lost.
            _ = await task.value
        }
        await loop.ended()
    }

    @Test func `a task enqueued after the end runs on the global executor`() async throws {
        let loop = try EventLoop()
        loop.stop()
        await loop.ended()
        let wasOnLoop = await Task(executorPreference: loop) {
            await Task.yield()
            return loop.isCurrent
        }.value
        #expect(!wasOnLoop)
    }

    @Test func `a sleep outlives stop and can still be cancelled`() async throws {
        let loop = try EventLoop()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let sleeper = Task(executorPreference: loop) {
            begin.finish()
            return await loop.sleep(for: .seconds(3600))
        }
        for await _ in begun {}
        loop.stop()
        sleeper.cancel()
        #expect(await sleeper.value == false)
        await loop.ended()
    }

    @Test func `a reader outlives stop, is cancelled, and closes on the loop`() async throws {
        let loop = try EventLoop()
        let pair = try await loop.run { try await Pair.make(on: loop) }
        let reader = Task(executorPreference: loop) { () -> SocketError? in
            defer { pair.close() }
            do throws(SocketError) {
                _ = try await pair.ours.read(within: patience) { $0.count }
                return nil
            } catch {
                return error
            }
        }
        loop.stop()
        pair.ours.cancel()
        #expect(await reader.value == .cancelled)
        await loop.ended()
    }

    @Test func `an open socket keeps a stopping loop alive until it is closed`() async throws {
        let loop = try EventLoop()
        let pair = try await loop.run { try await Pair.make(on: loop) }
        loop.stop()
        // Three more tasks find the loop's thread there.
        for _ in 0..<3 { #expect(try await loop.run { loop.isCurrent }) }
        #expect(try await loop.run { loop.handleCount } >= 2)
        try await loop.run { pair.close() }
        await loop.ended()
    }

    @Test func `stopping from the loop's own task and twice is fine`() async throws {
        let loop = try EventLoop()
        try await loop.run {
            loop.stop()
            loop.stop()
        }
        await loop.ended()
        await loop.ended()
    }

    @Test func `an ended loop gives its memory back`() async throws {
        weak var weakLoop: EventLoop?
        do {
            let loop = try EventLoop()
            weakLoop = loop
            loop.stop()
            await loop.ended()
        }
        // The thread lets go of its reference a moment after the last waiter is woken.
        while weakLoop != nil, !Task.isCancelled { await Task.yield() }
        #expect(weakLoop == nil)
    }

    @Test func `enqueuing races with the end and nothing is lost`() async throws {
        for _ in 0..<200 {
            let loop = try EventLoop()
            let tasks = (0..<4).map { number in
                Task.detached { await Task(executorPreference: loop) { number }.value }
            }
            loop.stop()
            var numbers: [Int] = []
            for task in tasks { numbers.append(await task.value) }
            #expect(numbers == [0, 1, 2, 3])
            await loop.ended()
        }
    }
}
