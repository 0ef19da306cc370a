import Foundation
import ProctorAssignments
import ProctorClientTesting
import ProctorEvents
import ProctorGrading
import ProctorJournal
import ProctorRecorder
import ProctorRules
import ProctorScenario
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tests of README.md, Docs/start/test.md and Docs/use/swift.md as they stand there; `DocumentationTests` compares the texts.
struct DocumentedTests {
    @Test func `a 303 turns POST into GET`() async throws {
        try await withScenario("redirect/303-post-becomes-get", case: "follow") { exam in
            let session = exam.session(delegate: MyDelegate())
            var request = URLRequest(url: exam.url("/form"))
            request.httpMethod = "POST"
            request.httpBody = Data("a=1".utf8)
            session.dataTask(with: request).resume()
        }
    }

    @Test func `a refused redirect is delivered itself`() async throws {
        try await withScenario("redirect/302-get-stays-get", case: "refuse") { exam in
            exam.session(delegate: RefusingDelegate()).dataTask(with: exam.url("/start")).resume()
        }
    }

    @Test(.scenario("plain/get"))
    func `a plain GET`() async throws {
        let exam = try #require(Exam.current)
        exam.session().dataTask(with: exam.url("/hello")).resume()
    }

    @Test func `await gets the body`() async throws {
        try await withScenario("shape/get", case: "async") { exam in
            let recorder = exam.recorder()
            let session = recorder.session()
            let (data, _) = try await recorder.data(for: URLRequest(url: exam.url("/page")), in: session)
            #expect(data == Data("hello\n".utf8))
            recorder.invalidate(session)
        }
    }

    @Test func `the request of a redirect can be changed`() async throws {
        try await withScenario("redirect/302-get-stays-get", case: "change") { exam in
            _ = try await exam.performProgram()
        }
    }

    @Test func `a 103 is not a response`() async throws {
        let ledger = try Ledger.reading(
            """
            client: my-client
            deviations:
              redirect/after-103#follow: { rules: [R27], because: our loader shows interim responses }
            """)
        try await withScenario("redirect/after-103", case: "follow", ledger: ledger) { exam in
            exam.session().dataTask(with: exam.url("/start")).resume()
        }
    }

    @Test func `a challenge is answered`() async throws {
        let known = try Ledger.shipped("urlsession-corelibs")
        try await withScenario("auth/basic/every-answer", case: "use", ledger: known) { exam in
            exam.session(delegate: PasswordDelegate()).dataTask(with: exam.url("/secret")).resume()
        }
    }

    @Test func `a guard asks once and admits the credential`() async throws {
        let known = try Ledger.shipped("urlsession-corelibs")
        try await withScenario("auth/basic/every-answer", case: "use", ledger: known) { exam in
            exam.session(delegate: PasswordDelegate()).dataTask(with: exam.url("/secret")).resume()
            await exam.finished()
            #expect(exam.guardVerdicts.map(\.outcome) == [.challenged, .admitted])
            #expect(exam.guardVerdicts.last?.user == "user")
        }
    }

    @Test func `a lamp is shown`() async throws {
        let shop = try Scenario("A shop that fails once") {
            On(.get("/lamps/{id}")) {
                Reply(.serviceUnavailable, headers: ["Retry-After": 0])
                Reply(.ok, json: ["id": "{{path.id}}", "watts": [40, 60]]).after(.milliseconds(20))
            }
        }
        try await withScenario(shop) { exam in
            let recorder = exam.recorder()
            let session = recorder.session()
            let (_, first) = try await recorder.data(for: URLRequest(url: exam.url("/lamps/7")), in: session)
            #expect((first as? HTTPURLResponse)?.statusCode == 503)
            let (data, _) = try await recorder.data(for: URLRequest(url: exam.url("/lamps/7")), in: session)
            #expect(String(decoding: data, as: UTF8.self) == #"{"id":"7","watts":[40,60]}"#)
            recorder.invalidate(session)
        }
    }

    @Test func `a page is moved`() async throws {
        try await withScenario(
            yaml: """
                summary: A page that moved
                exchanges:
                  - request: GET /old
                    reply: { status: 308, headers: { Location: "{{base}}/new" } }
                  - request: GET /new
                    reply: { status: 200, body: here }
                cases:
                  follow:
                    client: { url: /old }
                    wire: request(GET /old) request(GET /new)
                    task: redirect(308) response(200) data+ complete(ok)
                """
        ) { exam in
            exam.session().dataTask(with: exam.url("/old")).resume()
        }
    }

    @Test func `my protocol keeps the rules`() async throws {
        let request = URLRequest(url: try #require(URL(string: "canned://host/page")))
        let events = await ProtocolDriver(MyProtocol.self).run(request)
        var checker = TraceChecker(family: .urlProtocol, reportsAnswers: true)
        for event in events { checker.observe(event) }
        let report = checker.finish()
        #expect(report.hits.isEmpty, "\(report)")
    }

    @Test func `my canonical request keeps the table`() {
        let wrong = CanonicalRequestTable.verify { MyProtocol.canonicalRequest(for: $0) }
        #expect(wrong.filter { $0.requirement == .must }.isEmpty, "\(wrong)")
    }
}

private final class MyDelegate: NSObject, URLSessionDataDelegate {}

private final class RefusingDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

private final class PasswordDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        completionHandler(.useCredential, credential)
    }
}

/// Answers every request with the same few bytes.
private final class MyProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    /// Scheme and host are lower-cased and an empty path becomes `/`.
    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            return request
        }
        parts.scheme = parts.scheme?.lowercased()
        parts.percentEncodedHost = parts.percentEncodedHost?.lowercased()
        if parts.percentEncodedPath.isEmpty { parts.percentEncodedPath = "/" }
        guard let canonical = parts.url, canonical != url else { return request }
        var result = request
        result.url = canonical
        return result
    }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("canned".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// The examples in the documents are compiled and run.
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: ["README.md", "Docs/start/test.md", "Docs/use/swift.md", "Docs/use/exam-in-tests.md"])
    func `every Swift block of a document is one of the documented tests`(document: String) throws {
        let source = try ["DocumentedTests", "DocumentedDeviceTests", "Exams/ClientExamTests"].map { name in
            try text("Tests/ProctorUserTests/\(name).swift")
        }.joined()
        let blocks = try swiftBlocks(in: text(document))
        #expect(!blocks.isEmpty)
        for block in blocks {
            let indented = block.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            #expect(
                source.contains(indented), "this block is in no test as it stands:\n\(block.joined(separator: "\n"))")
        }
    }

    @Test func `the test of the README has about ten lines`() throws {
        let blocks = try swiftBlocks(in: text("README.md"))
        #expect(try #require(blocks.first).count <= 10)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    private func swiftBlocks(in text: String) -> [[String]] {
        var blocks: [[String]] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                isInside = true
                blocks.append([])
            } else if line == "```" {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1].append(String(line))
            }
        }
        return blocks
    }
}
