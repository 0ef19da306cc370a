import ProctorEvents
import ProctorRules
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// One test for each verdict, and for what a verdict says.
struct CaseGraderTests {
    @Test func `a case can be skipped for a platform that has no such tasks`() throws {
        var platform = Platform(name: "darwin-legacy")
        platform.families = [.connection, .download]
        // A connection can take what a data task can.
        #expect(CaseGrader(try makeCase(), scenario: "a", platform: platform).skipReason == nil)
        platform.families = [.download]
        let grader = CaseGrader(try makeCase(), scenario: "a", platform: platform)
        let reason = try #require(grader.skipReason)
        #expect(reason == "darwin-legacy has no tasks of family sessionData")
        let verdict = CaseVerdict.skipped(grader.id, kind: .must, reason: reason)
        #expect(verdict.description == "skipped: a#follow: darwin-legacy has no tasks of family sessionData")
        #expect(!verdict.outcome.isFailure)
        #expect(CaseGrader(try makeCase(), scenario: "a").skipReason == nil)
    }

    @Test func `a sentence of the client cannot control a terminal`() throws {
        let verdict = try grade(
            try makeCase(), "resume", ending: .crashed(signal: "SIG\u{1B}[2J", lastErrorLine: "a\u{1B}[31mb\u{202E}c"))
        #expect(!verdict.description.unicodeScalars.contains("\u{1B}"))
        #expect(verdict.description.contains("stderr  : a?[31mb?c"))
    }
}
