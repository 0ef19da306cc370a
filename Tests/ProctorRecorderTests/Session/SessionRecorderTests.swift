import Foundation
import ProctorBase
import ProctorEvents
import ProctorProgram
import ProctorTestSupport
import Testing

@testable import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The recorder in the process of a test, with what is safe there: plain loads and followed or refused redirects.
@Suite(.limit(minutes: 5))
struct SessionRecorderTests {
    private let server: PlainServer

    init() throws { server = try PlainServer.usual() }

    /// Loads a path and waits for the end of the session.
    private func load(_ path: String, with recorder: SessionRecorder) async throws {
        defer { server.stop() }
        let session = recorder.session()
        let url = try #require(URL(string: server.base + path))
        session.dataTask(with: url).resume()
        session.finishTasksAndInvalidate()
        let end = await recorder.recorder.event(within: Patience.whole) {
            $0.name == .sessionInvalid && $0.phase == .exit
        }
        try #require(end != nil, "\(recorder.recorder.events)")
    }

    private func lane(_ recorder: SessionRecorder, _ lane: Lane = .task) -> String {
        recorder.recorder.events.filter { $0.lane == lane && $0.phase == .enter }
            .map { $0.symbol.description }.joined(separator: " ")
    }

    @Test func `without a delegate every callback is recorded and gets its default answer`() async throws {
        let recorder = SessionRecorder()
        try await load("/moved", with: recorder)
        #expect(lane(recorder) == "redirect(302) response(200) data complete(ok)")
        #expect(lane(recorder, .harness) == "answer(follow) answer(allow) result")
        #expect(lane(recorder, .session) == "sessionInvalid(ok)")
        #expect(recorder.recorder.events.filter { $0.lane == .task }.allSatisfy { $0.queue == "D" })
    }

    @Test func `a user's delegate answers and is told everything`() async throws {
        let user = Refuser()
        let recorder = SessionRecorder(forwardingTo: user)
        try await load("/moved", with: recorder)
        #expect(lane(recorder) == "redirect(302) response(302) data complete(ok)")
        #expect(lane(recorder, .harness) == "answer(refuse) answer(allow) result")
        #expect(user.calls.withLock { $0 } == ["redirect", "response", "data", "complete", "invalid"])
    }

    @Test func `what a delegate does not implement is answered as if there were no delegate`() async throws {
        let user = Quiet()
        let recorder = SessionRecorder(forwardingTo: user)
        try await load("/moved", with: recorder)
        #expect(lane(recorder) == "redirect(302) response(200) data complete(ok)")
        #expect(lane(recorder, .harness) == "answer(follow) answer(allow) result")
        #expect(user.body.withLock { $0 } == Array("hello".utf8))
    }

    @Test func `a changed redirect is noticed`() async throws {
        let recorder = SessionRecorder(forwardingTo: Changer())
        try await load("/moved", with: recorder)
        #expect(lane(recorder, .harness).hasPrefix("answer(change)"))
        #expect(server.requests.last?.headers["x-changed"] == "yes")
    }

    @Test func `an answer stands before the return of its callback`() async throws {
        let recorder = SessionRecorder(forwardingTo: Refuser())
        try await load("/moved", with: recorder)
        let events = recorder.recorder.events
        let answer = try #require(events.first { $0.argument == "refuse" })
        let exit = try #require(events.first { $0.name == .redirect && $0.phase == .exit })
        #expect(answer.sequence < exit.sequence)
    }

    @Test func `a recorder and its delegate go when the session is over`() async throws {
        weak var gone: Refuser?
        weak var recorderGone: SessionRecorder?
        do {
            let user = Refuser()
            let recorder = SessionRecorder(forwardingTo: user)
            (gone, recorderGone) = (user, recorder)
            try await load("/hello", with: recorder)
        }
        // The session lets go on a thread of its own.
        let end = ContinuousClock.now + Patience.whole
        while gone != nil || recorderGone != nil, ContinuousClock.now < end { await Task.yield() }
        #expect(gone == nil)
        #expect(recorderGone == nil)
    }

