import Foundation
import ProctorGrading
import ProctorScenario
import Testing

@testable import ProctorReport

/// Reports of records: TAP, Markdown, differences, merges.
struct RecordReportTests {
    private func record(
        _ name: String, _ outcome: String, kind: Case.Kind = .must, cause: String? = nil, client: String = "c"
    ) -> CaseRecord {
        var record = CaseRecord(id: CaseID(scenario: "a/b", name: name), kind: kind, outcome: outcome)
        record.client = client
        record.cause = cause
        record.reason = "why | \"quoted\" # hash"
        return record
    }

    private func exam(_ cases: [CaseRecord], client: String = "c") -> ExamRecord {
        ExamRecord(header: ExamHeader(client: client, platform: "neutral", proctor: "0"), cases: cases)
    }

    @Test func `TAP has a point for each case, and marks failures that do not count`() {
        let cases = [
            record("1", "pass"), record("2", "fail"), record("3", "fail", kind: .should), record("4", "lacks"),
            record("5", "crash", kind: .observes), record("6", "known"),
        ]
        let lines = TAPText.report([exam(cases)], failingOn: [.must]).split(separator: "\n").map(String.init)
        #expect(lines[0] == "TAP version 14" && lines[1] == "1..6")
        #expect(lines.contains("ok 1 - a/b\\#1"))
        #expect(lines.contains("not ok 2 - a/b\\#2"))
        #expect(lines.contains("not ok 3 - a/b\\#3 # TODO should"))
        #expect(lines.contains("ok 4 - a/b\\#4 # SKIP lacks"))
        #expect(lines.contains("not ok 5 - a/b\\#5"))
        #expect(lines.contains("not ok 6 - a/b\\#6 # TODO known"))
        #expect(lines.contains(#"  message: "why | \"quoted\" # hash""#))
        #expect(lines.filter { $0 == "  ---" }.count == 4 && lines.filter { $0 == "  ..." }.count == 4)
        let several = TAPText.report([exam([cases[0]]), exam([cases[0]], client: "d")], failingOn: [])
        #expect(several.contains("ok 1 - c: a/b") && several.contains("ok 2 - d: a/b"))
    }

