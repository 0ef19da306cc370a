import Foundation
import ProctorAssignments
import ProctorEvents
import ProctorGrading
import ProctorRecorder
import ProctorRules
import ProctorScenario
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each scenario of a Swift example in README and Docs, asked once more by a client that is wrong: its test must fail.
struct WrongClientTests {
    /// A client that does otherwise than the case of an example asks.
    struct WrongClient: Sendable, CustomTestStringConvertible {
        let scenario: String
        let name: String?
        let load: @Sendable (Exam) -> Void

        var testDescription: String { "\(scenario)#\(name ?? "")" }
    }

    private static func get(_ path: String, of delegate: any URLSessionDataDelegate & Sendable)
        -> @Sendable (Exam) -> Void
    {
        { exam in exam.session(delegate: delegate).dataTask(with: exam.url(path)).resume() }
    }

    static let clients = [
        WrongClient(scenario: "redirect/303-post-becomes-get", name: "follow") { exam in
            var request = URLRequest(url: exam.url("/form"))
            request.httpMethod = "POST"
            request.httpBody = Data("a=1".utf8)
            exam.session(delegate: RepeatingDelegate()).dataTask(with: request).resume()
        },
        WrongClient(scenario: "redirect/302-post-becomes-get", name: "refuse") { exam in
            var request = URLRequest(url: exam.url("/form"))
            request.httpMethod = "POST"
            request.httpBody = Data("a=1".utf8)
            exam.session(delegate: FollowingDelegate()).dataTask(with: request).resume()
        },
        WrongClient(
            scenario: "redirect/302-get-stays-get", name: "refuse", load: get("/start", of: FollowingDelegate())),
        WrongClient(
            scenario: "redirect/302-get-stays-get", name: "change", load: get("/start", of: FollowingDelegate())),
        WrongClient(scenario: "plain/get", name: nil, load: get("/helo", of: FollowingDelegate())),
        WrongClient(scenario: "shape/get", name: "async", load: get("/pages", of: FollowingDelegate())),
        WrongClient(scenario: "redirect/after-103", name: "follow", load: get("/begin", of: FollowingDelegate())),
        WrongClient(
            scenario: "auth/basic/every-answer", name: "use", load: get("/secret", of: WrongPasswordDelegate())),
    ]

    @Test(arguments: clients)
    func `an example's case fails by a client that is wrong`(client: WrongClient) async {
        await withKnownIssue {
            try await withScenario(client.scenario, case: client.name) { client.load($0) }
        }
    }

    @Test func `a client that asks for another page fails the scenario of a lamp`() async throws {
        let shop = try Scenario("A shop that fails once") {
            On(.get("/lamps/{id}")) {
                Reply(.serviceUnavailable, headers: ["Retry-After": 0])
                Reply(.ok, json: ["id": "{{path.id}}", "watts": [40, 60]]).after(.milliseconds(20))
            }
        }
        await withKnownIssue {
            try await withScenario(shop) { exam in
                exam.session(delegate: FollowingDelegate()).dataTask(with: exam.url("/lamp/7")).resume()
            }
        }
    }

    @Test func `a URLProtocol that loads before its response breaks a rule`() async throws {
        let request = URLRequest(url: try #require(URL(string: "canned://host/page")))
        let events = await ProtocolDriver(HastyProtocol.self).run(request)
        var checker = TraceChecker(family: .urlProtocol, reportsAnswers: true)
        for event in events { checker.observe(event) }
        #expect(!checker.finish().hits.isEmpty)
    }

    @Test func `a canonical request that is left as it came fails the table`() {
        let wrong = CanonicalRequestTable.verify { $0 }
        #expect(!wrong.filter { $0.requirement == .must }.isEmpty)
    }

    /// Examples with another scenario would stand here without a wrong client.
    @Test func `every scenario of the documented tests has a client that is wrong`() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let call = /(?:withScenario|\.scenario)\("(?<scenario>[^"]+)"(?:, case: "(?<name>[^"]+)")?/
        for file in ["DocumentedTests.swift", "DocumentedDeviceTests.swift"] {
            let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            let examples = text.matches(of: call)
            #expect(!examples.isEmpty)
            for example in examples {
                let (scenario, name) = (String(example.scenario), example.name.map(String.init))
                #expect(
                    Self.clients.contains { $0.scenario == scenario && $0.name == name },
                    "\(scenario)#\(name ?? "") has no client that is wrong")
            }
        }
    }
}

/// Follows, as a client without the method does.
private final class FollowingDelegate: NSObject, URLSessionDataDelegate {}

/// Sends the method and the content of the first request again.
private final class RepeatingDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var again = request
        again.httpMethod = "POST"
        again.httpBody = Data("a=1".utf8)
        completionHandler(again)
    }
}

private final class WrongPasswordDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "user", password: "pas", persistence: .none))
    }
}

/// Hands over bytes before any response.
private final class HastyProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        client?.urlProtocol(self, didLoad: Data("canned".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
