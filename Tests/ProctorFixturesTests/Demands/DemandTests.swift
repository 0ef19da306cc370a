import ProctorDemands
import ProctorDocument
import ProctorModules
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What musts rest on: the catalogue of a library, and how its cases are held to it.
struct DemandTests {
    init() { ServerModules.register() }

    @Test(.wide) func `every must of the library names who must do what`() {
        let result = ScenarioLoader.load(paths: ["\(SchemaJudge.repository)/fixtures"])
        #expect(result.diagnostics == [])
        #expect(DemandCatalogues.diagnostics(of: result.scenarios).map(\.description) == [])
    }

    @Test func `every demand of the library is one sentence of its own`() throws {
        let read = DemandCatalogue.load(folder: "\(SchemaJudge.repository)/fixtures/_demands")
        #expect(read.diagnostics == [] && read.catalogue.demands.count > 400)
        for demand in read.catalogue.demands {
            #expect(!demand.text.hasSuffix(".") && demand.text.count <= 200, "\(demand.id)")
        }
        #expect(Set(read.catalogue.demands.map { "\($0.section) \($0.text)" }).count == read.catalogue.demands.count)
    }
}
