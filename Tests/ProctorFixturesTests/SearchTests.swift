import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Scenarios by words, and families by sentences.
struct SearchTests {
    private static func scenario(_ id: String, _ summary: String, status: Int = 200) throws -> Scenario {
        let text = "summary: \(summary)\nexchanges: [ { request: GET /, reply: { status: \(status) } } ]\n"
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: id, file: "\(id).yaml")
        #expect(diagnostics.isEmpty)
        return try #require(scenario)
    }

    private static func found(_ text: String) throws -> [String] {
        let search = ScenarioSearch([
            try scenario("a/limit", "Says when to come again", status: 429),
            try scenario("b/other", "Tells of a limit"),
            try scenario("time/stall", "Nothing comes"), try scenario("z/plain", "A page"),
        ])
        return search.find(ScenarioSearch.Question(text)).map(\.id)
    }

    @Test(arguments: [
        ("limit", ["a/limit", "b/other"]), ("LIMIT tells", ["b/other"]), ("429", ["a/limit"]),
        ("rate limit", ["a/limit"]),
        ("timeout", ["time/stall"]), ("time out", ["time/stall"]), ("nowhere", []), ("page limit", []),
        ("  ", ["a/limit", "b/other", "time/stall", "z/plain"]),
        ("imit", []), ("my limit?", ["a/limit", "b/other"]), ("the", []),
    ])
    func `every word must occur, or another for the same, and ids come first`(_ row: (text: String, ids: [String]))
        throws
    {
        #expect(try Self.found(row.text) == row.ids)
    }

    @Test func `words of a search are bounded, and phrases are one`() {
        let many = ScenarioSearch.Question(String(repeating: "a ", count: 100))
        #expect(many.terms.count == ScenarioSearch.Question.wordLimit)
        #expect(SearchTerm.terms(of: "Rate Limit x").map(\.word) == ["rate limit", "x"])
        #expect(SearchTerm.terms(of: "why is my Cookie not sent?").map(\.word) == ["cookie not sent"])
        #expect(SearchTerm.terms(of: "my").map(\.word) == ["my"])
        #expect(!SearchTerm.synonyms.contains { $0.value.isEmpty || $0.key != $0.key.lowercased() })
    }

    @Test func `every family that is shipped has a sentence that fits a line`() {
        let ids = ScenarioLoader.ids(in: ["\(SchemaJudge.repository)/fixtures"])
        let families = Set(ids.map { String($0.prefix { $0 != "/" }) })
        #expect(families == Set(FamilySummary.sentences.keys))
        for (name, sentence) in FamilySummary.sentences { #expect(sentence.count <= 60, "\(name)") }
    }
}
