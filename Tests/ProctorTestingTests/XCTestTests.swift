import Foundation
import ProctorRecorder
import ProctorTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The same under XCTest, where a failed verdict is thrown.
final class XCTestTests: XCTestCase {
    #if !canImport(Darwin)
        /// What Tests/XCTMain.swift runs; a test below holds the list against the functions of this class.
        static let all = [
            ("testThatAClientWhichDoesWhatTheCaseAsksPasses", asyncTest(testThatAClientWhichDoesWhatTheCaseAsksPasses)),
            ("testThatAFailedVerdictIsThrown", asyncTest(testThatAFailedVerdictIsThrown)),
        ]
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

#if !canImport(Darwin)
    @Test func `the list of tests for XCTest has each function of its class`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let functions = source.split(separator: "\n").compactMap { line -> String? in
            guard let begin = line.firstRange(of: "    func test"), let end = line.firstIndex(of: "(") else { return nil }
            return "test" + line[begin.upperBound..<end]
        }
        #expect(functions == XCTestTests.all.map(\.0))
    }
#endif
