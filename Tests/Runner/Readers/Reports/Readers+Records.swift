import Foundation
import ProctorBase
import ProctorEvents
import ProctorGrading
import ProctorReport
import ProctorScenario
import ProctorTestSupport

extension ReaderRunner {
    /// Records of exams, and what is written of them.
    static let records: [String: DataReader] = [
        "records": .whole { input, _ in
            do throws(TraceReadingError) {
                return try RecordLines.written(input)
            } catch {
                return ["\(error)"]
            }
        },
        "tap": report { TAPText.report($0) },
        "markdown": report { ReportMarkdown.report($0.exams) },
        "sarif": report { SARIFText.report($0) },
        "annotations": report { AnnotationText.lines($0).joined(separator: "\n") },
        "summary": report { results in
            results.exams.flatMap { exam in
                let summary = RecordSummary(exam.cases)
                return summary.causeLines + summary.kindLines + [summary.tally]
            }.joined(separator: "\n")
        },
        "difference": .whole { input, block in
            let files = try RecordText(input).read().exams
            guard files.count == 2, let before = files[0].first, let after = files[1].first else {
                throw RowError(block.line, "a difference needs records, a line ---, and records")
            }
            return ExamDifference(from: before, to: after).lines(isComplete: block.has("all"))
        },
        "merge": .whole { input, _ in RecordLines.merged(try RecordText(input).read().exams) },
        // `BEFORE -> AFTER`, and `none` where the baseline lacks the case.
        "against-baseline": .line { text in
            let words = text.components(separatedBy: " -> ")
            func record(_ outcome: String) -> CaseRecord {
                CaseRecord(id: CaseID(scenario: "a", name: "b"), kind: .must, outcome: outcome)
            }
            let before = words[0] == "none" ? nil : record(words[0])
            return record(words[words.count - 1]).isWorse(than: before) ? "worse" : "no worse"
        },
        // `KIND OUTCOME`, and each set of kinds that it fails an exam of.
        "failing": .line { text in
            let words = text.split(separator: " ").map(String.init)
            guard words.count == 2, let kind = Case.Kind(rawValue: words[0]) else { return "expected KIND OUTCOME" }
            let record = CaseRecord(id: CaseID(scenario: "a", name: "b"), kind: kind, outcome: words[1])
            let sets: [[Case.Kind]] = [[], [.must], [.must, .should]]
            let header = ExamHeader(client: "c", platform: "p", proctor: "")
            let failed = sets.filter { ExamGate(failingOn: Set($0)).isFailed(by: record, of: header) }
            return failed.isEmpty
                ? "never" : failed.map { "on " + $0.map(\.rawValue).joined(separator: " and ") }.joined(separator: ", ")
        },
    ]

    private static func report(
        _ write: @escaping @Sendable (ExamResults) -> String
    ) -> DataReader {
        .whole { input, block in
            let kinds = (block.value(of: "on") ?? "must").split(separator: ",").compactMap {
                Case.Kind(rawValue: String($0))
            }
            let exams = try RecordText(input).read().exams.flatMap(\.self)
            let text = write(ExamResults(exams, gate: ExamGate(failingOn: Set(kinds))))
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            return lines.last?.isEmpty == true ? lines.dropLast() : lines
        }
    }
}

private enum RecordLines {
    /// The records as they are written again, and keys that Docs/use/records.md does not have.
    static func written(_ input: [UInt8]) throws(TraceReadingError) -> [String] {
        let (exams, isCut) = try RecordText(input).read()
        let lines = exams.flatMap(\.self).flatMap { exam in [exam.header.json] + exam.cases.map { $0.json() } }
        return lines.map { String(decoding: $0.dropLast(), as: UTF8.self) } + (isCut ? ["cut"] : [])
            + undocumented(lines)
    }

    private static func undocumented(_ lines: [[UInt8]]) -> [String] {
        var keys: Set<String> = []
        for line in lines { collect(try? JSONSerialization.jsonObject(with: Data(line)), into: &keys) }
        let page = FileManager.default.contents(atPath: "\(Project.path)/Docs/use/records.md") ?? Data()
        let text = String(decoding: page, as: UTF8.self)
        return keys.sorted().filter { !text.contains("`\($0)`") }.map { "Docs/use/records.md has no key \($0)" }
    }

    private static func collect(_ value: Any?, into keys: inout Set<String>) {
        if let list = value as? [Any] { for item in list { collect(item, into: &keys) } }
        for (key, value) in value as? [String: Any] ?? [:] {
            keys.insert(key)
            collect(value, into: &keys)
        }
    }

    static func merged(_ files: [[ExamRecord]]) -> [String] {
        var merge = ExamMerge()
        let remarks = files.flatMap(\.self).compactMap { merge.add($0) }
        let exams = merge.exams.flatMap { exam in
            [
                "exam \(exam.header.client) \(exam.header.shard ?? "-") of \(exam.header.caseCount.map(String.init) ?? "-")"
            ]
                + exam.cases.map { "\($0.client) \($0.id) \($0.outcome)" }
        }
        return remarks + exams + merge.missingParts
    }
}
