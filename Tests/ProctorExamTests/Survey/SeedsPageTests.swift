import Foundation
import ProctorFixtures
import ProctorRules
import ProctorScenario
import Testing

/// Docs/results/seeds.tsv leads from each sentence of the source documents to cases and rules that exist, or says why to none.
struct SeedsPageTests {
    struct Row {
        let place: String
        let places: String
        let statement: String
        /// As `scenario#case`.
        let cases: [String]
        let rules: [String]
        let reason: String

        init(_ line: Substring, number: Int) throws {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(cells.count == 5, "Docs/results/seeds.tsv:\(number): \(cells.count) fields")
            place = "Docs/results/seeds.tsv:\(number)"
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

    private static func rows() throws -> [Row] {
        try String(contentsOfFile: "\(Checkout.path)/Docs/results/seeds.tsv", encoding: .utf8).split(separator: "\n")
            .enumerated().dropFirst().map { try Row($0.element, number: $0.offset + 1) }
    }

    private static let known: Set<String> = Set(
        ExamBench.library.scenarios.flatMap { scenario in scenario.sittings.map { "\(scenario.id)#\($0.name)" } })

    @Test func `every sentence is there with its place`() throws {
        let rows = try Self.rows()
        #expect(rows.count > 300)
        for row in rows {
            #expect(row.places.contains(/^00\d:\d+/) && !row.statement.isEmpty, "\(row.place): \(row.places)")
        }
    }

    @Test func `every case that is named is in the shipped fixtures`() throws {
        for row in try Self.rows() {
            for name in row.cases { #expect(Self.known.contains(name), "\(row.place): \(name)") }
            for name in row.reason.matches(of: /`([a-z0-9.-]+\/[a-z0-9.\/-]+#[a-z0-9.-]+)`/) {
                #expect(Self.known.contains(String(name.1)), "\(row.place): \(name.1)")
            }
        }
    }

    @Test func `every rule that is named is one`() throws {
        let numbers = Set(Rules.all.map { "\($0.number)" })
        for row in try Self.rows() {
            for rule in row.rules { #expect(numbers.contains(rule), "\(row.place): \(rule)") }
        }
    }

    @Test func `a sentence that nothing asks has a reason`() throws {
        for row in try Self.rows() where row.cases.isEmpty && row.rules.isEmpty {
            #expect(!row.reason.isEmpty, "\(row.place): \(row.statement)")
        }
    }

    @Test func `the page has the counts of the file`() throws {
        let page = try String(contentsOfFile: "\(Checkout.path)/Docs/inside/seeds.md", encoding: .utf8)
        for (document, rows) in Dictionary(grouping: try Self.rows(), by: { $0.places.prefix(3) }) {
            let asked = rows.count { !$0.cases.isEmpty }
            let ruled = rows.count { $0.cases.isEmpty && !$0.rules.isEmpty }
            let counts = " | \(rows.count) | \(asked) | \(ruled) | \(rows.count - asked - ruled) |"
            let line = page.split(separator: "\n").first { $0.hasPrefix("| \(document)") }
            #expect(line?.hasSuffix(counts) == true, "of document \(document) it should say\(counts)")
        }
    }
}
