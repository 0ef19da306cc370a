import ProctorRegex
import Testing

/// Tests/Data/readers/text has what expressions match.
struct RegularExpressionThreadTests {
    @Test func `many threads match with one expression`() async throws {
        let expression = try RegularExpression("(?<a>x+)y")
        await withTaskGroup(of: Bool.self) { group in
            for count in 1...32 {
                group.addTask {
                    let value = Array(String(repeating: "x", count: count).utf8) + [UInt8(ascii: "y")]
                    return (0..<200).allSatisfy { _ in expression.match(value.span) == .matched([0..<count]) }
                }
            }
            for await isSame in group { #expect(isSame) }
        }
    }
}
