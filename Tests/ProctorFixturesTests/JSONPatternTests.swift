import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// JSON that a fixture wants, compared with JSON that comes.
struct JSONPatternTests {
    @Test func `a comparison that takes too long is undecided, and its contrary too`() throws {
        // Each contains looks for the next at every depth.
        var wanted = "no"
        for _ in 0..<12 { wanted = "{ contains: \(wanted) }" }
        var json = "0"
        for _ in 0..<90 { json = "[\(json)]" }
        let document = try JSONDocument(parsing: json.bytes)
        for (text, isNot) in [(wanted, false), ("{ not: \(wanted) }", true)] {
            var matcher = JSONMatcher(document)
            #expect(matcher.verdict(try pattern(text)) == .undecided, "\(isNot)")
            #expect(
                matcher.difference(try pattern(text))?.got
                    == "no answer, since the search ends after 5000000 comparisons")
        }
    }

    @Test func `an expression that reaches its bound decides nothing`() throws {
        let text = "\"" + String(repeating: "a", count: 40) + "!\""
        for (wanted, verdict) in [
            ("{ matches: '(a+)+' }", Verdict.undecided), ("{ not: { matches: '(a+)+' } }", .undecided),
            ("{ any of: [{ matches: '(a+)+' }, any string] }", .holds),
        ] {
            var matcher = JSONMatcher(try JSONDocument(parsing: text.bytes))
            #expect(matcher.verdict(try pattern(wanted)) == verdict, "\(wanted)")
        }
    }

    private func pattern(_ wanted: String) throws -> JSONPattern {
        let scenario = try load(
            """
            summary: s
            exchanges:
              - request: { method: POST, path: /, json: \(wanted) }
                reply: { status: 200 }
            """)
        guard case .json(let pattern)? = scenario.exchanges.first?.request.body else { throw NoPattern() }
        return pattern
    }

    private struct NoPattern: Error {}
}
