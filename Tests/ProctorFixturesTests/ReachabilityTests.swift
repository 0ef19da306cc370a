import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct ReachabilityTests {
    @Test(.limit(minutes: 1)) func `expressions against many long targets are compared within a budget`() throws {
        let long = String(repeating: "a", count: 1_000)
        let exchanges = (0..<500).map { number in
            """
              - { request: { method: GET, path: { matches: "/(a+)+b\(number)" } }, reply: { status: 200 } }
              - { request: GET /\(long)\(number), reply: { status: 200 } }
            """
        }
        // What is hidden stands behind the bound, so nothing is said.
        let last = "  - { request: GET /\(long)0, reply: { status: 200 } }"
        #expect(
            messages("summary: many\nexchanges:\n" + exchanges.dropLast().joined(separator: "\n") + "\n" + last).isEmpty
        )
    }

    @Test func `a pattern that covers another matches everything the other does`() {
        let parts: [BytePattern.Part] = [.literal([0x61]), .literal([0x2F]), .capture("x"), .wildcard]
        var patterns: [[BytePattern.Part]] = [[]]
        for length in 1...3 {
            patterns += patterns.filter { $0.count == length - 1 }.flatMap { pattern in parts.map { pattern + [$0] } }
        }
        var texts: [[UInt8]] = [[]]
        for length in 1...4 {
            texts += texts.filter { $0.count == length - 1 }.flatMap { text in [0x61, 0x62, 0x2F].map { text + [$0] } }
        }
        let matches = patterns.map { parts in texts.map { BytePattern(parts: parts).matches($0) } }
        var coveredCount = 0
        for (wide, wideMatches) in zip(patterns, matches) {
            for (narrow, narrowMatches) in zip(patterns, matches) {
                guard BytePattern(parts: wide).covers(BytePattern(parts: narrow)) else { continue }
                coveredCount += 1
                #expect(zip(wideMatches, narrowMatches).allSatisfy { $0 || !$1 }, "\(wide) over \(narrow)")
            }
        }
        #expect(coveredCount > patterns.count)
    }
}
