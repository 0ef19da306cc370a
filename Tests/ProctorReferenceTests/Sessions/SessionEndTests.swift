import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// The end of a session, and which delegate is told (R43, R55).
@Suite(.limit(minutes: 5))
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

    @Test func `an invalidated session takes no more tasks and reports none to its delegate`() async throws {
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

    @Test func `a session without references ends by itself`() async throws {
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
            // Delegate and `await` are groups of their own: neither waits for the other (R40).
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

/// Tasks that several threads have their hands on.
@Suite(.limit(minutes: 5))
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

/// A queue that its owner ends before the session has ended (R43, R46).
@Suite(.limit(minutes: 5))
struct SessionQueueTests {
    private static let lab: SessionBench.Answer = { request, _ in
        switch request.target {
        case "/moved": reply(302, "elsewhere", "Location: /page")
        case "/secret": reply(401, "denied", "WWW-Authenticate: Basic realm=\"it\"")
        default: reply(200, "page")
        }
    }

    @Test(arguments: [true, false])
    func `a session whose queue was ended is released, and its thread ends`(endsQueueFirst: Bool) async throws {
        let queue = try CallbackQueue()
        weak var gone: ReferenceSession?
        let loop: EventLoop
        do {
            let session = try ReferenceSession(delegate: LogDelegate(), queue: queue)
            loop = session.loop
            gone = session
            if endsQueueFirst { queue.stop() }
            session.finishTasksAndInvalidate()
            queue.stop()
        }
        await loop.ended()
        #expect(await Release.comes { gone })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let target: String
        let moment: String
        var isDownload = false
        var testDescription: String { "\(isDownload ? "download" : "data") \(target), ended in \(moment)" }
    }

    static let rows = [
        Row(target: "/page", moment: "created"), Row(target: "/moved", moment: "created"),
        Row(target: "/secret", moment: "created"), Row(target: "/page", moment: "response"),
        Row(target: "/page", moment: "data"), Row(target: "/moved", moment: "redirect"),
        Row(target: "/secret", moment: "challenge"), Row(target: "/page", moment: "created", isDownload: true),
        Row(target: "/page", moment: "progress", isDownload: true),
    ]

    @Test(arguments: rows)
    func `tasks end although their queue makes no calls any longer`(row: Row) async throws {
        try await SessionBench.run(Self.lab) { bench in
            let queue = try CallbackQueue()
            let delegate = LogDelegate(
                LogDelegate.Script(act: { _, line in if line.hasPrefix(row.moment) { queue.stop() } }))
            let session = try ReferenceSession(delegate: delegate, queue: queue)
            let request = try bench.request(row.target)
            let task = row.isDownload ? session.downloadTask(with: request) : session.dataTask(with: request)
            task.delegate = delegate
            task.resume()
            session.finishTasksAndInvalidate()
            await session.ended()
            #expect(task.state == .completed)
            #expect(task.error == nil)
            #expect(task.response?.status == (row.target == "/secret" ? 401 : 200))
            #expect(task.delegate == nil)
            #expect(session.delegate == nil)
            #expect(delegate.log.lines.contains { $0.hasPrefix(row.moment) })
        }
    }
}
