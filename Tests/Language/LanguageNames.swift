internal import ProctorBase
internal import ProctorCoding
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorProgram
internal import ProctorRules
internal import ProctorSchema

@testable internal import ProctorFixtures
@testable internal import ProctorFrames
@testable internal import ProctorGRPC
@testable internal import ProctorScenario

/// What language.yaml writes as `=NAME`: bounds, words and patterns that the program has.
enum LanguageNames {
    /// nil: there is no such name.
    static func value(_ name: String) -> Schema? {
        if name == "EffectForm" { return effect }
        if let bound = bounds[name] { return .integer(bound) }
        if let range = ranges[name] { return .list([.integer(range.lowerBound), .integer(range.upperBound)]) }
        if let words = words[name] { return .list(words.map { .text($0) }) }
        return patterns[name].map { .text($0) }
    }

    private static let bounds: [String: Int] = [
        "Ability.count": Ability.allCases.count, "SchemaFormat.count": SchemaFormat.allCases.count,
        "Bounds.actsByHand": Bounds.actsByHand, "Bounds.byteActs": Bounds.byteActs,
        "Bounds.answers": Bounds.answers, "Bounds.bodyByteCount": Bounds.bodyByteCount, "Bounds.cases": Bounds.cases,
        "Bounds.chunks": Bounds.chunks, "Bounds.codings": Bounds.codings,
        "Bounds.connectionEffects": Bounds.connectionEffects, "Bounds.demands": Bounds.demands,
        "Bounds.effects": Bounds.effects, "Bounds.exchanges": Bounds.exchanges, "Bounds.facts": Bounds.facts,
        "Bounds.guards": Bounds.guards, "Bounds.interim": Bounds.interim, "Bounds.libraries": Bounds.libraries,
        "Bounds.messages": Bounds.messages, "Bounds.notes": Bounds.notes, "Bounds.origins": Bounds.origins,
        "Bounds.parts": Bounds.parts, "Bounds.protocolCalls": Bounds.protocolCalls, "Bounds.replies": Bounds.replies,
        "Bounds.specs": Bounds.specs, "Bounds.states": Bounds.states, "Bounds.steps": Bounds.steps,
        "Bounds.times.upperBound": Bounds.times.upperBound, "Bounds.values": Bounds.values,
    ]

    private static let ranges: [String: ClosedRange<Int>] = [
        "Bounds.added": Bounds.added, "Bounds.status": Bounds.status, "Bounds.times": Bounds.times,
        "Bounds.index": Bounds.index,
    ]

    private static let words: [String: [String]] = [
        "Ability": Ability.allCases.map(\.rawValue), "Ability.standards": ScenarioReader.standards.map(\.rawValue),
        "CallStatus.Code": CallStatus.Code.allCases.map(\.rawValue),
        "ContentCoding": ContentCoding.allCases.map(\.rawValue),
        "DelegateMethod": DelegateMethod.allCases.map(\.rawValue), "Departure": Departure.allCases.map(\.rawValue),
        "EventMoment": MomentReader.names, "FrameType": FrameType.fixtureNames + HTTP3FrameType.fixtureNames,
        "HTTP3StreamType": HTTP3StreamType.fixtureNames, "SchemaFormat": SchemaFormat.allCases.map(\.rawValue),
        "SchemeName": SchemeNames.ofHTTP, "reportedEvent": ScenarioReader.reportedEvents,
        "EffectForm abrupt": EffectForm.all.filter(\.takesAbrupt).map(\.word),
    ]

    private static let patterns: [String: String] = [
        "ClockChange": "^(\(ClockChange.pattern))$", "DurationText": "^\(DurationText.pattern)$",
        "FactName": FactName.pattern, "RuleNumber": ScenarioReader.rulePattern,
    ]

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
