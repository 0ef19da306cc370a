import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorRegex

struct RegularExpressionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let pattern: String
        let matching: [String]
        let others: [String]
        var testDescription: String { pattern }
    }

    static let rows: [Row] = [
        Row(pattern: "[0-9]+", matching: ["1", "007"], others: ["", "1a", "a1", "1\n"]),
        Row(pattern: "a|ab", matching: ["a", "ab"], others: ["abc", "b"]),
        Row(pattern: "", matching: [""], others: ["a"]),
        Row(pattern: "^a$", matching: ["a"], others: ["a\n", "aa"]),
        Row(pattern: "(?i)ab", matching: ["AB", "aB"], others: ["a"]),
        // Bytes, of which the letter has two.
        Row(pattern: "..", matching: ["ä", "ab"], others: ["a"]),
        Row(pattern: "(*UTF).", matching: ["ä", "a"], others: ["ab"]),
    ]

    @Test(arguments: rows)
    func `all of the value must match`(_ row: Row) throws {
        let expression = try RegularExpression(row.pattern)
        for text in row.matching { #expect(expression.match(Array(text.utf8).span) == .matched([]), "\(text)") }
        for text in row.others { #expect(expression.match(Array(text.utf8).span) == .unmatched, "\(text)") }
    }

    @Test func `bytes that are no UTF-8 are only looked at when the pattern asks for it`() throws {
        #expect(try RegularExpression(".").match([0xFF].span) == .matched([]))
        #expect(try RegularExpression("(*UTF).").match([0xFF].span) == .unmatched)
    }

    @Test func `named groups have ranges in their order, and those that took no part have none`() throws {
        let expression = try RegularExpression("/(?<kind>[a-z]+)(?:/(?<id>[0-9]+)|(?<rest>x)){1}(-.*)?")
        #expect(expression.groupNames == ["kind", "id", "rest"])
        #expect(expression.match(Array("/item/12-new".utf8).span) == .matched([1..<5, 6..<8, nil]))
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let pattern: String
        let offset: Int
        let sentence: String
        var testDescription: String { String(pattern.prefix(20)) }
    }

    static let faults: [Fault] = [
        Fault(pattern: "a(b", offset: 3, sentence: "missing closing parenthesis"),
        Fault(pattern: "[z-a]", offset: 3, sentence: "range out of order in character class"),
        Fault(pattern: "\\C", offset: 2, sentence: "using \\C is disabled by the application"),
        Fault(
            pattern: String(repeating: "a", count: 4097), offset: 0,
            sentence: "a regular expression has at most 4096 bytes, found 4097"),
    ]

    @Test(arguments: faults)
    func `a pattern that is none is refused at its place`(_ row: Fault) {
        do throws(RegularExpressionFault) {
            _ = try RegularExpression(row.pattern)
            Issue.record("no fault")
        } catch {
            #expect(error.offset == row.offset)
            #expect(error.sentence == row.sentence)
        }
    }

    struct Bomb: Sendable, CustomTestStringConvertible {
        let pattern: String
        let value: String
        let bound: String
        var testDescription: String { pattern }
    }

    static let bombs: [Bomb] = [
        Bomb(pattern: "(a+)+", value: String(repeating: "a", count: 40) + "!", bound: "500000 steps"),
        Bomb(
            pattern: "(?:a|b)*", value: String(repeating: "a", count: 1_000_000),
            bound: "50000 decisions that wait to be taken back"),
        Bomb(pattern: "(.*)(.*)(.*)x\\1", value: String(repeating: "a", count: 5000), bound: "500000 steps"),
        Bomb(
            pattern: ".*", value: String(repeating: "a", count: RegularExpression.valueByteCount + 1),
            bound: "a value of 4194304 bytes"),
    ]

    @Test(arguments: bombs)
    func `a match that would take long is given up, with the bound`(_ row: Bomb) throws {
        #expect(try RegularExpression(row.pattern).match(Array(row.value.utf8).span) == .gaveUp(row.bound))
    }

    @Test(arguments: bombs.dropLast())
    func `a search within a large budget comes to the same`(_ row: Bomb) throws {
        let budget = WorkBudget()
        #expect(
            try RegularExpression(row.pattern).match(Array(row.value.utf8).span, within: budget) == .gaveUp(row.bound))
        #expect(budget.stepCount > 0)
    }

    @Test(arguments: rows)
    func `a value that matches does so within a budget, also where each item is counted`(_ row: Row) throws {
        let expression = try RegularExpression(row.pattern)
        for text in row.matching {
            #expect(expression.match(Array(text.utf8).span, within: WorkBudget()) == .matched([]), "\(text)")
        }
        for text in row.others {
            #expect(expression.match(Array(text.utf8).span, within: WorkBudget()) == .unmatched, "\(text)")
        }
        // A verb stands at the start of a pattern alone.
        guard !row.pattern.hasPrefix("(*"), !row.pattern.hasPrefix("^") else { return }
        // Longer than what is searched without a count.
        let long = try RegularExpression("(?:\(row.pattern))(?<rest>!{300})")
        for text in row.matching {
            let value = Array(text.utf8) + [UInt8](repeating: UInt8(ascii: "!"), count: 300)
            #expect(
                long.match(value.span, within: WorkBudget()) == .matched([text.utf8.count..<value.count]), "\(text)")
        }
    }

    static let counted: [Bomb] = [
        Bomb(pattern: "(a+)+b", value: String(repeating: "a", count: 6_000), bound: ""),
        Bomb(pattern: "(?:a*+b|a)*", value: String(repeating: "a", count: 300_000), bound: ""),
        Bomb(pattern: "(a*)(?:\\1b|a)*", value: String(repeating: "a", count: 100_000) + "!", bound: ""),
        // PCRE2 finds no match at once where a short value lacks a byte that every match has; here none is the only one.
        Bomb(pattern: "(a+)+[bc]", value: String(repeating: "a", count: 200), bound: ""),
    ]

    @Test(arguments: counted)
    func `a search ends where its budget is spent, whatever one step reads`(_ row: Bomb) throws {
        let budget = WorkBudget(stepLimit: 20_000)
        #expect(
            try RegularExpression(row.pattern).match(Array(row.value.utf8).span, within: budget)
                == .gaveUp("it takes more than 20000 steps, which is the bound"))
        #expect(budget.stepCount <= 20_000 + row.value.utf8.count)
    }

    struct Reach: Sendable, CustomTestStringConvertible {
        let pattern: String
        let value: String
        let count: Int?
        var testDescription: String { "\(pattern) in \(value)" }
    }

    static let reaches: [Reach] = [
        Reach(pattern: "[0-9]+", value: "12a", count: 2),
        Reach(pattern: "a|abc", value: "abx", count: 2),
        Reach(pattern: "ab", value: "abc", count: 2),
        Reach(pattern: "abc", value: "ab", count: 2),
        Reach(pattern: "a", value: "b", count: 0),
        Reach(pattern: "a(?=b).*c", value: "abd", count: 3),
        Reach(pattern: "(?x)a # no end", value: "b", count: nil),
        Reach(pattern: "a", value: String(repeating: "b", count: 70_000), count: nil),
    ]

    @Test(arguments: reaches)
    func `how far a value could still match is found for explanations`(_ row: Reach) throws {
        #expect(try RegularExpression(row.pattern).reach(in: Array(row.value.utf8)) == row.count)
    }

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
