import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorNotation
import Testing

@testable import ProctorGrading
@testable import ProctorProgram
@testable import ProctorScenario

/// A case of one GET, with whatever is asked of it.
func makeCase(
    wire: String? = nil, ambient: String? = nil, lanes: [String: String] = [:], edges: [String] = []
) throws -> Case {
    let place = SourceLocation(file: "a.yaml", line: 3, column: 5)
    var program = ClientProgram(url: Template(parts: [.literal(Array("/a".utf8))]), location: place)
    program.step.onResponse = .allow
    program.onRedirect = [.follow]
    return Case(
        name: "follow", kind: .must, summary: nil, spec: [], client: [program],
        wire: try wire.map { try Notation(parsing: $0, lane: .wire) },
        lanes: try lanes.reduce(into: [:]) { result, entry in
            result[entry.key] = try Notation(parsing: entry.value, lane: Lane(fixtureKey: entry.key) ?? .task)
        }, ambient: try ambient.map { ["wire": try Notation(parsing: $0, lane: .wire)] } ?? [:],
        edges: try edges.map { try CausalEdge(parsing: $0) }, facts: [],
        isAboutRequestsAlone: lanes.isEmpty && edges.isEmpty, location: place)
}
