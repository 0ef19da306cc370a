import Foundation
import ProctorEvents
import Testing

/// Docs/judging/traces.md and methods.md against the code: their examples are read, and their tables are the code's own.
struct TraceFormatDocTests {
    private static let lines: [String] = {
        ["traces", "methods"].flatMap { name in
            let file = URL(filePath: #filePath).appending(path: "../../../Docs/judging/\(name).md").standardized
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return text.components(separatedBy: "\n")
        }
    }()

    /// The contents of fenced blocks of a language.
    private static func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var block: [String]?
        for line in lines {
            if line.hasPrefix("```") {
                if let lines = block { blocks.append(lines.map { $0 + "\n" }.joined()) }
                block = block == nil && line == "```\(language)" ? [] : nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    @Test func `examples of JSON are traces`() throws {
        let blocks = Self.blocks("json")
        #expect(blocks.count >= 4)
        for block in blocks {
            let seen = TraceVerifier.seen(block)
            #expect(seen.errors.isEmpty && !seen.isCut && seen.skippedLineCount == 0, "\(block)")
            #expect(seen.header != nil || !seen.events.isEmpty, "\(block)")
        }
    }

    @Test func `examples of logs give the events that are written behind them`() throws {
        let blocks = Self.blocks("log")
        let readings = Self.blocks("text").map { $0.replacing("\n", with: " ").trimmingCharacters(in: .whitespaces) }
        #expect(blocks.count >= 3 && readings.count == blocks.count)
        for (block, reading) in zip(blocks, readings) {
            #expect(TraceVerifier.seen(block).symbols == reading, "\(block)")
        }
    }

    @Test func `every event stands in the table`() {
        for kind in EventVocabulary.kinds { expectRow(Self.row(kind)) }
        #expect(Self.rows(under: "## Events").count == EventVocabulary.kinds.count)
    }

    @Test func `every method stands in the table`() {
        for method in MethodName.all { expectRow(Self.row(method)) }
        #expect(Self.rows(under: "## Methods").count == MethodName.all.count)
    }

    @Test func `every fact, family and error name is named`() {
        for key in FactKey.allCases { #expect(Self.names(under: "## Facts").contains(key.rawValue), "\(key)") }
        for family in CallbackFamily.allCases { #expect(Self.names(under: "## Families").contains(family.rawValue)) }
        for family in CallbackFamily.allCases {
            #expect(Self.names(under: "## Families").contains(family.shortCode))
            #expect(
                CallbackFamily(named: family.rawValue) == family && CallbackFamily(named: family.shortCode) == family)
        }
        for name in URLErrorName.names { #expect(Self.names(under: "## Errors").contains(name), "\(name)") }
        for name in ChallengeKind.names { #expect(Self.names(under: "## Errors").contains(name), "\(name)") }
        for lane in Lane.allCases { #expect(Self.names(under: "## Lanes").contains(lane.rawValue)) }
        for key in TraceFormatKeys.event { #expect(Self.names(under: "## An event").contains(key), "\(key)") }
        for key in TraceFormatKeys.header { #expect(Self.names(under: "## The header").contains(key), "\(key)") }
    }

    // MARK: The document

    private func expectRow(_ row: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(Self.lines.contains(row), "missing: \(row)", sourceLocation: sourceLocation)
    }

    private static func section(_ title: String) -> ArraySlice<String> {
        guard let start = lines.firstIndex(of: title) else { return [] }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        return lines[start..<end]
    }

    /// The rows of tables, without their heads.
    private static func rows(under title: String) -> [String] {
        section(title).filter { $0.hasPrefix("| `") || $0.hasPrefix("| – ") }
    }

    /// Everything between backticks.
    private static func names(under title: String) -> Set<String> {
        var names: Set<String> = []
        for line in section(title) {
            let parts = line.components(separatedBy: "`")
            for index in stride(from: 1, to: parts.count, by: 2) { names.insert(parts[index]) }
        }
        return names
    }

    private static func row(_ kind: EventKind) -> String {
        let lanes = kind.lanes.map { "`\($0.rawValue)`" }.joined(separator: " ")
        let argument =
            switch kind.argument {
            case .none: "–"
            case .status(let digit): digit.count == 1 ? "status \(digit.lowerBound)xx" : "status"
            case .outcome: "`ok` or an error"
            case .request: "method and target"
            case .text: "text"
            }
        return "| `\(kind.name)` | \(lanes) | \(argument) |"
    }

    private static func row(_ method: MethodName) -> String {
        let event = method.event.map { "`\($0.rawValue)`" } ?? "–"
        let family = method.family.map { "`\($0.rawValue)`" + (method.isOfOneFamily ? "" : " …") } ?? "–"
        return "| \(event) | `\(method.lane.rawValue)` | \(family) | "
            + method.spellings.map { "`\($0)`" }.joined(separator: "<br>") + " |"
    }
}

/// The keys of lines, as the writer has them.
private enum TraceFormatKeys {
    static let event =
        keys(
            of: TraceWriter.line(
                TraceEvent(
                    sequence: 1, time: .monotonic(1), lane: .task, task: 1, object: 1, name: .data, argument: "a",
                    phase: .exit, queue: "q", thread: "t", family: .sessionData, facts: [EventFact(.n, .integer(1))])))
        + ["ms"]
    static let header = keys(
        of: TraceWriter.line(
            TraceHeader(client: "c", clientVersion: "1", scenario: "s", caseName: "c", run: "r")))

    private static func keys(of line: [UInt8]) -> [String] {
        let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        return object.map { Array($0.keys) } ?? []
    }
}
