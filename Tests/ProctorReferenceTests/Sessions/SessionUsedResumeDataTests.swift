import ProctorHTTP
import Testing

@testable import ProctorReference

/// Resume data that another download has used already: a task like others, which fails (R36, R39, R45).
@Suite(.timeLimit(.minutes(5)))
struct SessionUsedResumeDataTests {
    /// Hands `body` what a download left whose connection broke, when another task has it already.
    private static func withUsedData(
        _ body: @escaping @Sendable (ReferenceSession, LogDelegate, ResumeData) async throws -> Void
    ) async throws {
        try await SessionBench.run { _, peer in
            try await peer.send("HTTP/1.1 200 X\r\nContent-Length: 10\r\nETag: \"v1\"\r\n\r\n01234")
            return nil
        } _: { bench in
            let first = LogDelegate()
            let firstSession = try ReferenceSession(delegate: first)
            let task = firstSession.downloadTask(with: try bench.request("/file"))
            task.resume()
            await first.log.wait(for: "complete")
            let data = try #require(task.resumeData)
            _ = firstSession.downloadTask(withResumeData: data)
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            try await body(session, delegate, data)
            session.finishTasksAndInvalidate()
            await session.ended()
            firstSession.invalidateAndCancel()
            await firstSession.ended()
            #expect(bench.lines == ["GET /file"])
        }
    }

    @Test func `the delegate is told once the task is resumed`() async throws {
        try await Self.withUsedData { session, delegate, data in
            let task = session.downloadTask(withResumeData: data)
            #expect(task.state == .suspended)
            task.resume()
            await delegate.log.wait(for: "complete")
            #expect(delegate.log.lines == ["created", "metrics 0", "complete resourceUnavailable"])
            #expect(task.error?.sentence.contains("used by another download") == true)
        }
    }

    @Test func `a handler is told on the queue`() async throws {
        try await Self.withUsedData { session, delegate, data in
            let task = session.downloadTask(withResumeData: data) { [log = delegate.log] path, _, error in
                log.add("handler \(path ?? "nil") \(error.map { "\($0.kind)" } ?? "ok") \(session.queue.isCurrent)")
            }
            task.resume()
            await delegate.log.wait(for: "handler")
            #expect(delegate.log.lines == ["created", "metrics 0", "handler nil resourceUnavailable true"])
        }
    }

    @Test func `whoever awaits it is thrown the reason`() async throws {
        try await Self.withUsedData { session, _, data in
            let error = await #expect(throws: LoadError.self) { try await session.download(resumeFrom: data) }
            #expect(error?.kind == .resourceUnavailable)
        }
    }

    @Test func `a cancel before the first resume is a cancel`() async throws {
        try await Self.withUsedData { session, delegate, data in
            session.downloadTask(withResumeData: data).cancel()
            await delegate.log.wait(for: "complete")
            #expect(delegate.log.lines == ["created", "metrics 0", "complete cancelled"])
        }
    }
}
