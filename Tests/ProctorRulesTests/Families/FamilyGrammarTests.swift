import Testing

@testable import ProctorEvents
@testable import ProctorNotation
@testable import ProctorRules

/// The grammar of each family on traces that its clients may and may not show.
struct FamilyGrammarTests {
    @Test(arguments: CallbackFamily.allCases) func `every family has a grammar`(family: CallbackFamily) throws {
        let grammar = try #require(family.grammar)
        #expect(grammar.notation.warnings.isEmpty)
        #expect(grammar.notation.lane == family.ownLane)
    }

    @Test func `each family names the events that end its lanes`() {
        let terminals = { (family: CallbackFamily) in family.grammar?.terminals ?? [] }
        #expect(terminals(.sessionData) == ["becameDownload", "becameStream", "complete"])
        #expect(terminals(.sessionDownload) == ["complete"])
        #expect(terminals(.connectionDownload) == ["fileReady", "complete"])
        #expect(terminals(.stream) == ["streamsCaptured", "complete"])
        #expect(terminals(.proto).contains("p.deinit"))
    }

    @Test(arguments: FamilyGrammarRows.legal) func `a grammar takes every legal order`(_ row: FamilyGrammarRow) throws {
        let diagnosis = try row.diagnosis()
        #expect(diagnosis == nil, "\(diagnosis?.sentence ?? "")")
    }

    @Test(arguments: FamilyGrammarRows.illegal) func `a grammar refuses what no client may show`(
        _ row: FamilyGrammarRow
    ) throws {
        #expect(try row.diagnosis() != nil)
    }

    @Test func `no row stands twice`() {
        let keys = (FamilyGrammarRows.legal + FamilyGrammarRows.illegal).map(\.testDescription)
        #expect(Set(keys).count == keys.count)
        #expect(keys.count >= 100)
    }
}

/// A family and a lane of it, as `symbols` reads it.
struct FamilyGrammarRow: Sendable, CustomTestStringConvertible {
    let family: CallbackFamily
    let events: String

    var testDescription: String { "\(family) \(events)" }

    func diagnosis() throws -> NotationDiagnosis? {
        let grammar = try #require(family.grammar)
        return grammar.notation.diagnosis(of: symbols(events), ambient: grammar.ambient, terminals: grammar.terminals)
    }
}
