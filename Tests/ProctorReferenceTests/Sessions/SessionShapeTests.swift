import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Completion handlers and `async` methods (R54).
@Suite(.limit(minutes: 5))
struct SessionShapeTests {
    private static let lab: SessionBench.Answer = { request, peer in
        switch request.target {
        case "/moved": return reply(302, "elsewhere", "Location: /page")
        case "/silent":
            try await peer.wait()
            return nil
        case "/secret": return reply(401, "denied", "WWW-Authenticate: Basic realm=\"it\"")
        default: return reply(200, request.body.isEmpty ? "page" : "got \(request.body)")
        }
    }

    @Test func `what a handler holds is released after its call, though the task is kept`() async throws {
        final class Held: Sendable {}
        try await SessionBench.run(Self.lab) { bench in
            let log = CallLog()
            let session = try ReferenceSession()
            weak var gone: Held?
            let task: ReferenceTask
            do {
                let held = Held()
                gone = held
                task = session.dataTask(with: try bench.request("/page")) { [held] _, _, _ in
                    withExtendedLifetime(held) { log.add("handler") }
                }
            }
            #expect(gone != nil)
            task.resume()
            await log.wait(for: "handler")
            #expect(await Release.comes { gone })
            #expect(task.state == .completed)
            session.finishTasksAndInvalidate()
            await session.ended()
        }
    }

    @Test func `an awaited load goes on when the delegate has returned from its last call`() async throws {
        final class BusyDelegate: ReferenceSessionDelegate {
            let log = CallLog()

            func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics) {
                // Meanwhile the loading thread does all that it has to do.
                for _ in 1...10 {
                    let turn = Monitor(false)
                    session.loop.submit {
                        turn.withLock { $0 = true }
                        turn.wakeAll()
                    }
                    turn.wait { $0 ? .done(()) : .wait() }
                }
                log.add("left")
            }
        }
        try await SessionBench.run(Self.lab) { bench in
            let delegate = BusyDelegate()
            let session = try ReferenceSession(delegate: delegate)
            _ = try await session.data(for: try bench.request("/page"))
            delegate.log.add("went on")
            session.invalidateAndCancel()
            await session.ended()
            #expect(delegate.log.lines == ["left", "went on"])
        }
    }

    @Test func `on the loading thread many loads follow one another on one connection`() async throws {
        try await SessionBench.run(Self.lab) { bench in
            let session = try ReferenceSession()
            let count = try await session.onLoadingThread {
                var count = 0
                for _ in 1...500 {
                    count += try await session.data(for: try bench.request("/page")).content.count
                    #expect(session.loop.isCurrent)
                }
                return count
            }
            #expect(count == 2000)
            #expect(try await session.loop.run { session.pool.openedCount } == 1)
            session.finishTasksAndInvalidate()
            await session.ended()
        }
    }

    @Test(arguments: [true, false])
    func `cancelling the task that awaits cancels the load`(hasDelegate: Bool) async throws {
        try await SessionBench.run(Self.lab) { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: hasDelegate ? delegate : nil)
            let request = try bench.request("/silent")
            let task = Task { try await session.data(for: request) }
            while bench.lines.isEmpty { await Task.yield() }
            task.cancel()
            let error = await #expect(throws: LoadError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
            session.invalidateAndCancel()
            await session.ended()
        }
    }

    @Test func `loads without a task are cancelled with their session`() async throws {
        try await SessionBench.run(Self.lab) { bench in
            let session = try ReferenceSession()
            let request = try bench.request("/silent")
            let task = Task { try await session.data(for: request) }
            while bench.lines.isEmpty { await Task.yield() }
            session.invalidateAndCancel()
            let error = await #expect(throws: LoadError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
            await session.ended()
        }
    }

    @Test(arguments: [true, false])
    func `content that is too long for memory fails the load and says the limit`(hasDelegate: Bool) async throws {
        try await SessionBench.run(Self.lab) { bench in
            var configuration = ReferenceConfiguration()
            configuration.collectedByteLimit = 3
            configuration.fileByteLimit = 3
            let session = try ReferenceSession(
                configuration: configuration, delegate: hasDelegate ? LogDelegate() : nil)
            let error = await #expect(throws: LoadError.self) {
                try await session.data(for: try bench.request("/page"))
            }
            #expect(error?.kind == .dataLengthExceedsMaximum)
            #expect(error?.sentence.contains("3 bytes") == true)
            let other = await #expect(throws: LoadError.self) {
                try await session.download(for: try bench.request("/page"))
            }
            #expect(other?.kind == .dataLengthExceedsMaximum)
            configuration.temporaryFolder = "/no/such/folder"
            let third = try ReferenceSession(configuration: configuration)
            let last = await #expect(throws: LoadError.self) {
                try await third.download(for: try bench.request("/page"))
            }
            #expect(last?.kind == .cannotCreateFile)
            session.invalidateAndCancel()
            third.invalidateAndCancel()
        }
    }

    @Test func `a filter can change, drop and move calls`() async throws {
        struct Changer: CallFilter {
            mutating func filter(_ call: DelegateCall) -> [PlacedCall] {
                switch call {
                case .metrics: []
                case .response: [PlacedCall(call, isElsewhere: true)]
                case .complete: [PlacedCall(.data([1])), PlacedCall(call), PlacedCall(call)]
                default: [PlacedCall(call)]
                }
            }
        }
        try await SessionBench.run(Self.lab) { bench in
            var configuration = ReferenceConfiguration()
            configuration.makeCallFilter = { Changer() }
            let delegate = LogDelegate()
            let session = try ReferenceSession(configuration: configuration, delegate: delegate)
            session.dataTask(with: try bench.request("/page")).resume()
            await delegate.log.wait(for: "complete")
            session.finishTasksAndInvalidate()
            await delegate.log.wait(for: "sessionInvalid")
            await session.ended()
            #expect(
                delegate.log.folded == [
                    "created", "response 200 in the wrong place", "data", "complete ok", "complete ok",
                    "sessionInvalid",
                ])
        }
    }
}

