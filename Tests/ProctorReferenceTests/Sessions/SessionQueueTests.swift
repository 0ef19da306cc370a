import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// A queue that its owner ends before the session has ended (R43, R46).
@Suite(.timeLimit(.minutes(5)))
struct SessionQueueTests {
    private static let lab: SessionBench.Answer = { request, _ in
        switch request.target {
        case "/moved": reply(302, "elsewhere", "Location: /page")
        case "/secret": reply(401, "denied", "WWW-Authenticate: Basic realm=\"it\"")
        default: reply(200, "page")
        }
    }

    @Test(arguments: [true, false])
    func `a session whose queue was ended goes, and its thread with it`(endsQueueFirst: Bool) async throws {
        let queue = try CallbackQueue()
        weak var gone: ReferenceSession?
        let loop: EventLoop
        do {
            let session = try ReferenceSession(delegate: LogDelegate(), queue: queue)
            loop = session.loop
            gone = session
            if endsQueueFirst { queue.end() }
            session.finishTasksAndInvalidate()
            queue.end()
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
    func `tasks end although nobody can be told or asked any more`(row: Row) async throws {
        try await SessionBench.run(Self.lab) { bench in
            let queue = try CallbackQueue()
            let delegate = LogDelegate(
                LogDelegate.Script(act: { _, line in if line.hasPrefix(row.moment) { queue.end() } }))
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
