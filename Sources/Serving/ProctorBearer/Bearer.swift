internal import ProctorFixtures
internal import ProctorScenario

/// Bearer as a scheme of guards, with the tokens that a guard accepts.
package enum Bearer {
    /// Hands the scheme over, for every scenario that this process reads from then on.
    package static func register() {
        SchemeRow.register("bearer", takes: .tokens) { details, reader in reader.bearer(details) }
        ScenarioReader.tokens.register(Shape { node, reader in reader.tokens(node) })
    }
}
