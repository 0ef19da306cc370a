import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Cancelling and suspending, at every moment (R6, R14, R42).
@Suite(.limit(minutes: 5))
struct SessionCancelTests {
    @Test func `a suspended task delivers nothing new and lets no time run out`() async throws {
        let mayGoOn = Locked<CheckedContinuation<Void, Never>?>(nil)
        try await SessionBench.run { _, peer in
            try await peer.send("HTTP/1.1 200 X\r\nContent-Length: 8\r\n\r\nhalf")
            await withCheckedContinuation { continuation in mayGoOn.withLock { $0 = continuation } }
            return "full"
        } _: { bench in
            let isSuspended = Locked(false)
            let delegate = LogDelegate(
                LogDelegate.Script(act: { task, line in
                    let isFirst = isSuspended.withLock { isSuspended in
                        defer { isSuspended = isSuspended || line == "data" }
                        return line == "data" && !isSuspended
                    }
                    guard isFirst else { return }
                    task.suspend()
                    mayGoOn.withLock { $0.take() }?.resume()
                }))
            var configuration = ReferenceConfiguration()
            configuration.requestTimeout = .seconds(5)
            let session = try ReferenceSession(configuration: configuration, delegate: delegate)
            let task = session.dataTask(with: try bench.request("/page"))
            task.resume()
            await delegate.log.wait(for: "data")
            // Longer than the time-out, which would end a task that runs.
            try await Task.sleep(for: .seconds(6))
            #expect(delegate.log.lines.filter { $0 == "data" }.count == 1)
            #expect(task.state == .suspended)
            task.resume()
            await delegate.log.wait(for: "complete")
            session.finishTasksAndInvalidate()
            await session.ended()
            #expect(delegate.log.folded.prefix(5) == ["created", "response 200", "data", "metrics 1", "complete ok"])
            #expect(delegate.content == "halffull")
        }
    }

    @Test func `who wants resume data while the task ends is told on the queue that there are none`() async throws {
        try await SessionBench.run { _, _ in
            reply(200, "page")
        } _: { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            let task = session.downloadTask(with: try bench.request("/page"))
            task.resume()
            await delegate.log.wait(for: "complete")
            session.onLoop {
                task.load.cancel { [log = delegate.log] data in
                    log.add("resume data \(data == nil ? "none" : "some") \(session.queue.isCurrent)")
                }
            }
            await delegate.log.wait(for: "resume data")
            #expect(delegate.log.lines.last == "resume data none true")
            session.finishTasksAndInvalidate()
            await session.ended()
        }
    }
}
