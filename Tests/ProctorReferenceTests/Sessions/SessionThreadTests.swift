import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Tasks that several threads have their hands on.
@Suite(.timeLimit(.minutes(5)))
struct SessionThreadTests {
    @Test func `whatever two threads suspended and resumed, a last resume lets the task end`() async throws {
        let (gate, opened) = AsyncStream<Void>.makeStream()
        try await SessionBench.run { _, _ in
            for await _ in gate { break }
            return reply(200, "page")
        } _: { bench in
            let log = CallLog()
            let session = try ReferenceSession()
            for number in 1...200 {
                let task = session.dataTask(with: try bench.request("/page")) { content, _, _ in
                    log.add("end \(number) \(content?.count ?? 0)")
                }
                task.resume()
                async let suspending: Void = onThread { for _ in 1...100 { task.suspend() } }
                async let resuming: Void = onThread { for _ in 1...100 { task.resume() } }
                _ = try await (suspending, resuming)
                opened.yield()
                task.resume()
                await log.wait(for: "end \(number) 4")
            }
            session.finishTasksAndInvalidate()
            await session.ended()
        }
    }

    @Test func `a suspend that reaches the loading thread behind a later resume changes nothing`() async throws {
        let (gate, opened) = AsyncStream<Void>.makeStream()
        try await SessionBench.run { _, _ in
            for await _ in gate { break }
            return reply(200, "page")
        } _: { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            let task = session.dataTask(with: try bench.request("/page"))
            task.resume()
            try await session.loop.run {
                // What the other thread wants waits until this thread has done what it wants later.
                WorkerThread { task.suspend() }?.join()
                task.resume()
            }
            opened.yield()
            await delegate.log.wait(for: "complete ok")
            session.finishTasksAndInvalidate()
            await session.ended()
        }
    }

    @Test func `a task that is suspended before it could begin begins with the next resume`() async throws {
        try await SessionBench.run { _, _ in
            reply(200, "page")
        } _: { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            let task = session.dataTask(with: try bench.request("/page"))
            try await session.loop.run {
                // Both are done before this thread can do what they want.
                WorkerThread {
                    task.resume()
                    task.suspend()
                }?.join()
            }
            #expect(task.state == .suspended)
            task.resume()
            await delegate.log.wait(for: "complete ok")
            session.finishTasksAndInvalidate()
            await session.ended()
        }
    }
}
