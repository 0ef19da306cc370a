import Testing

@testable import ProctorLoop

@Suite(.timeLimit(.minutes(5)))
struct EventSourceTests {
    @Test func `events that nobody waits for are kept in order`() async throws {
        let got = try await onLoop { loop in
            let source = EventSource<Int>(loop: loop)
            for number in 0..<10 { source.deliver(number) }
            source.finish()
            var got: [Int] = []
            while let event = await source.next() { got.append(event) }
            return got
        }
        #expect(got == Array(0..<10))
    }

    @Test func `what is too much to keep is merged into the last`() async throws {
        let got = try await onLoop { loop in
            let source = EventSource<Int>(loop: loop)
            for number in 0..<1000 { source.deliver(number) }
            source.finish()
            var got: [Int] = []
            while let event = await source.next() { got.append(event) }
            return got
        }
        #expect(got == Array(0..<63) + [999])
    }

    @Test func `a late cancellation of one task does not end the wait of the next`() async throws {
        let (first, second) = try await onLoop { loop in
            let source = EventSource<Int>(loop: loop)
            let one = Task(executorPreference: loop) { await source.next() }
            await Task.yield()
            // The event wakes the first task, whose cancellation reaches the loop only after the second waits.
            source.deliver(1)
            one.cancel()
            let two = Task(executorPreference: loop) { await source.next() }
            await Task.yield()
            let first = await one.value
            // By now the late command has run.
            await withCheckedContinuation { continuation in loop.submit { continuation.resume() } }
            source.deliver(2)
            return (first, await two.value)
        }
        #expect(first == 1)
        #expect(second == 2)
    }

    @Test func `a cancelled task gets nil, and the events stay for others`() async throws {
        let (cancelled, later) = try await onLoop { loop in
            let source = EventSource<Int>(loop: loop)
            let one = Task(executorPreference: loop) { await source.next() }
            await Task.yield()
            one.cancel()
            let cancelled = await one.value
            source.deliver(3)
            return (cancelled, await source.next())
        }
        #expect(cancelled == nil)
        #expect(later == 3)
    }
}
