import ProctorModules
import Testing

@testable import ProctorScenario

/// Facts of modules above the core in the pattern of their names, which the schema of fixtures has.
struct HTTP2FactTests {
    private static let names: [String] = {
        ServerModules.register()
        let groups = FactGroup.all.flatMap { group in
            group.namesOfEach.map { "\(group.name)[12].\($0)" } + group.namesOfRun.map { "\(group.name).\($0)" }
        }
        return ["wire[0].stream", "wire[0].reused", "wire[0].coalesced", "connection[0].protocol"]
            + ["connection[0].streams"] + groups
    }()

    @Test func `every group has facts`() {
        ServerModules.register()
        #expect(FactGroup.all.allSatisfy { !$0.namesOfEach.isEmpty })
    }

    @Test(arguments: names) func `the pattern of the schema has the name of every fact`(name: String) throws {
        let expression = try Regex(FactName.pattern)
        #expect(name.wholeMatch(of: expression) != nil, "\(name)")
    }
}
