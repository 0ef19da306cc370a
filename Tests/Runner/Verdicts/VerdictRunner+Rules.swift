import ProctorEvents

@testable import ProctorRules

extension VerdictRunner {
    /// What comes out of given inputs, as lines; a name may be a block's or that of `cases`.
    static let outputs: [String: @Sendable (Scene, Block) throws -> [String]] = rules.merging(verdicts) { first, _ in
        first
    }.merging(reports) { first, _ in first }.merging(storms) { first, _ in first }

    /// Of traces alone.
    private static let rules: [String: @Sendable (Scene, Block) throws -> [String]] = [
        "rules": { scene, _ in
            RuleText.lines(try RuleRow(scene.given.joined(separator: " // "), platforms: scene.platforms).report())
        },
        "hits": { scene, _ in
            try RuleRow(scene.given.joined(separator: " // "), platforms: scene.platforms).report().hits.map(\.line)
        },
        // All that a person is told.
        "report": { scene, _ in
            let report = try RuleRow(scene.given.joined(separator: " // "), platforms: scene.platforms).report()
            return report.text.split(separator: "\n").map { exact(String($0)) }
        },
        // Questions about TLS and handshakes of the wire, by milliseconds; see ``TLSQuestions``.
        "tls-questions": { scene, block in
            try TLSQuestions(scene.given, line: block.line).lines(on: scene.platform)
        },
        // What rules may ask of a load whose events these are; the family is the block's word.
        "load-state": { scene, block in
            let family = try family(block) ?? .sessionData
            let state = LoadState(
                lane: LaneID(family == .urlProtocol ? .protocolClient : .task), family: family, platform: .neutral)
            for event in try RuleScript(verbatim: scene.given.joined()).events { state.apply(event) }
            return RuleText.state(state)
        },
        // The course of each load, then what rules say; the family of loads that say none is the block's word.
        "lanes": { scene, block in
            var checker = TraceChecker(family: try family(block))
            for event in try RuleScript(verbatim: scene.given.joined(separator: " // ")).events {
                checker.observe(event)
            }
            let report = checker.finish()
            let lines = RuleText.lines(report)
            return report.lanes.map(\.sentence) + (lines == ["holds"] && !report.lanes.isEmpty ? [] : lines)
        },
        // Of a log, which may leave out any event.
        "log": { scene, block in RuleText.lines(try log(scene, block)) },
        "log-open": { scene, block in
            let open = try log(scene, block).notJudged
            return open.isEmpty ? ["nothing"] : open
        },
        "grammar": { scene, block in
            guard let family = block.words.first.flatMap({ CallbackFamily(rawValue: $0) }) else {
                throw RowError(block.line, "a grammar is that of a family: cases grammar sessionData")
            }
            return [RuleText.grammar(scene.given.joined(), of: family) ?? "no grammar"]
        },
    ]

    private static func family(_ block: Block) throws(RowError) -> CallbackFamily? {
        guard let word = block.words.first(where: { $0 != "whole" }) else { return nil }
        guard let family = CallbackFamily(rawValue: word) else { throw RowError(block.line, "no family: \(word)") }
        return family
    }

    private static func log(_ scene: Scene, _ block: Block) throws -> TraceReport {
        let trace = try Trace(try ByteText.bytes(inLine: scene.given.joined(separator: " // "), line: block.line))
        var checker = TraceChecker(family: try family(block))
        if trace.format == .log, !block.has("whole") { checker.expectGaps() }
        for event in trace.events { checker.observe(event) }
        return checker.finish()
    }
}
