import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// JSON that a fixture wants, compared with JSON that comes.
struct JSONPatternTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The value of `json:` as a fixture has it.
        let wanted: String
        let matching: [String]
        /// With the sentence about the first difference.
        let others: [(json: String, difference: String)]
        var testDescription: String { wanted }

        init(_ wanted: String, _ matching: [String], _ others: [(String, String)] = []) {
            self.wanted = wanted
            self.matching = matching
            self.others = others.map { (json: $0.0, difference: $0.1) }
        }
    }

    static let equal: [Row] = [
        Row(
            "1", ["1", "1.0", " 1e0 ", "10E-1"],
            [("2", "json: wanted 1, got 2"), ("\"1\"", "json: wanted 1, got \"1\"")]),
        Row("'1'", ["\"1\"", #""\u0031""#], [("1", "json: wanted \"1\", got 1")]),
        Row("0.1", ["0.1", "1e-1"], [("0.10000000000000001", "json: wanted 0.1, got 0.10000000000000001")]),
        Row("true", ["true"], [("\"true\"", "json: wanted true, got \"true\"")]),
        Row("null", ["null"], [("{}", "json: wanted null, got {}")]),
        Row("yes", ["\"yes\""], [("true", "json: wanted \"yes\", got true")]),
        Row("0x10", ["\"0x10\""]),
        Row(
            "{ a: 1, b: [x, 2] }", [#"{"b":["x",2.0],"a":1}"#, #"{"a":0,"a":1,"b":["x",2]}"#],
            [
                (#"{"a":1,"b":["x",3]}"#, "json /b/1: wanted 2, got 3"),
                (#"{"a":1,"b":["x"]}"#, "json /b/1: wanted 2, got nothing"),
                (#"{"a":1,"b":["x",2,9]}"#, "json /b/2: wanted nothing, got 9"),
                (#"{"a":1}"#, #"json /b: wanted ["x", 2], got nothing"#),
                (#"{"a":1,"b":["x",2],"c/d~":0}"#, "json /c~1d~0: wanted nothing, got 0"),
                ("[]", #"json: wanted { "a": 1, "b": ["x", 2] }, got []"#),
            ]),
        Row("{}", ["{}"], [(#"{"a":1}"#, "json /a: wanted nothing, got 1")]),
        Row("[]", ["[]"], [("[1]", "json /0: wanted nothing, got 1")]),
        Row("{ equals: { at: 3 } }", [#"{"at":3}"#], [("3", #"json: wanted { "at": 3 }, got 3"#)]),
        Row("{ equals: { contains: { equals: { equals: 1 } } } }", [#"{"contains":{"equals":1}}"#]),
    ]

    static let types: [Row] = [
        Row("any number", ["1", "1e9"], [("\"1\"", "json: wanted any number, got \"1\"")]),
        Row("'any number'", ["\"any number\""]),
        Row("any string", ["\"\""], [("1", "json: wanted any string, got 1")]),
        Row("any boolean", ["false"], [("null", "json: wanted any boolean, got null")]),
        Row("any array", ["[1]"], [("{}", "json: wanted any array, got {}")]),
        Row("any object", ["{}"], [("[]", "json: wanted any object, got []")]),
        Row("[any value, any value]", ["[null, {}]"], [("[1]", "json /1: wanted any value, got nothing")]),
    ]

    static let words: [Row] = [
        Row(
            "{ id: { matches: '[0-9]+' } }", [#"{"id":"12"}"#],
            [
                (#"{"id":"1a"}"#, #"json /id: wanted { matches: "[0-9]+" }, got "1a""#),
                (#"{"id":12}"#, #"json /id: wanted { matches: "[0-9]+" }, got 12"#),
            ]),
        Row("{ a: { not: null } }", [#"{"a":1}"#], [(#"{"a":null}"#, "json /a: wanted { not: null }, got null")]),
        Row(
            "{ a: { any of: [1, any string] } }", [#"{"a":1}"#, #"{"a":"x"}"#],
            [(#"{"a":2}"#, "json /a: wanted { any of: [1, any string] }, got 2")]),
        Row(
            "{ unordered: [1, 2, any number] }", ["[2,3,1]", "[1,1,2]"],
            [
                ("[1,2]", "json: wanted the element any number, in any order, got [1,2]"),
                ("[1,2,3,4]", "json /3: wanted nothing, got 4"),
                ("[3,4,5]", "json: wanted the element 1, in any order, got [3,4,5]"),
            ]),
        Row(
            "{ at: { /a/0: 1, /b: { not: any value } } }", [#"{"a":[1],"c":2}"#],
            [
                (#"{"a":[2]}"#, "json /a/0: wanted 1, got 2"), (#"{"a":1}"#, "json /a/0: wanted 1, got nothing"),
                (#"{"a":[1],"b":2}"#, "json /b: wanted { not: any value }, got 2"),
            ]),
        Row("{ at: { '': { a: 1 } } }", [#"{"a":1}"#], [(#"{"a":2}"#, "json /a: wanted 1, got 2")]),
        Row("{ at: { /list: { contains: 3 } } }", [#"{"list":[1,{"x":3}]}"#]),
    ]

    static let parts: [Row] = [
        Row(
            "{ contains: { id: 7 } }", [#"{"id":7,"x":1}"#, #"{"items":[{"id":6},{"id":7.0,"a":0}]}"#],
            [
                (
                    #"{"items":[{"id":6}]}"#,
                    #"json: wanted { contains: { "id": 7 } }, got none; nearest at /items/0, where /items/0/id wants 7 and is 6"#
                ), (#"[1]"#, #"json: wanted { contains: { "id": 7 } }, got [1]"#),
            ]),
        Row("{ contains: { a: { b: 1 } } }", [#"{"a":{"b":1,"c":2},"d":3}"#]),
        Row(
            "{ contains: [1, 3] }", ["[1,2,3]", #"{"x":[0,1,3]}"#],
            [
                (
                    "[3,1]",
                    "json: wanted { contains: [1, 3] }, got none; nearest at the top, where the top wants the element 3 behind 1 other and is [3,1]"
                )
            ]),
        Row("{ contains: { unordered: [3, 1] } }", ["[1,2,3]", "[3,1]"], []),
        Row("{ contains: { a: 1, b: { not: any value } } }", [#"[{"a":1,"b":2},{"a":1}]"#]),
        Row("{ contains: x }", [#"["a",{"k":"x"}]"#], [(#"{"x":1}"#, #"json: wanted { contains: "x" }, got {"x":1}"#)]),
        // The value that a later member hides is not there.
        Row(
            "{ contains: 1 }", [#"{"a":1}"#], [(#"{"a":1,"a":2}"#, #"json: wanted { contains: 1 }, got {"a":1,"a":2}"#)]
        ),
    ]

    @Test(arguments: equal + types + words + parts)
    func `JSON is compared as JSON, and the first difference is shown`(_ row: Row) throws {
        let pattern = try pattern(row.wanted)
        for text in row.matching {
            var matcher = JSONMatcher(try JSONDocument(parsing: text.bytes))
            #expect(matcher.verdict(pattern) == .holds, "\(text)")
            #expect(matcher.difference(pattern) == nil, "\(text)")
        }
        for other in row.others {
            var matcher = JSONMatcher(try JSONDocument(parsing: other.json.bytes))
            #expect(matcher.verdict(pattern) == .fails, "\(other.json)")
            #expect(matcher.difference(pattern)?.sentence == other.difference)
        }
    }

    @Test(arguments: (equal + types + words).filter { !$0.matching.isEmpty })
    func `a value that a pattern makes matches it`(_ row: Row) throws {
        let pattern = try pattern(row.wanted)
        guard let json = pattern.json else { return }
        var matcher = JSONMatcher(try JSONDocument(parsing: json.bytes))
        #expect(matcher.verdict(pattern) == .holds, "\(json)")
    }

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
