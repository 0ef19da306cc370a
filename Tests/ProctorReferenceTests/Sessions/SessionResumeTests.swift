import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Downloads that go on where others ended (R36, R38; RFC 9110 §13.1.5, §14).
@Suite(.limit(minutes: 5))
struct SessionResumeTests {
    @Test func `a failed download leaves resume data, and no file when the data are released`() async throws {
        try await SessionBench.run { request, peer in
            try await peer.send("HTTP/1.1 200 X\r\nContent-Length: 10\r\nETag: \"v1\"\r\n\r\n01234")
            return nil
        } _: { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            var task: ReferenceTask? = session.downloadTask(with: try bench.request("/file"))
            task?.resume()
            await delegate.log.wait(for: "complete connectionLost")
            #expect(task?.resumeData?.byteCount == 5)
            let file = try #require(task?.resumeData?.takeFile())
            let path = file.path
            #expect(TextFile.read(path) == "01234")
            withExtendedLifetime(file) {}
            task = nil
            session.finishTasksAndInvalidate()
            await session.ended()
        }
    }

    @Test func `a file is there in the callback and gone after it`() async throws {
        try await SessionBench.run { _, _ in
            reply(200, "page")
        } _: { bench in
            let log = CallLog()
            let session = try ReferenceSession()
            let path = Locked("")
            session.downloadTask(with: try bench.request("/file")) { file, response, error in
                path.withLock { $0 = file ?? "none" }
                log.add("handler \(file.flatMap(TextFile.read) ?? "nil") \(response?.status ?? 0) \(error == nil)")
            }.resume()
            await log.wait(for: "handler")
            session.finishTasksAndInvalidate()
            await session.ended()
            session.queue.stop()
            #expect(log.lines == ["handler page 200 true"])
            let (kept, response) = try await Self.download(bench)
            #expect(response.status == 200)
            #expect(TextFile.read(kept) == "page")
            #expect(removed(kept))
            #expect(!TextFile.exists(path.withLock { $0 }))
        }
    }

    private static func download(_ bench: SessionBench) async throws -> (String, LoadResponse) {
        let session = try ReferenceSession()
        defer { session.invalidateAndCancel() }
        return try await session.download(for: try bench.request("/file"))
    }
}

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

private func removed(_ path: String) -> Bool { unsafe unlink(path) == 0 }

/// Resume data that another download has used already: a task like others, which fails (R36, R39, R45).
@Suite(.limit(minutes: 5))
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

    @Test func `an async download throws the reason`() async throws {
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
