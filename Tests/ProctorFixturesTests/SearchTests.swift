import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Scenarios by words, and families by sentences.
struct SearchTests {
    @Test func `words of a search have others for the same in lower case`() {
        #expect(!SearchTerm.synonyms.contains { $0.value.isEmpty || $0.key != $0.key.lowercased() })
    }

    @Test func `every family that is shipped has a sentence that fits a line`() {
        let ids = ScenarioLoader.ids(in: ["\(SchemaJudge.repository)/fixtures"])
        let families = Set(ids.map { String($0.prefix { $0 != "/" }) })
        #expect(families == Set(FamilySummary.sentences.keys))
        for (name, sentence) in FamilySummary.sentences { #expect(sentence.count <= 60, "\(name)") }
    }
}
