import Foundation
import ProctorClientTesting
import ProctorGrading
import ProctorRecorder
import ProctorTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct WithScenarioTests {
    @Test func `a client that does what the case asks passes`() async throws {
        try await withScenario("redirect/302-post-becomes-get", case: "follow") { exam in
            var request = URLRequest(url: exam.url("/form"))
            request.httpMethod = "POST"
            request.httpBody = Data("a=1".utf8)
            exam.session().dataTask(with: request).resume()
        }
    }

    @Test func `the user's own delegate answers, and is judged`() async throws {
        try await withScenario("redirect/302-post-becomes-get", case: "refuse") { exam in
            var request = URLRequest(url: exam.url("/form"))
            request.httpMethod = "POST"
            request.httpBody = Data("a=1".utf8)
            exam.session(delegate: RefusingDelegate()).dataTask(with: request).resume()
        }
    }

    @Test(.scenario("plain/get"))
    func `a trait holds the exam`() async throws {
        let exam = try #require(Exam.current)
        exam.session().dataTask(with: exam.url("/hello")).resume()
    }

    @Test func `the case's own program can be performed`() async throws {
        try await withScenario("redirect/302-get-stays-get", case: "change") { exam in
            let ending = try await exam.performProgram()
            #expect(ending == .finished)
        }
    }

    @Test func `many exams at once keep apart`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { () async throws in
                    try await withScenario("plain/keep-alive", case: "reuse") { exam in
                        _ = try await exam.performProgram()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a scenario or case that is not there is told with the nearest`() async throws {
        await #expect {
            try await withScenario("plain/gett") { _ in }
        } throws: { "\($0)".contains("did you mean 'plain/get'?") }
        await #expect {
            try await withScenario("redirect/302-get-stays-get", case: "folow") { _ in }
        } throws: { "\($0)".contains("did you mean 'follow'?") }
        await #expect {
            try await withScenario("redirect/302-get-stays-get") { _ in }
        } throws: { "\($0)".contains("follow, change, refuse, cancel") }
    }

    @Test func `an error of the body is thrown on`() async throws {
        struct Mine: Error {}
        await withKnownIssue {
            await #expect(throws: Mine.self) {
                try await withScenario("plain/get") { _ in throw Mine() }
            }
        } matching: {
            // What was seen until then is told all the same.
            $0.comments.contains { $0.rawValue.hasPrefix("the body threw Mine(), and this is what was seen") }
        }
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

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The same under XCTest, where a failed verdict is thrown.
final class XCTestTests: XCTestCase {
    #if !canImport(ObjectiveC)
        /// For the runner of the package (Tests/XCTMain.swift).
        static var entry: XCTestCaseEntry {
            testCase([
                (
                    "testThatAClientWhichDoesWhatTheCaseAsksPasses",
                    asyncTest(XCTestTests.testThatAClientWhichDoesWhatTheCaseAsksPasses)
                ),
                ("testThatAFailedVerdictIsThrown", asyncTest(XCTestTests.testThatAFailedVerdictIsThrown)),
            ])
        }
    #endif

    func testThatAClientWhichDoesWhatTheCaseAsksPasses() async throws {
        try await withScenario("plain/get") { exam in
            exam.session().dataTask(with: exam.url("/hello")).resume()
        }
    }

    func testThatAFailedVerdictIsThrown() async throws {
        do {
            try await withScenario("plain/get") { _ in }
            XCTFail("a client that asks for nothing must not pass")
        } catch let failure as ExamFailure {
            XCTAssertTrue(failure.description.contains("request(GET /hello)"), failure.description)
        }
    }
}
