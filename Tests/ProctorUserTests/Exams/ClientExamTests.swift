import Foundation
import ProctorClientTesting
import ProctorDialling
import ProctorEvents
import ProctorHTTP
import ProctorProgram
import ProctorReference
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Clients of three kinds sit an exam inside a test, by a closure.
struct ClientExamTests {
    /// Fewer than 20 lines of a user's: URLSession, awaited.
    @Test(arguments: try ClientExam("redirect/30?-get-stays-get#follow", abilities: [.redirects]).cases)
    func `URLSession awaits`(item: ExamCase) async throws {
        try await item.sit { load in
            let url = try #require(URL(string: load.url))
            var request = URLRequest(url: url)
            request.httpMethod = load.method
            for field in load.headers { request.addValue(field[1], forHTTPHeaderField: field[0]) }
            request.httpBody = load.content.map { Data($0) }
            let (data, response) = try await URLSession.shared.data(for: request)
            let reply = try #require(response as? HTTPURLResponse)
            return ExamResult(status: reply.statusCode, url: reply.url?.absoluteString, content: Array(data))
        }
    }

    /// URLSession's delegate, whose callbacks the exam records.
    @Test(
        arguments: try ClientExam(
            "redirect/302-get-stays-get#follow", abilities: [.callbacks, .redirects, .redirectRefuse, .foundation]
        ).cases)
    func `URLSession tells its delegate`(item: ExamCase) async throws {
        try await item.record { exam in _ = try await exam.performProgram() }
    }

    /// The reference client, awaited, with names of hosts and refused redirects.
    @Test(
        arguments: try ClientExam("redirect/", abilities: [.methods, .redirects, .redirectRefuse, .fragment]).cases)
    func `the reference client awaits`(item: ExamCase) async throws {
        try await item.sit { load in
            var configuration = ReferenceConfiguration()
            for host in load.session.names ?? [] {
                try configuration.names.set(host.address, for: host.name, port: host.port)
            }
            let session = try ReferenceSession(configuration: configuration)
            defer { session.finishTasksAndInvalidate() }
            let request = ClientRequest(
                method: load.method, typed: load.url, fields: load.headers.map { HTTPField($0[0], $0[1]) },
                body: load.content.map { .bytes($0) } ?? .none)
            do {
                let (content, response) = try await session.data(for: request, delegate: load.follows ? nil : Refusal())
                return ExamResult(
                    status: response.status, fields: response.fields.map { ($0.name, $0.value) },
                    url: "\(response.url)", content: content)
            } catch let error as LoadError {
                return ExamResult(error: "\(error.kind)")
            }
        }
    }

    /// A client over a plain socket, which calls back.
    @Test(
        arguments: try ClientExam(
            "plain/get", "redirect/30?-get-stays-get#follow", "redirect/303-post-becomes-get#follow",
            abilities: [.redirects]
        ).cases)
    func `a socket calls back`(item: ExamCase) async throws {
        try await item.sit(callingBack: { load, done in Self.load(load, done) })
    }

    private static func load(
        _ load: ExamLoad, method: String? = nil, _ done: @escaping @Sendable (Result<ExamResult, any Error>) -> Void
    ) {
        var client = SocketClient()
        for host in load.session.names ?? [] { client.addresses["\(host.name):\(host.port)"] = host.address }
        client.load(method ?? load.method, load.url, fields: load.headers, content: load.content, follows: load.follows)
        {
            done(
                $0.map { ExamResult(status: $0.status, fields: $0.fields, url: $0.url, content: $0.content) }
                    .flatMapError { error in
                        (error as? SocketClient.Failure).map { .success(ExamResult(error: $0.name)) } ?? .failure(error)
                    })
        }
    }

    /// A client that is a function, in one scenario.
    private static func perform(_ load: ExamLoad, method: String? = nil) async throws -> ExamResult {
        try await withCheckedThrowingContinuation { continuation in
            Self.load(load, method: method) { continuation.resume(with: $0) }
        }
    }

    @Test func `a client by a closure makes the loads of one case`() async throws {
        try await withScenario("redirect/303-post-becomes-get", case: "follow") { exam in
            try await exam.client { load in try await Self.perform(load) }
        }
    }

    @Test func `what a client by a closure does wrong fails the test by requests and results`() async throws {
        try await withKnownIssue {
            try await withScenario("redirect/303-post-becomes-get", case: "follow") { exam in
                try await exam.client { load in try await Self.perform(load, method: "PUT") }
            }
        } matching: { issue in
            issue.comments.map(\.rawValue).joined().contains("PUT /form")
        }
    }

    private static let wrong = "redirect/303-post-becomes-get#follow"

    @Test func `a client that is wrong fails with the first sentence, the timeline and a line to run it again`()
        async throws
    {
        let item = try #require(try ClientExam(Self.wrong, abilities: [.redirects]).cases.first)
        try await withKnownIssue {
            try await item.sit(callingBack: { load, done in Self.load(load, method: "PUT", done) })
        } matching: { issue in
            // The comment is the report.
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("PUT /form") && text.contains(" ms  wire")
                && text.contains("again: PROCTOR_CASE='\(Self.wrong)' swift test --filter '")
        }
    }

    @Test func `a failure that the ledger lists is none`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("exam-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ledger = folder.appendingPathComponent("ledger.yaml").path
        let text = """
            client: wrong
            deviations:
              \(Self.wrong):
                because: it sends PUT
                causes: ["requests: another method", "end of a load: wanted another status", fact body]
            """
        try text.write(toFile: ledger, atomically: true, encoding: .utf8)
        let exam = try ClientExam(Self.wrong, client: "wrong", abilities: [.redirects], ledger: ledger)
        let item = try #require(exam.cases.first)
        try await item.sit(callingBack: { load, done in Self.load(load, method: "PUT", done) })
    }

    @Test(arguments: try ClientExam(Self.wrong, abilities: []).cases)
    func `a case that the client has no ability for is not set`(item: ExamCase) async throws {
        try await item.sit { _ in
            Issue.record("the case was set")
            return ExamResult(status: 200)
        }
    }

    @Test func `a name that is none is told with the nearest`() {
        #expect {
            try ClientExam("redirect/302-get-stay-get", abilities: [])
        } throws: { error in
            "\(error)".contains("no case is named 'redirect/302-get-stay-get'")
        }
    }
}

private final class Refusal: ReferenceTaskDelegate {
    func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void
    ) { answer(nil) }
}
