import Foundation
import ProctorRules
import ProctorScenario
import Testing

/// Docs/seeds.md leads from each sentence of the source documents to cases and rules that exist, or says why to none.
struct SeedsPageTests {
    struct Row {
        let line: Int
        let places: String
        let statement: String
        /// As `scenario#case`.
        let cases: [String]
        let rules: [String]
        let reason: String

        /// nil for what is no row of a table with five columns.
        init?(_ text: Substring, line: Int) {
            let marked = text.replacing("\\|", with: "\u{0}")
            let cells = marked.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard text.hasPrefix("| "), cells.count == 5, cells[0] != "lines" else { return nil }
            self.line = line
            places = cells[0]
            statement = cells[1]
            cases = Self.cases(in: cells[2])
            rules = cells[3].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            reason = cells[4]
        }

        /// `#case` alone belongs to the scenario before it.
        private static func cases(in cell: String) -> [String] {
            var scenario = ""
            return cell.matches(of: /`([^`#]*)#([^`]+)`/).map { match in
                if !match.1.isEmpty { scenario = String(match.1) }
                return "\(scenario)#\(match.2)"
            }
        }
    }

    private static let rows: [Row] = {
        let page = try? String(contentsOfFile: "\(Checkout.path)/Docs/seeds.md", encoding: .utf8)
        return (page ?? "").split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .compactMap { Row($0.element, line: $0.offset + 1) }
    }()

    private static let known: Set<String> = Set(
        ExamBench.library.scenarios.flatMap { scenario in scenario.sittings.map { "\(scenario.id)#\($0.name)" } })

    @Test func `every sentence is there with its place`() {
        #expect(Self.rows.count > 300)
        for row in Self.rows {
            #expect(
                row.places.contains(/^00\d:\d+/) && !row.statement.isEmpty, "Docs/seeds.md:\(row.line): \(row.places)")
        }
    }

    @Test func `every case that is named is in the shipped fixtures`() {
        for row in Self.rows {
            for name in row.cases { #expect(Self.known.contains(name), "Docs/seeds.md:\(row.line): \(name)") }
            for name in row.reason.matches(of: /`([a-z0-9.-]+\/[a-z0-9.\/-]+#[a-z0-9.-]+)`/) {
                #expect(Self.known.contains(String(name.1)), "Docs/seeds.md:\(row.line): \(name.1)")
            }
        }
    }

    @Test func `every rule that is named is one`() {
        let numbers = Set(Rules.all.map { "\($0.number)" })
        for row in Self.rows {
            for rule in row.rules { #expect(numbers.contains(rule), "Docs/seeds.md:\(row.line): \(rule)") }
        }
    }

    @Test func `a sentence that nothing asks has a reason`() {
        for row in Self.rows where row.cases.isEmpty && row.rules.isEmpty {
            #expect(!row.reason.isEmpty, "Docs/seeds.md:\(row.line): \(row.statement)")
        }
    }
}
