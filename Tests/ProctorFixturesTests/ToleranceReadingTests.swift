import ProctorDemands
import ProctorDocument
import ProctorHTTP
import ProctorModules
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// The cases that a departure needs.
struct ToleranceReadingTests {
    init() { ServerModules.register() }

    @Test(.wide) func `every departure has a case of the library that is about it`() throws {
        let result = ScenarioLoader.load(paths: ["\(SchemaJudge.repository)/fixtures"])
        #expect(OwnerCheck.diagnostics(of: result.scenarios, isWholeLibrary: true) == [])
        for departure in Departure.allCases {
            let owners = OwnerCheck.owners(of: departure, in: result.scenarios)
            #expect(owners.contains(departure.row.owner), "\(departure)")
        }
    }

    @Test(.wide) func `a departure without its case is refused, and another library needs none`() throws {
        let other = try load("summary: s\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n")
        #expect(OwnerCheck.diagnostics(of: [other], isWholeLibrary: true) == [])
        let result = ScenarioLoader.load(paths: ["\(SchemaJudge.repository)/fixtures"])
        let kept = result.scenarios.filter { $0.id != "auth/digest/quotes-of-old-clients" }
        #expect(OwnerCheck.diagnostics(of: kept, isWholeLibrary: false) == [])
        #expect(
            OwnerCheck.diagnostics(of: kept, isWholeLibrary: true).map(\.sentence) == [
                #"no case is about "digest-quoting": auth/digest/quotes-of-old-clients#exact is to be"#
            ])
    }
}
