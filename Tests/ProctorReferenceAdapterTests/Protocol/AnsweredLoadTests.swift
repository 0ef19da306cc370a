import Foundation
import ProctorProgram
import ProctorRecorder
import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limit(minutes: 5))
struct AnsweredLoadTests {
    private static let redirect = """
          - { request: "* /start", reply: { status: 302, headers: { Location: /done }, body: elsewhere } }
          - { request: "* /again", reply: { status: 307, headers: { Location: /done }, body: elsewhere } }
          - { request: "* /away", reply: { status: 302, headers: { Location: "http://localhost:9/" } } }
          - { request: "* /loop", reply: { status: 302, headers: { Location: /loop } } }
          - { request: "* /*", reply: { status: 200, body: done } }
        """

    @Test func `a followed redirect is another object's work`() async throws {
        try await ProtocolBench.with(Self.redirect) { bench in
            let trace = await bench.load(try bench.request("/start"))
            trace.expectRightful()
            #expect(trace.calls(0) == "redirect(302)", "\(trace.text)")
            #expect(trace.calls(1) == "response(200) data+ complete(ok)", "\(trace.text)")
            #expect(trace.wire == "GET /start GET /done")
            #expect(trace.result.text(.body) == "done")
        }
    }

    @Test func `a refused redirect delivers itself from the same object`() async throws {
        try await ProtocolBench.with(Self.redirect) { bench in
            let trace = await bench.load(try bench.request("/start"), .patient.redirecting(.refuse))
            trace.expectRightful()
            #expect(trace.calls(0) == "redirect(302) response(302) data+ complete(ok)", "\(trace.text)")
            #expect(trace.objects == [0])
            #expect(trace.result.text(.body) == "elsewhere")
            #expect(trace.wire == "GET /start")
        }
    }

    @Test func `a changed redirect loads what the client says`() async throws {
        try await ProtocolBench.with(Self.redirect) { bench in
            let trace = await bench.load(
                try bench.request("/start"), .patient.redirecting(.change(method: "HEAD", url: "/other", headers: [])))
            trace.expectRightful()
            #expect(trace.calls(1) == "response(200) complete(ok)", "\(trace.text)")
            #expect(trace.wire == "GET /start HEAD /other")
        }
    }

    @Test func `a redirect in which the client cancels is the last that is heard`() async throws {
        try await ProtocolBench.with(Self.redirect) { bench in
            let trace = await bench.load(try bench.request("/start"), .patient.redirecting(.cancel))
            trace.expectRightful()
            #expect(trace.calls(0) == "redirect(302)", "\(trace.text)")
            #expect(trace.wire == "GET /start")
        }
    }

    @Test func `an unanswered redirect times out when the request's time is over`() async throws {
        try await ProtocolBench.with(Self.redirect) { bench in
            var request = try bench.request("/start")
            request.timeoutInterval = 0.3
            let trace = await bench.load(request, .patient.redirecting(.never))
            trace.expectRightful()
            #expect(trace.calls(0) == "redirect(302) complete(timedOut)", "\(trace.text)")
        }
    }

    @Test func `an object may give itself up after its redirect, as Apple's sample does`() async throws {
        var options = ReferenceProtocol.Options()
        options.afterRedirect = .failCancelled
        try await ProtocolBench.with(Self.redirect) { bench in
            let trace = await bench.load(try bench.request("/start"), .patient.redirecting(.never), options: options)
            trace.expectRightful()
            #expect(trace.calls(0) == "redirect(302) complete(NSCocoaErrorDomain#3072)", "\(trace.text)")
            #expect(trace.wire == "GET /start")
        }
    }

    @Test func `secrets do not go to another origin`() async throws {
        try await ProtocolBench.with(Self.redirect) { bench in
            var request = try bench.request("/away")
            request.setValue("Basic x", forHTTPHeaderField: "Authorization")
            request.setValue("a=1", forHTTPHeaderField: "Cookie")
            request.setValue("de", forHTTPHeaderField: "Accept-Language")
            let proposed = try await proposedRequest(of: request, in: bench)
            #expect(proposed.url?.absoluteString == "http://localhost:9/")
            #expect(proposed.value(forHTTPHeaderField: "Authorization") == nil)
            #expect(proposed.value(forHTTPHeaderField: "Cookie") == nil)
            #expect(proposed.value(forHTTPHeaderField: "Accept-Language") == "de")
        }
    }

    @Test func `a 302 leaves the body of a POST behind, a 307 takes it along`() async throws {
        try await ProtocolBench.with(Self.redirect) { bench in
            for (path, wire, bodies) in [
                ("/start", "POST /start GET /done", "3"), ("/again", "POST /again POST /done", "3 3"),
            ] {
                bench.reset()
                var request = try bench.request(path)
                request.httpMethod = "POST"
                request.httpBody = Data("a=1".utf8)
                let trace = await bench.load(request)
                trace.expectRightful()
                #expect(trace.wire == wire, "\(trace.text)")
                #expect(trace.bodies.hasPrefix(bodies), "\(trace.bodies)")
            }
        }
    }

