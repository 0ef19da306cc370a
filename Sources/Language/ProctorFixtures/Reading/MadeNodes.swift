package import ProctorDocument
package import ProctorScenario

/// Reads nodes that are made while a run goes on, with the words and messages of its fixture.
package struct MadeNodes: Sendable {
    private let file: FixtureFile
    private let originNames: [String]

    package init(of reader: ScenarioReader) {
        (file, originNames) = (reader.file, reader.originNames)
    }

    /// The first mistake, as a sentence without a place.
    package struct Mistake: Error {
        package let sentence: String
    }

    /// nil where the node is no reply at all.
    package func reply(_ node: Node) throws(Mistake) -> Reply? { try read { $0.reply(node) } }

    package func action(_ node: Node) throws(Mistake) -> Effect.Action? { try read { $0.action(node) } }

    func read<Value>(_ read: (ScenarioReader) -> Value?) throws(Mistake) -> Value? {
        let sink = DiagnosticSink()
        let reader = ScenarioReader(
            file: file, sink: sink, fingerprint: Fingerprint(of: []), literals: LiteralBudget(),
            originNames: originNames)
        // Each of them may hold the reader.
        defer { reader.secondPass.removeChecks() }
        let value = read(reader)
        guard let first = sink.diagnostics.first else { return value }
        throw Mistake(sentence: first.sentence + (first.hint.map { "; \($0)" } ?? ""))
    }
}
