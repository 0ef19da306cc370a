import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Downloads that go on where others ended (R36, R38; RFC 9110 §13.1.5, §14).
@Suite(.limit(minutes: 5))
struct SessionResumeTests {
    /// Half of ten bytes and then silence; the rest is answered by `rest`.
    private static func file(
        _ validators: String..., rest: @escaping @Sendable (SessionBench.Asked) -> String?
    ) -> SessionBench.Answer {
        { request, peer in
            guard request.field("Range") == nil else { return rest(request) }
            let head = ["HTTP/1.1 200 X", "Content-Length: 10"] + validators
            try await peer.send(head.joined(separator: "\r\n") + "\r\n\r\n01234")
            try await peer.wait()
            return nil
        }
    }

    /// Downloads five bytes, cancels, and downloads the rest; gives the calls of the second task.
    private static func goOn(_ answer: @escaping SessionBench.Answer) async throws -> (
        calls: [String], content: String, asked: SessionBench.Asked?, task: ReferenceTask?
    ) {
        let result = Locked<([String], String, SessionBench.Asked?, ReferenceTask?)>(([], "", nil, nil))
        try await SessionBench.run(answer) { bench in
            let left = Locked<ResumeData?>(nil)
            let log = CallLog()
            let first = LogDelegate(
                LogDelegate.Script(act: { task, line in
                    guard line == "progress 5/10" else { return }
                    task.cancel { data in
                        left.withLock { $0 = data }
                        log.add("resume data \(data.map { "\($0.byteCount)" } ?? "nil")")
                    }
                }), log: log)
            let session = try ReferenceSession(delegate: first)
            session.downloadTask(with: try bench.request("/file")).resume()
            await log.wait(for: "complete")
            #expect(log.folded.filter { $0 != "progress" }.suffix(2) == ["metrics 1", "complete cancelled"])
            session.finishTasksAndInvalidate()
            guard let data = left.withLock({ $0.take() }) else {
                return result.withLock { $0.0 = log.lines }
            }
            let second = LogDelegate()
            let other = try ReferenceSession(delegate: second)
            let task = other.downloadTask(withResumeData: data)
            task.resume()
            await second.log.wait(for: "complete")
            other.finishTasksAndInvalidate()
            await other.ended()
            let calls = second.log.folded.filter { $0 != "sessionInvalid" }
            let content = second.content
            let asked = bench.asked.withLock { $0.last }
            result.withLock { $0 = (calls, content, asked, task) }
        }
        return result.withLock { $0 }
    }

    @Test(arguments: [
        (416, "Content-Range: bytes */3", "416"), (206, "X-Nothing: 1", "Content-Range none"),
        (206, "Content-Range: bytes 4-9/10", "from byte 4 on; expected byte 5"),
        (206, "Content-Range: bytes 5-9/10\r\nETag: \"v2\"", "belongs to ETag"),
        (206, "Content-Range: bytes 9-5/10", "expected one \"bytes 5-LAST/LENGTH\""),
        (206, "Content-Range: bytes 5-7/10", "up to byte 7 alone"), (503, "X-Nothing: 1", "answered 503"),
    ])
    func `an answer that does not fit is a clear error`(status: Int, field: String, sentence: String) async throws {
        let end = try await Self.goOn(Self.file("ETag: \"v1\"") { _ in reply(status, "56789", field) })
        #expect(end.calls == ["created", "metrics 1", "complete badServerResponse"])
        #expect(end.task?.error?.sentence.contains(sentence) == true, "\(end.task?.error?.sentence ?? "none")")
        guard status != 416 else {
            #expect(end.task?.resumeData == nil)
            return
        }
        try Self.expectHalf(end.task)
    }

    /// What the first download had, and nothing of the answer to the second.
    private static func expectHalf(_ task: ReferenceTask?) throws {
        let data = try #require(task?.resumeData)
        #expect(data.byteCount == 5)
        #expect(data.validator == "\"v1\"")
        let file = try #require(data.takeFile())
        #expect(TextFile.read(file.path) == "01234")
    }

    @Test func `a connection that breaks before the answer leaves what was there`() async throws {
        let end = try await Self.goOn(Self.file("ETag: \"v1\"") { _ in nil })
        #expect(end.calls == ["created", "metrics 1", "complete connectionLost"])
        try Self.expectHalf(end.task)
    }

    @Test(arguments: [
        ("3\r\n567\r\n0\r\n\r\n", "complete connectionLost"),
        ("6\r\n56789!\r\n0\r\n\r\n", "complete badServerResponse"),
    ])
    func `a part that is not what it announced is not complete`(chunks: String, last: String) async throws {
        let head = "HTTP/1.1 206 X\r\nContent-Range: bytes 5-9/10\r\nTransfer-Encoding: chunked\r\n\r\n"
        let end = try await Self.goOn(Self.file("ETag: \"v1\"") { _ in head + chunks })
        #expect(end.calls.first { $0.hasPrefix("resumed") } == "resumed at 5 of 10")
        #expect(end.calls.last == last)
        #expect(!end.calls.contains("fileReady"))
        #expect(end.task?.resumeData?.validator == "\"v1\"")
    }

    @Test(arguments: [
        "X-Nothing: 1", "ETag: W/\"v1\"", "ETag: \"v1\"\r\nAccept-Ranges: none",
        "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT",
    ])
    func `without a strong validator there are no resume data`(field: String) async throws {
        let end = try await Self.goOn(Self.file(field) { _ in nil })
        #expect(end.calls.contains("resume data nil"))
        #expect(end.task == nil)
    }

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
