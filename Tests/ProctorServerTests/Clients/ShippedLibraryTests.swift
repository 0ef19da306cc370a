import ProctorFixtures
import ProctorModules
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
