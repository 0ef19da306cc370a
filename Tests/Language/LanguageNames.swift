internal import ProctorBase
internal import ProctorCoding
internal import ProctorDocument
internal import ProctorHTTP
internal import ProctorProgram
internal import ProctorRules

@testable internal import ProctorFixtures
@testable internal import ProctorFrames
@testable internal import ProctorScenario

/// What language.yaml writes as `=NAME`: bounds, words and patterns that the program has.
enum LanguageNames {
    /// nil: there is no such name.
    static func value(_ name: String) -> Schema? { name == "EffectForm" ? effect : values[name] }

    private static let values: [String: Schema] = Dictionary(uniqueKeysWithValues: bounds + words + patterns)

    private static let bounds: [(String, Schema)] =
        [
            ("actsByHand", Bounds.actsByHand), ("answers", Bounds.answers), ("bodyByteCount", Bounds.bodyByteCount),
            ("cases", Bounds.cases), ("chunks", Bounds.chunks), ("codings", Bounds.codings),
            ("connectionEffects", Bounds.connectionEffects), ("demands", Bounds.demands), ("effects", Bounds.effects),
            ("exchanges", Bounds.exchanges), ("facts", Bounds.facts), ("guards", Bounds.guards),
            ("interim", Bounds.interim), ("libraries", Bounds.libraries), ("messages", Bounds.messages),
            ("notes", Bounds.notes), ("origins", Bounds.origins), ("parts", Bounds.parts),
            ("protocolCalls", Bounds.protocolCalls), ("replies", Bounds.replies), ("specs", Bounds.specs),
            ("states", Bounds.states), ("steps", Bounds.steps), ("values", Bounds.values),
            ("times.upperBound", Bounds.times.upperBound),
        ].map { ("Bounds.\($0.0)", .integer($0.1)) }
        + [
            ("added", Bounds.added), ("status", Bounds.status), ("times", Bounds.times), ("index", Bounds.index),
        ].map { ("Bounds.\($0.0)", .list([.integer($0.1.lowerBound), .integer($0.1.upperBound)])) }

    private static let words: [(String, Schema)] = [
        ("ContentCoding", ContentCoding.allCases.map(\.rawValue)),
        ("DelegateMethod", DelegateMethod.allCases.map(\.rawValue)),
        ("Departure", Departure.allCases.map(\.rawValue)), ("EventMoment", MomentReader.names),
        ("FrameType", FrameType.fixtureNames + HTTP3FrameType.fixtureNames), ("HTTP3StreamType", HTTP3StreamType.fixtureNames),
        ("reportedEvent", ScenarioReader.reportedEvents),
        ("EffectForm abrupt", EffectForm.all.filter(\.takesAbrupt).map(\.word)),
    ].map { ($0.0, .list($0.1.map { .text($0) })) }

    private static let patterns: [(String, Schema)] = [
        ("ClockChange", "^(\(ClockChange.pattern))$"), ("DurationText", "^\(DurationText.pattern)$"),
        ("FactName", FactName.pattern), ("RuleNumber", ScenarioReader.rulePattern),
    ].map { ($0.0, .text($0.1)) }

    /// The value of `do:`, whose mappings have values of this kind in turn.
    private static var effect: Schema {
        let texts = EffectForm.all.filter { $0.sentence != nil }
        let patterns = texts.map { form in form.argument.map { "\(form.word) \($0.pattern)" } ?? form.word }
        let mappings = EffectForm.all.compactMap { form in form.mapping.map { (form.word, $0) } }
        let shown = texts.map(\.shown) + mappings.map { "{ \($0): \($1.shown) }" }
        let text: Schema = ["type": "string", "pattern": .text("^(\(patterns.joined(separator: "|")))$")]
        return [
            "description": .text("\(shown.dropLast().joined(separator: ", ")) or \(shown[shown.count - 1])."),
            "oneOf": .list([text] + mappings.map { SchemaMaker.form("MappedEffectKeys", [$0], optional: $1.optional) }),
        ]
    }
}