    @Test func `the copy of a stream that was sent goes on with a 307`() async throws {
        try await ProtocolBench.with(Self.redirect) { bench in
            var request = try bench.request("/again")
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("hello".utf8))
            let trace = await bench.load(request)
            trace.expectRightful()
            #expect(trace.calls(0) == "redirect(307)", "\(trace.text)")
            #expect(trace.wire == "POST /again POST /done", "\(trace.text)")
            #expect(trace.bodies.hasPrefix("5 5"), "\(trace.bodies)")
        }
    }

    private func proposedRequest(of request: URLRequest, in bench: ProtocolBench) async throws -> URLRequest {
        let client = SilentClient()
        let object = ReferenceProtocol(request: request, cachedResponse: nil, client: client)
        let handed = Kept(object)
        // On a thread of Dispatch, where no run loop runs.
        DispatchQueue.global().async { handed.value.startLoading() }
        let proposed = try #require(await client.redirects.first { _ in true })
        handed.value.stopLoading()
        return proposed
    }

    // MARK: Challenges

    private static let secret = """
          - request: { method: "*", path: /secret, headers: { Authorization: "Basic dTpw" } }
            reply: { status: 200, body: welcome }
          - request: "* /secret"
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="lab"' }, body: denied }
        """

    struct Row: Sendable, CustomTestStringConvertible {
        let answers: [Assignment.ChallengeAnswer]
        let calls: String
        let requestCount: Int
        var testDescription: String {
            answers.map { "\($0.word) \($0.credential?.password ?? "")" }.joined(separator: ",")
        }

        init(_ answers: Assignment.ChallengeAnswer..., calls: String, requestCount: Int = 1) {
            self.answers = answers
            self.calls = calls
            self.requestCount = requestCount
        }
    }

    private static let right = Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p"))
    private static let wrong = Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "x"))
    private static let welcome = "response(200) data+ complete(ok)"
    private static let denied = "response(401) data+ complete(ok)"

    @Test(arguments: [
        Row(right, calls: "challenge(basic) \(welcome)", requestCount: 2),
        Row(
            wrong, wrong, right, calls: "challenge(basic) challenge(basic) challenge(basic) \(welcome)", requestCount: 4
        ),
        Row(.useNone, calls: "challenge(basic) \(denied)"),
        Row(.performDefault, calls: "challenge(basic) \(denied)"),
        Row(.reject, calls: "challenge(basic) \(denied)"),
        Row(wrong, .performDefault, calls: "challenge(basic) challenge(basic) \(denied)", requestCount: 2),
        Row(.cancel, calls: "challenge(basic) complete(cancelled)"),
        Row(.cancelTask, calls: "challenge(basic)"),
        Row(.cancelTaskThenUse(Assignment.Credential(user: "u", password: "p")), calls: "challenge(basic)"),
    ])
    func `a challenge is told before its response, and its answer is what comes of it`(_ row: Row) async throws {
        try await ProtocolBench.with(Self.secret) { bench in
            var program = ProtocolProgram.patient
            program.onChallenge = row.answers
            let trace = await bench.load(try bench.request("/secret"), program)
            trace.expectRightful()
            #expect(trace.calls() == row.calls, "\(trace.text)")
            #expect(trace.heads.count == row.requestCount, "\(trace.text)")
            let failures = trace.events.filter { $0.name == .challenge && $0.phase == .enter }
                .map { $0.facts.integer(.failures) }
            #expect(failures == Array(0..<failures.count))
        }
    }

    @Test func `the second answer to a challenge has no effect`() async throws {
        try await ProtocolBench.with(Self.secret) { bench in
            let answer = Assignment.ChallengeAnswer.twice(Assignment.Credential(user: "u", password: "p"))
            let trace = await bench.load(try bench.request("/secret"), .patient.challenged(answer))
            #expect(trace.calls() == "challenge(basic) \(Self.welcome)", "\(trace.text)")
            #expect(trace.heads.count == 2, "\(trace.text)")
        }
    }

    @Test func `a load that dies with its challenge open withdraws that first`() async throws {
        var options = ReferenceProtocol.Options()
        // Long enough for a challenge to come on a crowded machine.
        options.resourceTimeout = .seconds(10)
        try await ProtocolBench.with(Self.secret) { bench in
            let trace = await bench.load(try bench.request("/secret"), .patient.challenged(.never), options: options)
            trace.expectRightful()
            #expect(trace.calls() == "challenge(basic) challengeCancelled(basic) complete(timedOut)", "\(trace.text)")
        }
    }

    @Test func `the copy of a stream is sent with a credential`() async throws {
        try await ProtocolBench.with(Self.secret) { bench in
            var request = try bench.request("/secret")
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("hello".utf8))
            let trace = await bench.load(request, .patient.challenged(Self.right))
            trace.expectRightful()
            #expect(trace.calls() == "challenge(basic) response(200) data+ complete(ok)", "\(trace.text)")
            #expect(trace.bodies.hasPrefix("5 5"), "\(trace.bodies)")
        }
    }

    // MARK: Stopping

    /// The content is more than one read takes, so that there are several calls of data.
    private static let everything = """
          - request: { method: GET, path: /secret, headers: { Authorization: "Basic dTpw" } }
            reply: { status: 200, headers: { Content-Length: "300001" }, body: [{ pattern: offset, bytes: 300000 }, { do: stall }] }
          - { request: GET /start, reply: { status: 302, headers: { Location: /secret } } }
          - request: GET /secret
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="lab"' }, body: denied }
        """

    @Test(arguments: [
        "before-resume", "after-resume", "redirect", "challenge", "response", "data", "data 2",
    ])
    func `nothing is heard of an object that was stopped, whenever that was`(moment: String) async throws {
        try await ProtocolBench.with(Self.everything) { bench in
            let words = moment.split(separator: " ").map(String.init)
            var program = ProtocolProgram.patient.challenged(Self.right)
            program = program.cancelling(at: words[0], count: words.count > 1 ? 2 : 1)
            let trace = await bench.load(try bench.request("/start"), program)
            trace.expectRightful()
            #expect(!trace.lane(.protocolClient).contains("complete"), "\(trace.text)")
            #expect(trace.result.text(.message)?.hasPrefix("stopped") == true, "\(trace.text)")
        }
    }
}
