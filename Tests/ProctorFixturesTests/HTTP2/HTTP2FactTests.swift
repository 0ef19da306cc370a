import Testing

@testable import ProctorScenario

/// Facts of HTTP/2 and HTTP/3 in the pattern of their names, which the schema of fixtures has.
struct HTTP2FactTests {
    private static let names =
        ["h2.connections", "h2.streams", "wire[0].stream", "wire[0].reused", "wire[0].coalesced"]
        + ["connection[0].protocol", "connection[0].streams"]
        + FactName.StreamFact.allCases.map { "stream[12].\($0.rawValue)" }
        + FactName.HTTP2Fact.allCases.map { "h2[0].\($0.rawValue)" }
        + ["h3.connections"] + FactName.HTTP3Fact.allCases.map { "h3[0].\($0.rawValue)" }

    @Test(arguments: names) func `the pattern of the schema has the name of every fact`(name: String) throws {
        let expression = try Regex(FactName.pattern)
        #expect(name.wholeMatch(of: expression) != nil, "\(name)")
    }
}
