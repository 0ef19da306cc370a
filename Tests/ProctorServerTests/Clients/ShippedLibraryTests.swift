import ProctorEvents
import ProctorFixtures
import ProctorModules
import ProctorScenario
import Testing

/// The scenarios of `fixtures/`, read once for all tests.
enum ShippedLibrary {
    static let contents = {
        ServerModules.register()
        return ScenarioLoader.load(paths: ["\(Tools.project)/fixtures"])
    }()
}

@Test func `every shipped scenario loads, and without a message`() {
    let library = ShippedLibrary.contents
    #expect(library.isClean, "\(library.diagnostics.map { "\($0)" }.joined(separator: "\n"))")
    #expect(library.scenarios.count >= 2_200)
}

@Test func `the control of each ability and of each scenario is a case of the library that demands something`() {
    let library = ShippedLibrary.contents.scenarios
    let kinds = Dictionary(
        library.flatMap { scenario in scenario.cases.map { ("\(scenario.id)#\($0.name)", $0.kind) } }
    ) { first, _ in first }
    let named = library.compactMap { scenario in
        scenario.cases.first?.control.map { (place: "\($0.location)", name: $0.name) }
    }
    let ofAbilities = Ability.allCases.compactMap { ability in
        ability.row.control.map { (place: "abilities.tsv: \(ability.rawValue)", name: $0) }
    }
    #expect(ofAbilities.count >= 29 && named.count >= 4)
    for (place, name) in named + ofAbilities {
        let kind = kinds[name]
        #expect(kind == .must || kind == .should, "\(place): \(name) is no must and no should of the library")
    }
}
