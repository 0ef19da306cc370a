import Foundation
import ProctorBase
import ProctorHTML
import ProctorScenario

@testable import ProctorGrading
@testable import ProctorReport

extension ReaderRunner {
    /// Pages of reports, and drawings in them.
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
        // Times of a drawing: `room N`.
        "time-scale": .whole { input, block in
            let times = Parts.text(input).split(separator: " ").compactMap { Int($0) }
            let scale = TimelineScale(times, room: try block.number(of: "room") ?? 400)
            let places = times.map(scale.y)
            guard places == places.sorted(), places.allSatisfy({ 0...scale.height ~= $0 }), scale.ticks.count <= 20,
                !scale.folds.isEmpty || zip(scale.ticks, scale.ticks.dropFirst()).allSatisfy({ $1.y - $0.y >= 48 })
            else { return ["out of place: \(places), ticks \(scale.ticks.map(\.y))"] }
            let line =
                "\(places) of \(scale.height)"
                + scale.folds.map { ", fold \($0.start) to \($0.end) at \($0.y)" }.joined()
                + (times.count > 8 ? "" : ", ticks \(scale.ticks.map(\.nanoseconds))")
            return [line]
        },
        // Events as `wire 3 c1 s5` or `note`: what is drawn apart, and the bars beside it.
        "drawing": .line { text in SiteLines.drawing(text) },
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

    static func drawing(_ text: String) -> String {
        let events = text.split(separator: ",").map { word -> EventRecord in
            let words = word.split(separator: " ").map(String.init)
            var event = EventRecord(lane: words.first ?? "", text: "x")
            for word in words.dropFirst() {
                switch word.first {
                case "c": event.connection = Int(word.dropFirst())
                case "s": event.stream = Int(word.dropFirst())
                default: event.nanoseconds = Int(word)
                }
            }
            return event
        }
        let layout = TimelineLayout(events)
        for column in TimelineLayout.Column.allCases {
            let places = layout.moments.filter { $0.column == column }.map(\.textY)
            guard zip(places, places.dropFirst()).allSatisfy({ $1 - $0 >= TimelineLayout.lineHeight }) else {
                return "texts overlap: \(places)"
            }
        }
        guard layout.moments.allSatisfy({ $0.textY >= $0.timeY && $0.textY < layout.height }) else {
            return "a text stands above its time, or below the drawing"
        }
        let apart = TimelineParts.ranges(of: events).map { "\($0.lowerBound)..<\($0.upperBound)" }
        let bars = layout.bars.map { $0.name + ($0.ticks.count == 1 ? "" : "×\($0.ticks.count)") }
        let undrawn = (layout.undrawnConnectionCount, layout.undrawnStreamCount)
        return "parts " + apart.joined(separator: " ") + (bars.isEmpty ? "" : "; bars " + bars.joined(separator: " "))
            + (undrawn == (0, 0) ? "" : "; undrawn \(undrawn.0) connections, \(undrawn.1) streams")
    }
}
