import ProctorBase
import Testing

struct TextSearchTests {
    struct Row: CustomTestStringConvertible {
        let text: String
        let part: String
        /// The byte at which the part first stands; nil: nowhere.
        let offset: Int?

        var testDescription: String { "\(part.debugDescription) in \(text.debugDescription)" }
    }

    @Test(arguments: [
        Row(text: "a://b", part: "://", offset: 1),
        Row(text: "aab", part: "ab", offset: 1),
        Row(text: "ababac", part: "abac", offset: 2),
        Row(text: "ab", part: "ab", offset: 0),
        Row(text: "a", part: "ab", offset: nil),
        Row(text: "", part: "a", offset: nil),
        Row(text: "naïve", part: "ve", offset: 4),
        // Text is found by bytes, so also within a line end of CR and LF.
        Row(text: "a\r\nb", part: "\nb", offset: 2),
    ])
    func `a part is found where its bytes first stand`(row: Row) {
        let found = row.text.firstRange(ofText: row.part)
        let offset = found.map { row.text.utf8.distance(from: row.text.startIndex, to: $0.lowerBound) }
        #expect(offset == row.offset)
        #expect(found.map { row.text.utf8[$0].elementsEqual(row.part.utf8) } ?? true)
        #expect(row.text.contains(text: row.part) == (row.offset != nil))
        #expect(Array(row.text.utf8).firstRange(ofBytes: Array(row.part.utf8))?.lowerBound == row.offset)
    }

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

    @Test func `an empty part stands in every text, at no place`() {
        #expect("a".contains(text: ""))
        #expect("".contains(text: ""))
        #expect("a".firstRange(ofText: "") == nil)
        #expect("a".replacing(text: "", with: "b") == "a")
    }

    @Test func `parts are replaced from the start on, and not in what replaced them`() {
        #expect("aaa".replacing(text: "aa", with: "a") == "aa")
        #expect("it's".replacing(text: "'", with: "'\\''") == "it'\\''s")
        #expect("{{a}}{{b}}".replacing(text: "{{a}}", with: "{{b}}").replacing(text: "{{b}}", with: "c") == "cc")
        #expect("abc".replacing(text: "x", with: "y") == "abc")
    }
}
