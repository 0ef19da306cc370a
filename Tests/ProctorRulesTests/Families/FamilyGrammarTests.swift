import Testing

@testable import ProctorEvents
@testable import ProctorNotation
@testable import ProctorRules

/// The grammar of each family on traces that its clients may and may not show.
struct FamilyGrammarTests {
    @Test(arguments: CallbackFamily.allCases) func `every family has a grammar`(family: CallbackFamily) throws {
        let grammar = try #require(family.grammar)
        #expect(grammar.notation.lane == (family == .urlProtocol ? .protocolClient : family == .proto ? .proto : .task))
    }

    @Test func `each family names the events that end its lanes`() {
        let terminals = { (family: CallbackFamily) in family.grammar?.terminals ?? [] }
        #expect(terminals(.sessionData) == ["becameDownload", "becameStream", "complete"])
        #expect(terminals(.sessionDownload) == ["complete"])
        #expect(terminals(.connectionDownload) == ["fileReady", "complete"])
        #expect(terminals(.stream) == ["streamsCaptured", "complete"])
        #expect(terminals(.proto).contains("p.deinit"))
    }
}
