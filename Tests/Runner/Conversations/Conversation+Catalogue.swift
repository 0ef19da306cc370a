import ProctorScenario
import ProctorServer

extension Conversation {
    /// A block `later id NAME`: a scenario that is served once a block `catalogue` names it.
    mutating func later(_ block: Block) throws {
        let scenario = try ConversationSetting.scenario(block, folder: nil)
        laterScenarios[scenario.id] = scenario
    }

    /// A block `catalogue`: the ids of what is served from now on; with `read` what is not read yet is read.
    func catalogue(_ block: Block) async throws {
        if block.has("read") { return await server.catalogue.readBehind() }
        let former = server.catalogue
        var scenarios: [Scenario] = []
        for (index, id) in block.lines.enumerated() {
            guard let scenario = laterScenarios[id] ?? former.scenario(id) else {
                throw RowError(block.line + index + 1, "there is no block \"later id \(id)\", and it is not served yet")
            }
            scenarios.append(scenario)
        }
        await server.replaceCatalogue(Catalogue(scenarios))
    }
}
