import ProctorEvents
import ProctorReport
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Errors and their codes, the end of a session, and callbacks that never return.
struct EndContentTests {
    @Test func `the word in JSON is content`() throws {
        let verdict = try grade(try makeCase(), "resume complete(timedOut){domain=NSURLErrorDomain,code=-1009}")
        #expect(verdict.outcome == .fail)
        #expect(String(decoding: verdict.json, as: UTF8.self).contains(#""about":"content","weight":"failure""#))
    }
}
