import ProctorBase
import ProctorScenario
import ProctorTrace

let place = SourceLocation(file: "a.yaml", line: 3, column: 5)

/// A case with what the wire can judge.
func makeCase(
    kind: Case.Kind = .must, wire: String? = nil, ambient: String? = nil, facts: [(String, Fact.Expectation)] = []
) throws -> Case {
    Case(
        name: "follow", kind: kind, summary: nil, spec: [], client: [],
        wire: try wire.map { try Notation(parsing: $0, lane: .wire) }, lanes: [:],
        ambient: try ambient.map { ["wire": try Notation(parsing: $0, lane: .wire)] } ?? [:],
        facts: try facts.map { Fact(name: try FactName(parsing: $0.0), expected: $0.1, location: place) },
        location: place)
}

extension Fact.Expectation {
    static func literal(_ text: String) -> Self { .text(Template(parts: [.literal(Array(text.utf8))])) }

    static func literals(_ texts: String...) -> Self {
        .list(texts.map { Template(parts: [.literal(Array($0.utf8))]) })
    }
}
