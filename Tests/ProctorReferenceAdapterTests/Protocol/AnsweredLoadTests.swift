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

    // MARK: Stopping

    private static let right = Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p"))

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
