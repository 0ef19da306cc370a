import ProctorTestSupport
import Testing

@testable import ProctorBase

struct JSONDocumentTests {
    // MARK: Numbers

    static let equal: [(String, String)] = [
        ("1", "1.0"), ("1", "1e0"), ("10", "1E+1"), ("0.1", "1e-1"), ("100", "1e2"), ("0", "-0.0"),
        ("0", "0e999999999"),
        ("12345678901234567890123", "12345678901234567890123.000"), ("1e-000000000001", "0.1"),
    ]

    @Test(arguments: equal)
    func `numbers of the same value are equal`(_ pair: (String, String)) throws {
        #expect(try #require(JSONDecimal(pair.0.utf8)) == (try #require(JSONDecimal(pair.1.utf8))))
    }

    static let different: [(String, String)] = [
        ("1", "-1"), ("1", "10"), ("9007199254740993", "9007199254740992"), ("0.1", "0.10000000000000001"),
        ("1e999999999", "1e999999998"), ("12345678901234567890", "12345678901234567891"), ("0", "1e-999999999"),
    ]

    @Test(arguments: different)
    func `numbers of other values are not`(_ pair: (String, String)) throws {
        #expect(try #require(JSONDecimal(pair.0.utf8)) != (try #require(JSONDecimal(pair.1.utf8))))
    }

    @Test(arguments: ["", "-", "01", "1.", ".5", "1e", "1e+", "+1", "0x1", "1 ", "1e1234567890", "NaN", "--1"])
    func `other text is no number`(_ text: String) { #expect(JSONDecimal(text.utf8) == nil) }

    // MARK: Values

    @Test func `values stand before those inside them`() throws {
        let document = try JSONDocument(
            parsing: Array(" {\"a\": [1, {\"b\": null}],\n\t\"c\": \"\\u00e4\\ud83d\\ude00\"}\r\n".utf8))
        #expect(
            document.values.map(\.kind) == [
                .object, .list, .number(try #require(JSONDecimal("1".utf8))), .object, .null, .text(Array("ä😀".utf8)),
            ])
        #expect(document.values.map(\.end) == [6, 5, 3, 5, 5, 6])
        #expect(Array(document.children(of: 0)) == [1, 5])
        #expect(document.index(at: try JSONPointer("/a/1/b")) == 4)
        #expect(document.index(at: try JSONPointer("/a/2")) == nil)
        #expect(document.index(at: try JSONPointer("/a/b")) == nil)
        #expect(document.excerpt(1, limit: 8) == "[1, {\"b\"…")
    }

    @Test func `of members with one name the last counts`() throws {
        let document = try JSONDocument(parsing: Array(#"{"a":{"a":1},"b":2,"a":3}"#.utf8))
        #expect(Array(document.children(of: 0)) == [3, 4])
        #expect(document.index(at: try JSONPointer("/a")) == 4)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let text: String
        let offset: Int
        let sentence: String
        var testDescription: String { String(text.prefix(20)) }
    }

    static let faults: [Fault] = [
        Fault(text: "", offset: 0, sentence: "the line ends where a value is expected"),
        Fault(text: "{} x", offset: 3, sentence: "expected the end of the JSON, not 'x'"),
        Fault(text: "[1,]", offset: 3, sentence: "expected a value, not ']'"),
        Fault(text: "[1 2]", offset: 3, sentence: "expected ',' or ']', not '2'"),
        Fault(text: #"{"a":1,}"#, offset: 7, sentence: "expected a key in double quotes, not '}'"),
        Fault(text: #"{"a" 1}"#, offset: 5, sentence: "expected ':' behind a key, not '1'"),
        Fault(text: #"{"a":1"#, offset: 6, sentence: "the line ends where ',' or '}' is expected"),
        Fault(text: "[1}", offset: 2, sentence: "expected ',' or ']', not '}'"),
        Fault(text: "1e1234567890", offset: 0, sentence: "an exponent has at most 9 digits"),
        Fault(
            text: String(repeating: "[", count: 101), offset: 100,
            sentence: "objects and lists go no more than 100 levels deep"),
        Fault(
            text: "[" + String(repeating: "0,", count: 100_000), offset: 199_999,
            sentence: "there are more than 100000 values"),
    ]

    @Test(arguments: faults)
    func `what is no JSON is refused at its place`(_ row: Fault) {
        do throws(LineFault) {
            _ = try JSONDocument(parsing: Array(row.text.utf8))
            Issue.record("no fault")
        } catch {
            #expect(error.offset == row.offset)
            #expect(error.sentence == row.sentence)
        }
    }

    @Test func `bytes that are no UTF-8 are no JSON`() {
        #expect(throws: LineFault.self) { try JSONDocument(parsing: [0x22, 0xFF, 0x22]) }
    }

    @Test func `every beginning of a document is refused, and nothing traps`() throws {
        let text = Array(#"{"a":[1.5e3,true,false,null,"x\u0041\n"],"b":{}}"#.utf8)
        _ = try JSONDocument(parsing: text)
        for count in text.indices {
            #expect(throws: LineFault.self) { try JSONDocument(parsing: Array(text.prefix(count))) }
        }
    }

    // MARK: Pairs

    /// Against all assignments, which are few.
    @Test func `members of both sides get partners whenever they can`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let (rows, columns) = (Int.random(in: 0...4, using: &generator), Int.random(in: 0...4, using: &generator))
            let fits = (0..<rows).map { _ in (0..<columns).map { _ in Int.random(in: 0...2, using: &generator) == 0 } }
            var pairing = Pairing(fits: fits, secondCount: columns)
            let isAll = fits.indices.allSatisfy { pairing.pair(first: $0) }
            #expect(isAll == Self.hasAssignment(fits, 0, []))
            for (first, second) in pairing.secondOfFirst.enumerated() {
                guard let second else { continue }
                #expect(fits[first][second] && pairing.firstOfSecond[second] == first)
            }
        }
    }

    private static func hasAssignment(_ fits: [[Bool]], _ row: Int, _ used: Set<Int>) -> Bool {
        guard row < fits.count else { return true }
        return fits[row].indices.contains { column in
            fits[row][column] && !used.contains(column) && hasAssignment(fits, row + 1, used.union([column]))
        }
    }
}
