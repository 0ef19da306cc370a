import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Cancelling and suspending, at every moment (R6, R14, R42).
@Suite(.limit(minutes: 5))
struct SessionCancelTests {
    /// Replies that never end, so that nothing but a cancel ends a load.
    private static let endless: SessionBench.Answer = { request, peer in
        switch request.target {
        case "/silent": break
        case "/moved": return reply(302, "", "Location: /page")
        case "/secret": return reply(401, "denied", "WWW-Authenticate: Basic realm=\"it\"")
        case "/interim": try await peer.send("HTTP/1.1 103 X\r\n\r\n")
        default: try await peer.send("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nhalf")
        }
        try await peer.wait()
        return nil
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let moment: String
        let target: String
        let kind: String
        let calls: [String]
        var testDescription: String { "in \(moment) of \(kind) \(target)" }

        init(_ moment: String, _ target: String, kind: String = "data", _ calls: String) {
            self.moment = moment
            self.target = target
            self.kind = kind
            self.calls = calls.split(separator: ",").map { String($0.drop { $0 == " " }) }
        }
    }

    static let rows: [Row] = [
        Row("redirect", "/moved", "created, redirect 302, metrics 1, complete cancelled"),
        Row("challenge", "/secret", "created, challenge basic 0, metrics 1, complete cancelled"),
        Row("informational", "/interim", "created, informational 103, metrics 1, complete cancelled"),
        Row("response", "/page", "created, response 200, metrics 1, complete cancelled"),
        Row("data", "/page", "created, response 200, data, metrics 1, complete cancelled"),
        Row("progress", "/page", kind: "download", "created, progress, metrics 1, complete cancelled"),
        Row("needBodyStream", "/page", kind: "stream", "created, needBodyStream, metrics 0, complete cancelled"),
        Row("bodySent", "/silent", kind: "upload", "created, bodySent, metrics 1, complete cancelled"),
        Row("redirect", "/moved", kind: "download", "created, redirect 302, metrics 1, complete cancelled"),
    ]

    @Test(arguments: rows)
    func `a cancel in a callback ends the task and answers are ignored`(row: Row) async throws {
        try await SessionBench.run(Self.endless) { bench in
            let delegate = LogDelegate(LogDelegate.Script(cancelAt: row.moment))
            let session = try ReferenceSession(delegate: delegate)
            let task = try Self.task(row.kind, row.target, in: session, bench)
            task.resume()
            await delegate.log.wait(for: "complete")
            #expect(task.state == .completed)
            task.cancel()
            session.finishTasksAndInvalidate()
            await session.ended()
            await delegate.log.wait(for: "sessionInvalid")
            #expect(delegate.log.folded == row.calls + ["sessionInvalid"])
        }
    }

    private static func task(
        _ kind: String, _ target: String, in session: ReferenceSession, _ bench: SessionBench
    ) throws -> ReferenceTask {
        switch kind {
        case "download": session.downloadTask(with: try bench.request(target))
        case "upload": session.uploadTask(with: try bench.request(target, method: "POST"), from: [1, 2, 3])
        case "stream": session.uploadTask(withStreamedRequest: try bench.request(target, method: "POST"))
        default: session.dataTask(with: try bench.request(target))
        }
    }

    @Test func `a task that is cancelled before it is resumed asks for nothing`() async throws {
        try await SessionBench.run(Self.endless) { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            let task = session.dataTask(with: try bench.request("/page"))
            task.cancel()
            task.resume()
            await delegate.log.wait(for: "complete")
            session.finishTasksAndInvalidate()
            await session.ended()
            #expect(delegate.log.lines.prefix(3) == ["created", "metrics 0", "complete cancelled"])
            #expect(bench.lines == [])
        }
    }

    @Test func `an answer that comes after the cancel is ignored`() async throws {
        try await SessionBench.run(Self.endless) { bench in
            let delegate = LogDelegate(
                LogDelegate.Script(act: { task, line in if line.hasPrefix("redirect") { task.cancel() } }))
            let session = try ReferenceSession(delegate: delegate)
            session.dataTask(with: try bench.request("/moved")).resume()
            await delegate.log.wait(for: "complete")
            session.finishTasksAndInvalidate()
            await session.ended()
            #expect(delegate.log.lines.prefix(4) == ["created", "redirect 302", "metrics 1", "complete cancelled"])
            #expect(bench.lines == ["GET /moved"])
        }
    }

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

    @Test func `a reply that does not come fails the task when its time is over`() async throws {
        try await SessionBench.run(Self.endless) { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            session.dataTask(with: try bench.request("/silent"), timeout: .milliseconds(200)).resume()
            await delegate.log.wait(for: "complete")
            session.invalidateAndCancel()
            #expect(delegate.log.lines.prefix(3) == ["created", "metrics 1", "complete timedOut"])
        }
    }

    @Test func `the time of a resource ends a load whatever happens`() async throws {
        try await SessionBench.run { _, peer in
            try await peer.send("HTTP/1.1 200 X\r\n\r\n")
            // Until the client has left, which a write may find out first.
            while (try? await peer.send("more")) != nil {
                await peer.socket.loop.sleep(for: .milliseconds(20))
            }
            return nil
        } _: { bench in
            let delegate = LogDelegate()
            var configuration = ReferenceConfiguration()
            configuration.resourceTimeout = .seconds(5)
            let session = try ReferenceSession(configuration: configuration, delegate: delegate)
            session.dataTask(with: try bench.request("/page")).resume()
            await delegate.log.wait(for: "complete")
            session.invalidateAndCancel()
            #expect(
                delegate.log.folded.prefix(5) == ["created", "response 200", "data", "metrics 1", "complete timedOut"])
        }
    }
}
