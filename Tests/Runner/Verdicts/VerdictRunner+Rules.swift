import ProctorEvents
import ProctorRules

extension VerdictRunner {
    /// What comes out of given inputs, as lines; a name may be a block's or that of `cases`.
    static let outputs: [String: @Sendable (Scene, Block) throws -> [String]] = rules

    /// Of traces alone.
    private static let rules: [String: @Sendable (Scene, Block) throws -> [String]] = [
        "rules": { scene, _ in
            RuleText.lines(try RuleRow(scene.given.joined(separator: " // "), platforms: scene.platforms).report())
        },
        "hits": { scene, _ in
            try RuleRow(scene.given.joined(separator: " // "), platforms: scene.platforms).report().hits.map(\.line)
        },
        "grammar": { scene, block in
            guard let family = block.words.first.flatMap({ CallbackFamily(rawValue: $0) }) else {
                throw RowError(block.line, "a grammar is that of a family: cases grammar sessionData")
            }
            return [RuleText.grammar(scene.given.joined(), of: family) ?? "no grammar"]
        },
    ]
}
