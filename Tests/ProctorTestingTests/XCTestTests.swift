import Foundation
import ProctorTesting
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The same under XCTest, where a failed verdict is thrown.
final class XCTestTests: XCTestCase {
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
