import Foundation
import ProctorHTTP
import ProctorReferenceAdapter
import Testing

@testable import ProctorRules

/// Docs/inside/broken.md has the table of the variants as the code has them.
struct BrokenRulePageTests {
    @Test func `the page has every variant, and nothing else in its table`() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../Docs/inside/broken.md").standardized
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "| rule | as | what the client does | shows in |"))
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        let wanted = Breakage.rules.map { variant in
            "| \(variant.label) | \(variant.shape.rawValue) | \(variant.name) |"
        }
        // The case that shows it is measured: Docs/inside/breakages.md has it too.
        #expect(rows.map { $0.prefix(upTo: $0.dropLast().lastIndex(of: "|") ?? $0.endIndex) + "|" } == wanted)
    }

    @Test func `the page says which rules have no variant`() throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../Docs/inside/broken.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = try #require(text.range(of: "rules have no variant."))
        for number in BrokenRuleTests.exceptions.keys {
            #expect(text[section.upperBound...].contains("R\(number)"), "R\(number)")
        }
    }

    @Test func `the pages have every mistake of the wire, and what a guard calls it`() throws {
        let rows = try ["broken", "broken-limits"].flatMap { name in
            let page = URL(filePath: #filePath).appending(path: "../../../../Docs/inside/\(name).md").standardized
            let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
            let start = try #require(lines.firstIndex(of: "| word | what the client does | what a guard calls it |"))
            return lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        }
        let wanted = Breakage.wire.map { variant in
            let fault = variant.fault.map { "`\($0.rawValue)`" } ?? "–"
            return "| `\(variant.label)` | \(variant.name) | \(fault) |"
        }
        #expect(rows == wanted)
    }

    @Test(arguments: [("http2", Breakage.http2), ("http3", Breakage.http3)])
    func `a page has every mistake over HTTP/2 and HTTP/3`(name: String, breakages: [Breakage]) throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../Docs/inside/broken-\(name).md").standardized
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "| label | what the client does |"))
        let rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }
        #expect(Array(rows) == breakages.map { "| `\($0.label)` | \($0.name) |" })
    }
}
