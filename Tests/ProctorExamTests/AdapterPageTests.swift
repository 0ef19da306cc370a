import Foundation
import ProctorEvents
import ProctorFixtures
import ProctorProgram
import ProctorScenario
import ProctorServer
import Testing

/// What Docs/clients/abilities.md says of the library's cases.
struct AdapterPageTests {
    private static let unneeded = "no case needs it yet"

    /// The rows of the table of abilities: the words of the first cell, and the whole row.
    private static func rows() throws -> [(words: [String], text: String)] {
        let text = String(decoding: try Checkout.bytes("Docs/clients/abilities.md"), as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("| `") else { return nil }
            let first = line.split(separator: "|")[0]
            return (first.matches(of: /`([^`]+)`/).map { String($0.1) }, String(line))
        }
    }

    @Test func `the page says of each ability whether a case needs it`() throws {
        let loaded = ExamBench.library
        let needed = loaded.scenarios.flatMap(\.cases).reduce(into: Set<Ability>()) { set, item in
            set.formUnion(item.needs)
            // Of these a case says that it applies to those who declare them.
            set.formUnion(item.applies)
        }
        let rows = try Self.rows()
        for ability in Ability.allCases {
            let row = try #require(rows.first { $0.words.contains(ability.rawValue) }, "\(ability.rawValue) has no row")
            #expect(
                row.text.contains(Self.unneeded) != needed.contains(ability),
                "\(ability.rawValue) is needed by \(needed.contains(ability) ? "cases" : "no case"): \(row.text)")
        }
    }

    @Test func `a step that resumes repeats the request of the earlier step`() async throws {
        try await ExamBench.with { bench in
            let (scenario, item) = try bench.find("range/resume-that-is-cut-again", "resume")
            let run = try await bench.server.run(scenario.id)
            let steps = try run.assignment(for: item).steps
            await run.stop()
            #expect(steps.map(\.resume) == [nil, 0, 1])
            #expect(steps[0].url.hasSuffix("/file") && Set(steps.map(\.url)).count == 1, "\(steps.map(\.url))")
            #expect(Set(steps.map(\.method)) == ["GET"] && Set(steps.map(\.headers)).count == 1)
        }
    }
}
