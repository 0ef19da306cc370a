import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Each delegate method in its order, for every way in which a load can go.
@Suite(.limit(minutes: 5))
struct SessionOrderTests {
    private static let lab: SessionBench.Answer = { request, peer in
        switch request.target {
        case "/moved": return reply(302, "elsewhere", "Location: /page")
        case "/kept": return reply(307, "elsewhere", "Location: /page")
        case "/interim": return "HTTP/1.1 103 X\r\nLink: </a>\r\n\r\n" + reply(200, "page")
        case "/cut":
            try await peer.send("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nshort")
            return nil
        case "/stored": return reply(200, "page", "Cache-Control: max-age=60")
        case "/secret" where request.field("Authorization") != "Basic dXNlcjpwYXNz":
            return reply(401, "denied", "WWW-Authenticate: Basic realm=\"it\"")
        default: return reply(200, "page")
        }
    }

    private static let right = LoadEvent.ChallengeAnswer.use(LoadCredential(user: "user", password: "pass"))
    private static let wrong = LoadEvent.ChallengeAnswer.use(LoadCredential(user: "user", password: "wrong"))

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var script = LogDelegate.Script()
        var target = "/page"
        var kind = "data"
        var calls: [String]
        var content: String? = "page"
        var asked: [String]?

        init(
            _ description: String, _ target: String = "/page", kind: String = "data", calls: String,
            content: String? = "page", asked: [String]? = nil, _ change: (inout LogDelegate.Script) -> Void = { _ in }
        ) {
            testDescription = description
            self.target = target
            self.kind = kind
            self.calls = calls.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init)
            self.content = content
            self.asked = asked
            change(&script)
        }
    }

    static let rows: [Row] = [
        Row("a page", calls: "created, response 200, data, metrics 1, complete ok"),
        Row("interim", "/interim", calls: "created, informational 103, response 200, data, metrics 1, complete ok"),
        Row(
            "a redirect that is followed", "/moved",
            calls: "created, redirect 302, response 200, data, metrics 2, complete ok",
            asked: ["GET /moved", "GET /page"]),
        Row(
            "a redirect that is refused", "/moved",
            calls: "created, redirect 302, response 302, data, metrics 1, complete ok", content: "elsewhere",
            asked: ["GET /moved"]
        ) { $0.onRedirect = { $1(nil) } },
        Row(
            "a redirect that is changed", "/moved",
            calls: "created, redirect 302, response 200, data, metrics 2, complete ok",
            asked: ["GET /moved", "PUT /page"]
        ) {
            $0.onRedirect = { request, answer in
                var changed = request
                changed.method = "PUT"
                answer(changed)
            }
        },
        Row(
            "a redirect whose task is cancelled", "/moved",
            calls: "created, redirect 302, metrics 1, complete cancelled", content: nil, asked: ["GET /moved"]
        ) { $0.cancelAt = "redirect" },
        Row(
            "a redirect that is answered twice", "/moved",
            calls: "created, redirect 302, response 200, data, metrics 2, complete ok",
            asked: ["GET /moved", "GET /page"]
        ) {
            $0.onRedirect = { request, answer in
                answer(request)
                answer(nil)
            }
        },
        Row(
            "a challenge", "/secret", calls: "created, challenge basic 0, response 200, data, metrics 2, complete ok"
        ) { $0.onChallenge = [right] },
        Row(
            "wrong twice, then right", "/secret",
            calls: """
                created, challenge basic 0, challenge basic 1, challenge basic 2, response 200, data, metrics 4, \
                complete ok
                """
        ) { $0.onChallenge = [wrong, wrong, right] },
        Row(
            "a challenge that nobody answers for", "/secret",
            calls: "created, challenge basic 0, response 401, data, metrics 1, complete ok", content: "denied"),
        Row(
            "a challenge that is rejected", "/secret",
            calls: "created, challenge basic 0, response 401, data, metrics 1, complete ok", content: "denied"
        ) { $0.onChallenge = [.reject] },
        Row(
            "a challenge that is cancelled", "/secret",
            calls: "created, challenge basic 0, metrics 1, complete cancelled", content: nil
        ) { $0.onChallenge = [.cancel] },
        Row(
            "a response that is not wanted", calls: "created, response 200, metrics 1, complete cancelled", content: nil
        ) { $0.onResponse = { $0(.cancel) } },
        Row(
            "a data task that becomes a download",
            calls: "created, response 200, becameDownload, progress, fileReady, metrics 1, complete ok"
        ) { $0.onResponse = { $0(.becomeDownload) } },
        Row(
            "a reply that breaks off", "/cut", calls: "created, response 200, data, metrics 1, complete connectionLost",
            content: nil),
        Row("a download", kind: "download", calls: "created, progress, fileReady, metrics 1, complete ok"),
        Row(
            "a download that is redirected and challenged not", "/moved", kind: "download",
            calls: "created, redirect 302, progress, fileReady, metrics 2, complete ok"),
        Row(
            "a download whose redirect is refused", "/moved", kind: "download",
            calls: "created, redirect 302, progress, fileReady, metrics 1, complete ok", content: "elsewhere"
        ) { $0.onRedirect = { $1(nil) } },
        Row(
            "a download of a 401", "/secret", kind: "download",
            calls: "created, challenge basic 0, progress, fileReady, metrics 1, complete ok", content: "denied"),
        Row(
            "a download that breaks off", "/cut", kind: "download",
            calls: "created, progress, metrics 1, complete connectionLost", content: nil),
        Row(
            "an upload", kind: "upload", calls: "created, bodySent, response 200, data, metrics 1, complete ok",
            asked: ["POST /page the body"]),
        Row(
            "an upload that is redirected with its body", "/kept", kind: "upload",
            calls: "created, bodySent, redirect 307, bodySent, response 200, data, metrics 2, complete ok",
            asked: ["POST /kept the body", "POST /page the body"]),
        Row(
            "an upload that is challenged", "/secret", kind: "upload",
            calls: "created, bodySent, challenge basic 0, bodySent, response 200, data, metrics 2, complete ok",
            asked: ["POST /secret the body", "POST /secret the body"]
        ) { $0.onChallenge = [right] },
        Row(
            "an upload from a file that is challenged", "/secret", kind: "file",
            calls: "created, bodySent, challenge basic 0, bodySent, response 200, data, metrics 2, complete ok",
            asked: ["POST /secret the body", "POST /secret the body"]
        ) { $0.onChallenge = [right] },
        Row(
            "a streamed upload", kind: "stream",
            calls: "created, needBodyStream, bodySent, response 200, data, metrics 1, complete ok",
            asked: ["POST /page the body"]
        ) { $0.onBodyStream = { BodyStream(Array("the body".utf8)) } },
        Row(
            "a streamed upload that is redirected", "/kept", kind: "stream",
            calls: """
                created, needBodyStream, bodySent, redirect 307, needBodyStream, bodySent, response 200, data, \
                metrics 2, complete ok
                """,
            asked: ["POST /kept the body", "POST /page the body"]
        ) { $0.onBodyStream = { BodyStream(Array("the body".utf8)) } },
        Row(
            "a streamed upload that is challenged", "/secret", kind: "stream",
            calls: """
                created, needBodyStream, bodySent, challenge basic 0, needBodyStream, bodySent, response 200, data, \
                metrics 2, complete ok
                """,
            asked: ["POST /secret the body", "POST /secret the body"]
        ) {
            $0.onBodyStream = { BodyStream(Array("the body".utf8)) }
            $0.onChallenge = [right]
        },
        Row(
            "a streamed upload without a stream", kind: "stream",
            calls: "created, needBodyStream, metrics 0, complete requestBodyStreamExhausted", content: nil, asked: []),
    ]

    @Test(arguments: rows)
    func `delegates are called in this order`(row: Row) async throws {
        try await SessionBench.run(Self.lab) { bench in
            let delegate = LogDelegate(row.script)
            let session = try ReferenceSession(delegate: delegate)
            let task = try await TemporaryFile.with(Array("the body".utf8)) { path in
                let task = try Self.task(row, in: session, bench, file: path)
                task.resume()
                await delegate.log.wait(for: "complete")
                return task
            }
            session.finishTasksAndInvalidate()
            await delegate.log.wait(for: "sessionInvalid")
            await session.ended()
            #expect(delegate.log.folded == row.calls + ["sessionInvalid"])
            if let content = row.content { #expect(delegate.content == content) }
            if let asked = row.asked { #expect(bench.lines == asked) }
            #expect(task.state == .completed)
            #expect(task.error == nil || row.calls.last?.hasSuffix("ok") == false)
            #expect(session.delegate == nil)
        }
    }

    private static func task(
        _ row: Row, in session: ReferenceSession, _ bench: SessionBench, file: String
    ) throws -> ReferenceTask {
        switch row.kind {
        case "download": session.downloadTask(with: try bench.request(row.target))
        case "upload":
            session.uploadTask(with: try bench.request(row.target, method: "POST"), from: Array("the body".utf8))
        case "file": session.uploadTask(with: try bench.request(row.target, method: "POST"), fromFile: file)
        case "stream": session.uploadTask(withStreamedRequest: try bench.request(row.target, method: "POST"))
        default: session.dataTask(with: try bench.request(row.target))
        }
    }

    @Test func `a response is offered for storing where the configuration wants it`() async throws {
        try await SessionBench.run(Self.lab) { bench in
            let delegate = LogDelegate()
            var configuration = ReferenceConfiguration()
            configuration.cache = ReferenceCache(byteLimit: 10_000)
            let session = try ReferenceSession(configuration: configuration, delegate: delegate)
            session.dataTask(with: try bench.request("/stored")).resume()
            await delegate.log.wait(for: "complete")
            session.invalidateAndCancel()
            #expect(
                delegate.log.folded.prefix(6)
                    == ["created", "response 200", "data", "willCache 4", "metrics 1", "complete ok"])
        }
    }

    @Test func `fields of the configuration are sent where the request has none`() async throws {
        try await SessionBench.run(Self.lab) { bench in
            var configuration = ReferenceConfiguration()
            configuration.additionalFields = [HTTPField("X-Mine", "1"), HTTPField("Accept", "text/plain")]
            let session = try ReferenceSession(configuration: configuration)
            _ = try await session.data(for: try bench.request("/page", fields: [HTTPField("x-mine", "2")]))
            session.invalidateAndCancel()
            let request = try #require(bench.asked.withLock { $0.first })
            #expect(request.field("Accept") == "text/plain")
            #expect(request.field("x-mine") == "2")
            #expect(request.field("X-Mine") == nil)
            #expect(request.field("Accept-Language") == "en")
        }
    }
}
