import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(Darwin)
    let isApple = true
#else
    let isApple = false
#endif

/// A test that URLSession on Linux fails, through no fault of the test: there it has to fail, and elsewhere to pass.
struct FailsOnLinux: TestTrait, TestScoping {
    let reason: Comment

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withKnownIssue(reason) {
            try await function()
        } when: {
            !isApple
        }
    }
}

extension Trait where Self == FailsOnLinux {
    static func failsOnLinux(_ reason: Comment) -> Self { Self(reason: reason) }
}

/// Trusts the authority of the server beside those of the system.
final class Trust: NSObject, URLSessionDelegate {
    private let anchor: Data?

    init(_ exam: Exam) { anchor = exam.trustAnchor }

    #if canImport(Darwin)
        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let server = challenge.protectionSpace.serverTrust, let anchor,
                let authority = SecCertificateCreateWithData(nil, anchor as CFData),
                SecTrustSetAnchorCertificates(server, [authority] as CFArray) == errSecSuccess,
                SecTrustEvaluateWithError(server, nil)
            else { return completionHandler(.performDefaultHandling, nil) }
            completionHandler(.useCredential, URLCredential(trust: server))
        }
    #endif
}

/// Stands for your own client: a session whose loads the exam sees.
final class Client: Sendable {
    private let recorder: SessionRecorder
    private let session: URLSession

    init(
        _ exam: Exam, delegate: (any URLSessionDelegate)? = nil, configuration: URLSessionConfiguration = .ephemeral
    ) {
        recorder = exam.recorder(forwardingTo: delegate)
        session = recorder.session(configuration: configuration)
    }

    deinit { recorder.invalidate(session) }

    func load(_ request: URLRequest) async throws -> (reply: HTTPURLResponse, body: String) {
        let (data, reply) = try await recorder.data(for: request, in: session)
        return (try #require(reply as? HTTPURLResponse), String(decoding: data, as: UTF8.self))
    }

    func load(
        _ url: URL, method: String = "GET", fields: [String: String] = [:], body: String? = nil
    ) async throws -> (reply: HTTPURLResponse, body: String) {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.allHTTPHeaderFields = fields
        request.httpBody = body.map { Data($0.utf8) }
        return try await load(request)
    }
}
