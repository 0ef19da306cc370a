import Foundation
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorReport

/// What pages of reports have for every outcome, and where the lines of a case are.
struct SiteTests {
    @Test func `signs and letters of outcomes differ, and every outcome has one`() {
        let looks = OutcomeLook.all + [.absent]
        #expect(Set(looks.map(\.sign)).count == looks.count)
        #expect(Set(looks.map(\.letter)).count == looks.count)
        #expect(Set(CaseVerdict.Outcome.words).isSubset(of: Set(looks.map(\.word))))
    }

    @Test func `Docs of the report list every sign`() throws {
        let path = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Docs/use/report.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for look in OutcomeLook.all { #expect(text.contains("| \(look.sign) | `\(look.word)` |"), "\(look.word)") }
    }

    @Test func `a case's lines are its name and what is indented more`() {
        let text = "summary: x\ncases:\n  one:\n    wire: a\n\n    facts: b\n  two:\n    wire: c\nend: 1\n"
        let fixture = FixtureText(file: "f.yaml", text: text, caseLines: ["one": 3, "two": 7, "gone": 99])
        #expect(fixture.lines(ofCase: "one") == 3...6)
        #expect(fixture.lines(ofCase: "two") == 7...8)
        #expect(fixture.lines(ofCase: "two@download") == 7...8)
        #expect(fixture.lines(ofCase: "gone") == nil)
    }
}