    @Test func `handlers are called after they were written down`() async throws {
        defer { server.stop() }
        let recorder = SessionRecorder()
        let session = recorder.session()
        let url = try #require(URL(string: "\(server.base)/moved"))
        let body = await withCheckedContinuation { continuation in
            let task = recorder.dataTask(in: session, with: URLRequest(url: url)) { data, _, _ in
                continuation.resume(returning: data)
            }
            recorder.resume(task)
        }
        recorder.invalidate(session)
        let end = await recorder.recorder.event(within: Patience.whole) { $0.name == .sessionInvalid }
        #expect(end != nil)
        #expect(body == Data("hello".utf8))
        #expect(lane(recorder, .handler) == "handler(ok)")
        #expect(lane(recorder) == "redirect(302)")
        // The result comes behind the handler, which may be over for the test before.
        let acts = lane(recorder, .harness).split(separator: " ").filter { $0 != "result" }
        #expect(acts == ["resume", "answer(follow)", "invalidate(finish)"])
    }

    @Test func `what is awaited has the lane of its callbacks`() async throws {
        defer { server.stop() }
        let recorder = SessionRecorder()
        let session = recorder.session()
        let url = try #require(URL(string: "\(server.base)/moved"))
        _ = recorder.recorder.taskNumber(of: self.server)
        let (data, _) = try await recorder.data(for: URLRequest(url: url), in: session)
        recorder.invalidate(session)
        #expect(data == Data("hello".utf8))
        let awaited = try #require(recorder.recorder.events.first { $0.name == .awaited })
        let redirect = try #require(recorder.recorder.events.first { $0.name == .redirect })
        #expect(awaited.argument == "ok")
        #expect(awaited.task == 1)
        #expect(redirect.task == 1)
    }

    @Test func `a step can answer for a task of the test's own`() async throws {
        defer { server.stop() }
        let recorder = SessionRecorder()
        let session = recorder.session()
        let task = session.dataTask(with: try #require(URL(string: "\(server.base)/moved")))
        var step = Assignment.Step(url: "\(server.base)/moved")
        step.onRedirect = [Assignment.RedirectAnswer.refuse]
        recorder.follow(step, for: task)
        recorder.resume(task)
        recorder.invalidate(session)
        let end = await recorder.recorder.event(within: Patience.whole) { $0.name == .sessionInvalid }
        #expect(end != nil)
        #expect(lane(recorder) == "redirect(302) response(302) data complete(ok)")
    }

    #if os(Linux)
        @Test func `a session sees no more protocols than the user's delegate has`() {
            let tasks = SessionRecorder(forwardingTo: OnlyTasks()).delegate
            #expect(tasks is any URLSessionTaskDelegate)
            #expect(!(tasks is any URLSessionDataDelegate))
            #expect(!(tasks is any URLSessionDownloadDelegate))
            let data = SessionRecorder(forwardingTo: Quiet()).delegate
            #expect(data is any URLSessionDataDelegate)
            #expect(!(data is any URLSessionDownloadDelegate))
            let downloads = SessionRecorder(forwardingTo: OnlyDownloads()).delegate
            #expect(!(downloads is any URLSessionDataDelegate))
            #expect(downloads is any URLSessionDownloadDelegate)
            #expect(!(SessionRecorder(forwardingTo: OnlySession()).delegate is any URLSessionTaskDelegate))
            #expect(SessionRecorder().delegate is any URLSessionDownloadDelegate)
        }

        @Test func `a narrow delegate still records`() async throws {
            let recorder = SessionRecorder(forwardingTo: OnlyTasks())
            try await load("/moved", with: recorder)
            #expect(lane(recorder) == "redirect(302) complete(ok)")
        }
    #endif
}

/// Implements what a careful user would, and refuses redirects.
final class Refuser: NSObject, URLSessionDataDelegate {
    let calls = Locked<[String]>([])

    private func note(_ call: String) { calls.withLock { $0.append(call) } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("redirect")
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note("response")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { note("data") }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note("complete")
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { note("invalid") }
}

/// Implements nothing but what it is told of the body.
final class Quiet: NSObject, URLSessionDataDelegate {
    let body = Locked<[UInt8]>([])

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body.withLock { $0 += data }
    }
}

final class Changer: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var changed = request
        changed.setValue("yes", forHTTPHeaderField: "X-Changed")
        completionHandler(changed)
    }
}

final class OnlyTasks: NSObject, URLSessionTaskDelegate {}

final class OnlyDownloads: NSObject, URLSessionDownloadDelegate {
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}
}

final class OnlySession: NSObject, URLSessionDelegate {}
