import ProctorBase
import Testing

struct TextSearchTests {
    @Test func `a part that begins like itself is found wherever it stands, and only there`() throws {
        for (partCount, count) in [(1, 6), (2, 7), (3, 8), (5, 9)] {
            for part in Self.words(of: partCount) {
                for text in Self.words(of: count) {
                    let isIn = try text.contains(bytes: part, within: nil)
                    #expect(isIn == (text.firstRange(ofBytes: part) != nil), "\(part) in \(text)")
                }
            }
        }
        #expect(try [1].contains(bytes: [], within: nil))
        #expect(try ![UInt8]().contains(bytes: [1], within: nil))
    }

    /// All words of two letters.
    private static func words(of count: Int) -> [[UInt8]] {
        (0..<(1 << count)).map { word in (0..<count).map { UInt8(word >> $0 & 1) } }
    }

    @Test func `a search costs as many steps as there are bytes, and ends with its budget`() throws {
        for factor in [1, 2, 4] {
            let budget = WorkBudget()
            let text = [UInt8](repeating: 1, count: factor << 16)
            let part = [UInt8](repeating: 1, count: 8_192 * factor) + [2]
            #expect(try !text.contains(bytes: part, within: budget))
            #expect(budget.stepCount == factor * 4_608)
        }
        let text = [UInt8](repeating: 1, count: 1 << 20)
        #expect(throws: SpentBudget.steps(limit: 1_000)) {
            try text.contains(bytes: [2], within: WorkBudget(stepLimit: 1_000))
        }
    }
}
