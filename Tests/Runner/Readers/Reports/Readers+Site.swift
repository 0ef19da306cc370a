import Foundation
import ProctorBase
import ProctorHTML
import ProctorScenario

@testable import ProctorGrading
@testable import ProctorReport

extension ReaderRunner {
    /// Pages of reports.
    static let site: [String: DataReader] = [
        // Records, and in a last line `PAGE has TEXT`, which may be any page (`*`), or `PAGE counts OUTCOME …`.
        "site": .whole { input, block in try SiteLines.look(input, block) },
        // `plain/get must`: the marks of a scenario, as the compact data has them; behind records in the same way.
        "site-data": .whole { input, block in
            let (exams, last) = try SiteLines.parts(input, block)
            guard let data = SiteLines.pages(exams)[SitePath.data] else { return ["no data"] }
            let index = try ReportIndex(parsing: Array(data.utf8))
            let lines = index.lines(of: last).sorted { $0.kind < $1.kind }
            return lines.isEmpty
                ? ["nothing"]
                : lines.map { line in
                    "\(line.kind): \(line.passedCount) passed"
                        + line.failed.map { ", \($0.client) failed \($0.count)" }.joined()
                }
        },
        // A file that may be such data.
        "report-data": .whole { input, _ in
            do {
                return ["data of \(try ReportIndex(parsing: input).clients.count) clients"]
            } catch is ReportIndex.Fault { return ["no data of a report"] }
        },
        // Outcomes of one kind, in words and as a figure.
        "outcome-counts": .line { text in
            let counts = OutcomeCounts(text.split(separator: " ").map(String.init))
            let figure = String(decoding: IndexPage.figure(counts).bytes, as: UTF8.self)
            return counts.sentence + ["✓", "◐"].filter { figure.contains($0) }.map { " \($0)" }.joined()
        },
    ]
}

private enum SiteLines {
    static func parts(_ input: [UInt8], _ block: Block) throws -> (exams: [ExamRecord], last: String) {
        let text = String(decoding: input, as: UTF8.self).replacing("\r\n", with: "\n")
        let lines = text.split(separator: "\n").map(String.init)
        guard let last = lines.last else { throw RowError(block.line, "expected records, and what to look for") }
        let records = lines.dropLast().joined(separator: "\n")
        return (try RecordText(Array(records.utf8)).read().exams.flatMap(\.self), last)
    }

    static func pages(_ exams: [ExamRecord]) -> [String: String] {
        let fixture = FixtureText(
            file: "fixtures/plain/get.yaml", text: "summary: x\ncases:\n  asks:\n    wire: request\n  other: 1\n",
            caseLines: ["asks": 3, "other": 5])
        var pages: [String: String] = [:]
        Site(exams, version: "1").write(fixture: { $0 == "plain/get" ? fixture : nil }) { file in
            pages[file.path] = String(decoding: file.bytes, as: UTF8.self)
        }
        return pages
    }

    static func look(_ input: [UInt8], _ block: Block) throws -> [String] {
        let (exams, last) = try parts(input, block)
        let pages = pages(exams)
        let faults = faults(of: pages)
        guard faults.isEmpty else { return faults }
        let words = last.components(separatedBy: " has ")
        guard words.count == 2 else { throw RowError(block.line, "expected PAGE has TEXT, found \(last)") }
        let looked = pages.filter { $0.key.hasSuffix(".html") && (words[0] == "*" || $0.key == words[0]) }
        guard !looked.isEmpty else { return ["no such page: \(pages.keys.sorted().joined(separator: " "))"] }
        return [looked.values.contains { $0.contains(words[1]) } ? "yes" : "no"]
    }

    /// Links that lead nowhere, and ids that stand twice.
    private static func faults(of pages: [String: String]) -> [String] {
        var faults: [String] = []
        for (path, text) in pages where path.hasSuffix(".html") {
            let ids = values(of: "id", in: text)
            if Set(ids).count != ids.count { faults.append("\(path) has an id twice") }
            for link in values(of: "href", in: text) where !link.hasPrefix("https://") && link != "data:," {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let folder = URL(fileURLWithPath: "/" + path).deletingLastPathComponent()
                let target =
                    parts[0].isEmpty
                    ? path : String(folder.appendingPathComponent(parts[0]).standardized.path.dropFirst())
                guard let page = pages[target], parts.count == 1 || page.contains("id=\"\(parts[1])\"") else {
                    faults.append("\(path) links to \(link)")
                    continue
                }
            }
        }
        return faults
    }

    private static func values(of name: String, in text: String) -> [String] {
        text.components(separatedBy: " \(name)=\"").dropFirst().map { rest in
            String(rest.prefix { $0 != "\"" }).replacingOccurrences(of: "&amp;", with: "&")
        }
    }
}