/// Content that is too long, where the load itself has nothing to complain of.
@Suite(.limit(minutes: 5))
struct SessionLimitTests {
    /// A part without a boundary behind it: only the end tells that its last line end belongs to it, which makes 5 bytes.
    private static let part: SessionBench.Answer = { _, _ in
        reply(200, "--b\r\nX-Part: 1\r\n\r\nabc\r\n", "Content-Type: multipart/x-mixed-replace; boundary=b")
    }

    private static func configuration(limit: Int) -> ReferenceConfiguration {
        var configuration = ReferenceConfiguration()
        configuration.collectedByteLimit = limit
        configuration.fileByteLimit = limit
        return configuration
    }

    @Test(arguments: [true, false])
    func `bytes that are too many fail the load also when they come with its end`(hasDelegate: Bool) async throws {
        try await SessionBench.run(Self.part) { bench in
            let session = try ReferenceSession(
                configuration: Self.configuration(limit: 3), delegate: hasDelegate ? LogDelegate() : nil)
            let request = try bench.request("/parts")
            let content = await #expect(throws: LoadError.self) { try await session.data(for: request) }
            #expect(content?.kind == .dataLengthExceedsMaximum)
            let file = await #expect(throws: LoadError.self) { try await session.download(for: request) }
            #expect(file?.kind == .dataLengthExceedsMaximum)
            session.invalidateAndCancel()
            await session.ended()
        }
    }

    @Test(arguments: [(3, "complete dataLengthExceedsMaximum"), (5, "complete ok")])
    func `a file that may not be as long is not given to the delegate`(limit: Int, end: String) async throws {
        try await SessionBench.run(Self.part) { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(configuration: Self.configuration(limit: limit), delegate: delegate)
            session.downloadTask(with: try bench.request("/parts")).resume()
            await delegate.log.wait(for: "complete")
            session.finishTasksAndInvalidate()
            await session.ended()
            let file = limit == 5 ? ["fileReady"] : []
            let calls = delegate.log.folded.filter { $0 != "sessionInvalid" }
            #expect(calls == ["created", "progress"] + file + ["metrics 1", end])
        }
    }
}

/// What Docs/clients/reference.md shows, line by line; `ReferencePageTests` compares the two.
struct SessionExampleTests {
    @Test func `the example of the page`() async throws {
        try await SessionBench.run({ _, _ in reply(200, "hello") }) { bench in
            let port = try #require(bench.address.port)
            let session = try ReferenceSession()
            let url = try ClientURL("http://127.0.0.1:\(port)/hello")
            let (content, response) = try await session.data(for: ClientRequest(url: url))
            session.finishTasksAndInvalidate()
            await session.ended()
            #expect(response.status == 200)
            #expect(content == Array("hello".utf8))
        }
    }
}
