import Foundation
import ProctorRemoteTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tests of Docs/use/swift.md for a server in another process, as they stand there; run where PROCTOR_SERVER is set,
/// as `RemoteReportTests` does.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["PROCTOR_SERVER"] != nil))
struct DocumentedDeviceTests {
    @Test func `a refused redirect ends in its own response`() async throws {
        try await withScenario("redirect/302-post-becomes-get", case: "refuse") { exam in
            var request = URLRequest(url: exam.url("/form"))
            request.httpMethod = "POST"
            request.httpBody = Data("a=1".utf8)
            exam.session(delegate: RefusingDelegate()).dataTask(with: request).resume()
        }
    }

    @Test(.scenario("plain/get"))
    func `a plain GET, with the exam around the test`() async throws {
        let exam = try #require(Exam.current)
        exam.session().dataTask(with: exam.url("/hello")).resume()
    }
}

private final class RefusingDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
