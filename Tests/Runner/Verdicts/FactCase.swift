import Foundation
import ProctorBase
import ProctorDocument
import ProctorJournal
import ProctorScenario

@testable import ProctorGrading

/// A case whose only fact is one line of a page: `wire[0].method = "POST"`, with a value as in YAML.
///
/// No scenario is read, so that a fact may also be wanted that no scenario could ask for.
struct FactCase {
    let name: FactName
    private let expected: Fact.Expectation

    init(_ text: String, line: Int) throws {
        let sides = text.components(separatedBy: " = ")
        guard sides.count > 1 else {
            throw RowError(line, "expected a fact such as wire.count = 2, found \(text)")
        }
        name = try FactName(parsing: sides[0])
        let value = sides.dropFirst().joined(separator: " = ")
        let document = Document.parse(Array("v: \(value)\n".utf8), file: "fact.yaml")
        guard let node = document.root?.entries?.first?.value else {
            throw RowError(line, document.diagnostics.map(\.description).joined(separator: "\n"))
        }
        expected = try Self.expectation(node, line)
    }

    private static func expectation(_ node: Node, _ line: Int) throws -> Fact.Expectation {
        func literal(_ node: Node) -> Template { Template(parts: [.literal(Array((node.text ?? "").utf8))]) }
        if node.isNull { return .absent }
        if let items = node.items { return .list(items.map(literal)) }
        guard let entries = node.entries else { return .text(literal(node)) }
        var bounds: [String: Double] = [:]
        for entry in entries {
            if entry.key == "not" { return .not(entry.value.isNull ? nil : literal(entry.value)) }
            if entry.key == "same" { return .same(try FactName(parsing: entry.value.text ?? "")) }
            bounds[entry.key] = entry.value.text.flatMap { Double($0) }
        }
        guard !bounds.isEmpty, bounds.count == entries.count else {
            throw RowError(line, "expected a value, [ values ], { not: VALUE }, { same: FACT } or { min: N, max: N }")
        }
        return .range(minimum: bounds["min"], maximum: bounds["max"])
    }

    /// The case `item` with this fact alone, and as many steps.
    private func item(_ item: Case) -> Case {
        Case(
            name: item.name, kind: item.kind, summary: nil, spec: item.spec, client: item.client, wire: item.wire,
            lanes: item.lanes, ambient: item.ambient,
            facts: [Fact(name: name, expected: expected, location: item.location)], cookies: item.cookies,
            untolerated: item.untolerated, isAboutRequestsAlone: item.isAboutRequestsAlone, location: item.location)
    }

    /// `holds`, what the finding says behind the name, or `undecided`.
    func lines(_ scene: Scene) throws -> [String] {
        let item = item(try scene.item())
        let findings: [Finding]
        let undecided: [FactName]
        if scene.block("trace") != nil {
            let client = ClientRecord(try scene.events(), reportedFacts: try scene.client().facts)
            let found = try WireGrader(item, context: try scene.context()).findings(
                in: try scene.journal().map { WireRecord($0) }, client: client, within: WorkBudget())
            (findings, undecided) = (found.findings, found.undecidedFacts.map(\.name))
        } else {
            let verdict = WireGrader(item, context: try scene.context()).grade(try scene.journal() ?? [])
            (findings, undecided) = (verdict.failures, verdict.undecidedFacts)
        }
        let lines =
            undecided.map { $0 == name ? "undecided" : "undecided \($0.text)" }
            + findings.map { finding in
                let start = name.text + ": "
                return finding.sentence.hasPrefix(start)
                    ? String(finding.sentence.dropFirst(start.count)) : finding.sentence
            }
        return lines.isEmpty ? ["holds"] : lines
    }
}
