import Foundation
import ProctorTrace
import Testing

@testable import ProctorGrading

/// The ledger that Docs/adapters.md shows.
struct LedgerDocTests {
    @Test func `the ledger of a client that is never asked can be read`() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("Docs/adapters.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```yaml\nclient:"))
        let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        let ledger = try LedgerTests.ledger("client:" + page[start.upperBound..<end.lowerBound])
        #expect(ledger.never.map(\.rule) == [RuleNumber(18), RuleNumber(18)])
    }
}
