import ProctorBase
import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// The end of a session, and which delegate is told (R43, R55).
@Suite(.timeLimit(.minutes(5)))
struct SessionEndTests {
    private static let waiting: SessionBench.Answer = { request, peer in
        guard request.target != "/page" else { return reply(200, "page") }
        try await peer.send("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nhalf")
        try await peer.wait()
        return nil
    }

    @Test func `a finishing session waits for its tasks and says goodbye last`() async throws {
        try await SessionBench.run(Self.waiting) { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            let tasks = try (1...3).map { _ in session.dataTask(with: try bench.request("/page")) }
            session.finishTasksAndInvalidate()
            for task in tasks { task.resume() }
            await delegate.log.wait(for: "sessionInvalid")
            await session.ended()
            let lines = delegate.log.lines
            #expect(lines.count { $0 == "complete ok" } == 3)
            #expect(lines.last == "sessionInvalid")
            #expect(session.delegate == nil)
        }
    }

    @Test func `an invalidated session cancels its tasks, also those never resumed`() async throws {
        try await SessionBench.run(Self.waiting) { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            let tasks = try (1...3).map { _ in session.dataTask(with: try bench.request("/half")) }
            tasks[0].resume()
            tasks[1].resume()
            await delegate.log.wait(for: "data")
            session.invalidateAndCancel()
            await delegate.log.wait(for: "sessionInvalid")
            await session.ended()
            let lines = delegate.log.lines
            #expect(lines.count { $0 == "complete cancelled" } == 3)
            #expect(lines.last == "sessionInvalid")
            #expect(tasks.allSatisfy { $0.state == .completed && $0.error?.kind == .cancelled })
        }
    }

    @Test func `a session that is invalidated while a task is made tells of the task first`() async throws {
        try await SessionBench.run(Self.waiting) { bench in
            let delegate = LogDelegate(
                LogDelegate.Script(act: { task, line in if line == "created" { task.session.invalidateAndCancel() } }))
            let session = try ReferenceSession(delegate: delegate)
            session.dataTask(with: try bench.request("/page")).resume()
            await delegate.log.wait(for: "sessionInvalid")
            await session.ended()
            #expect(delegate.log.lines == ["created", "metrics 0", "complete cancelled", "sessionInvalid"])
            #expect(bench.lines == [])
        }
    }

    @Test func `an invalidated session takes no more tasks and tells nobody of them`() async throws {
        try await SessionBench.run(Self.waiting) { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            session.invalidateAndCancel()
            await session.ended()
            let task = session.dataTask(with: try bench.request("/page"))
            task.resume()
            #expect(task.state == .completed)
            #expect(task.error?.sentence.contains("the session was invalidated") == true)
            let log = CallLog()
            session.dataTask(with: try bench.request("/page")) { _, _, error in
                log.add("handler \(error.map { "\($0.kind)" } ?? "ok")")
            }.resume()
            #expect(log.lines == ["handler cancelled"])
            await #expect(throws: LoadError.self) { try await session.data(for: try bench.request("/page")) }
            await #expect(throws: LoadError.self) { try await session.download(for: try bench.request("/page")) }
            #expect(delegate.log.lines == ["sessionInvalid"])
        }
    }

    @Test func `a session that nobody holds ends by itself`() async throws {
        try await SessionBench.run(Self.waiting) { bench in
            weak var gone: ReferenceSession?
            var session: ReferenceSession? = try ReferenceSession()
            let loop = try #require(session?.loop)
            gone = session
            _ = try await session?.data(for: try bench.request("/page"))
            session = nil
            await loop.ended()
            #expect(gone == nil)
        }
    }

    @Test func `a callback goes to the task's delegate, or else to the session's`() async throws {
        try await SessionBench.run { request, _ in
            request.target == "/moved" ? reply(302, "", "Location: /page") : reply(200, "page")
        } _: { bench in
            let log = CallLog()
            let ofSession = LogDelegate(log: log)
            let ofTask = RedirectDelegate(log)
            let session = try ReferenceSession(delegate: ofSession)
            let task = session.dataTask(with: try bench.request("/moved"))
            task.delegate = ofTask
            task.resume()
            await log.wait(for: "complete")
            session.finishTasksAndInvalidate()
            await session.ended()
            await log.wait(for: "sessionInvalid")
            #expect(
                log.folded == [
                    "created", "task's redirect", "response 200", "data", "task's metrics", "complete ok",
                    "sessionInvalid",
                ])
            #expect(task.delegate == nil)
        }
    }

    @Test func `a task's delegate alone is answered for as if it had all methods`() async throws {
        try await SessionBench.run { request, _ in
            request.target == "/moved" ? reply(302, "", "Location: /page") : reply(200, "page")
        } _: { bench in
            let log = CallLog()
            let session = try ReferenceSession()
            let ofTask = RedirectDelegate(log)
            let (content, response) = try await session.data(for: try bench.request("/moved"), delegate: ofTask)
            #expect(content == Array("page".utf8))
            #expect(response.status == 200)
            // Delegate and `await` are lanes of their own: neither waits for the other (R40).
            await log.wait(for: "task's metrics")
            #expect(log.lines == ["task's redirect", "task's metrics"])
            session.invalidateAndCancel()
        }
    }
}

/// Has two methods only.
private final class RedirectDelegate: ReferenceTaskDelegate {
    let log: CallLog

    init(_ log: CallLog) { self.log = log }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void
    ) {
        log.add("task's redirect")
        answer(request)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics) {
        log.add("task's metrics")
    }
}