    @Test func `Markdown keeps a table whatever stands in a reason`() {
        var listed = record("3", "known", cause: "y|z")
        listed.upstream = UpstreamReport(state: .unreported, issue: nil, date: "2026-11-25", says: "a | b")
        let text = MarkdownText.report([exam([record("1", "fail", cause: "x"), record("2", "pass"), listed])])
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows[2] == "| c | 1 of 3 | 0 of 0 | 0 | 0 | 2 | 1 |")
        #expect(text.contains("### c: 2 failed musts, 2 causes\n"))
        #expect(text.contains("| 1 | 1 | X | `x` | `a/b#1` |  |"))
        let upstream = #"known and reported nowhere (2026-11-25): a \| b"#
        #expect(text.contains(#"| 1 | 0 | Y\|z | `y\|z` | `a/b#3` | \#(upstream) |"#), "\(text)")
        #expect(text.contains(#"Known and reported nowhere: `y\|z`"#))
        #expect(text.contains(#"why \| "quoted" # hash"#))
    }

    @Test func `a difference tells better, worse, otherwise, changed, new and gone`() {
        let before = exam([
            record("1", "pass"), record("2", "fail", cause: "x"), record("3", "fail", cause: "x"), record("4", "pass"),
            record("5", "pass"), record("6", "pass"), record("8", "fail", cause: "x"),
        ])
        let after = exam([
            record("1", "crash"), record("2", "pass"), record("3", "fail", cause: "y"), record("4", "lacks"),
            record("5", "pass"), record("7", "fail"), record("8", "hang", cause: "x"),
        ])
        let difference = ExamDifference(from: before, to: after)
        #expect(difference.worse.map(\.id.name) == ["1", "8"])
        #expect(difference.better.map(\.id.name) == ["2"])
        #expect(difference.otherwise.map(\.id.name) == ["3"])
        #expect(difference.changed.map(\.id.name) == ["4"])
        #expect(difference.new.map(\.id.name) == ["7"])
        #expect(difference.gone.map(\.id.name) == ["6"])
        #expect(difference.sameCount == 1)
        #expect(difference.lines().last == "2 worse, 1 better, 1 otherwise, 1 changed, 1 new, 1 gone, 1 the same")
        #expect(difference.cameCauses.map(\.cause.key) == ["y"] && difference.wentCauses.isEmpty)
        #expect(difference.lines().contains("  a new cause: Y: 1 case (1 must), such as a/b#3"))
        #expect(difference.lines(isComplete: true).count == 9)
    }

    @Test(
        arguments: [
            ("fail", "fail", false), ("pass", "fail", true), ("fail", "crash", true), ("crash", "fail", false),
            ("setup-failed", "setup-failed", false), ("pass", "adapter-error", true), (nil, "fail", true),
        ] as [(String?, String, Bool)])
    func `a baseline excuses what was as bad before`(before: String?, now: String, isWorse: Bool) {
        #expect(record("1", now).isWorse(than: before.map { record("1", $0) }) == isWorse)
    }

    @Test(
        arguments: [
            ("fail", Case.Kind.must, true, true), ("fail", .should, false, true), ("hang", .observes, false, false),
            ("crash", .observes, true, true), ("setup-failed", .should, true, true),
            ("adapter-error", .should, true, true),
            ("lacks", .must, false, false), ("partly", .must, false, false), ("not-judged", .should, false, true),
        ] as [(String, Case.Kind, Bool, Bool)])
    func `kinds decide what fails an exam`(outcome: String, kind: Case.Kind, onMust: Bool, onShould: Bool) {
        let record = record("1", outcome, kind: kind)
        #expect(record.isFailure(on: [.must]) == onMust)
        #expect(record.isFailure(on: [.must, .should]) == onShould)
        #expect(!record.isFailure(on: []))
    }

    @Test func `parts of one exam become one, and another version gets a name of its own`() {
        var merge = ExamMerge()
        var (first, second) = (exam([record("1", "fail"), record("3", "pass")]), exam([record("2", "pass")]))
        (first.header.shard, second.header.shard) = ("1/2", "2/2")
        var later = exam([record("1", "pass")])
        later.header.shard = "1/2"
        var other = exam([record("1", "pass")])
        other.header.clientVersion = "9"
        #expect([first, second, later].allSatisfy { merge.add($0) == nil })
        #expect(merge.add(other)?.contains("c@9") == true)
        #expect(merge.exams.map(\.header.client) == ["c", "c@9"])
        #expect(merge.exams[0].cases.map { "\($0.id.name) \($0.outcome)" } == ["1 pass", "2 pass", "3 pass"])
        #expect(merge.exams[0].header.shard == nil && merge.exams[0].header.caseCount == 3)
        #expect(merge.exams[1].cases.map(\.client) == ["c@9"])
    }

    @Test func `a part that is missing, or has too few cases, is named until the whole exam is there`() {
        func part(_ number: Int, cases: Int, of expected: Int) -> ExamRecord {
            var part = exam((0..<cases).map { record("\(number).\($0)", "pass") })
            (part.header.shard, part.header.caseCount) = ("\(number)/3", expected)
            return part
        }
        var merge = ExamMerge()
        #expect([part(1, cases: 2, of: 2), part(3, cases: 1, of: 2)].allSatisfy { merge.add($0) == nil })
        #expect(merge.missingParts == ["parts 2/3, 3/3 of c are missing, or not whole"])
        #expect([part(2, cases: 2, of: 2), part(3, cases: 2, of: 2)].allSatisfy { merge.add($0) == nil })
        #expect(merge.missingParts.isEmpty)
        var other = ExamMerge()
        #expect([part(1, cases: 1, of: 1), exam([record("x", "pass")])].allSatisfy { other.add($0) == nil })
        #expect(other.missingParts.isEmpty)
    }

    @Test func `SARIF has a result for each failure, and suppresses what a ledger lists`() throws {
        var failed = record("1", "fail")
        (failed.file, failed.line, failed.summary) = ("my fixtures/a/b.yaml", 7, "What b does")
        let cases = [failed, record("2", "pass"), record("3", "fail", kind: .should), record("4", "known")]
        let text = SARIFText.report([exam(cases)], failingOn: [.must])
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let run = try #require((document["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.compactMap { $0["level"] as? String } == ["error", "warning", "note"])
        #expect(results.map { $0["suppressions"] != nil } == [false, false, true])
        #expect(text.contains(#""uri":"my%20fixtures/a/b.yaml"},"region":{"startLine":7}"#))
        #expect(text.contains(#""rules":[{"id":"a/b","shortDescription":{"text":"What b does"}}]"#))
    }

    @Test func `annotations are commands of GitHub's runner, with what it takes for a sign escaped`() {
        var failed = record("1", "fail")
        (failed.file, failed.line, failed.reason) = ("a,b:c.yaml", 7, "50% of it")
        let lines = AnnotationText.lines(
            [exam([failed, record("2", "known"), record("3", "fail", kind: .should)])], failingOn: [.must])
        #expect(lines.count == 2)
        #expect(lines[0] == "::error file=a%2Cb%3Ac.yaml,line=7,title=a/b#1::c: a/b#1 (must): 50%25 of it")
        #expect(lines[1].hasPrefix("::warning title=a/b#3::c: a/b#3 (should): "))
    }
}
