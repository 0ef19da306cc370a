package import ProctorDocument
package import ProctorJournal
package import ProctorScenario
import ProctorTLSWire

/// How fixtures write the effects of one verb.
package struct EffectForm: Sendable {
    let verb: EffectVerb
    /// The sentence for `do: VERB` or `do: VERB ARGUMENT`; nil: there is only the mapping.
    let sentence: String?
    /// The argument: a regular expression for the schema, and its name in the reference; nil: none.
    let argument: (pattern: String, name: String)?
    /// Whether `abrupt:` is permitted beside `do:`.
    let takesAbrupt: Bool
    /// The form `do: { VERB: … }`; nil: none.
    let mapping: MappingForm?
    /// Makes the action from the argument; nil after a diagnostic.
    let read: @Sendable (String, Node, ScenarioReader) -> Effect.Action?

    package struct MappingForm: Sendable {
        /// The value in the reference.
        let shown: String
        /// Keys that are permitted beside the verb.
        let optional: [String]
        /// An example for the hint when the effect is written as text although it has only this form.
        let example: String
        let read: @Sendable (Mapping<MappedEffectKeys>) -> Effect.Action?

        package init(
            shown: String, optional: [String] = [], example: String = "",
            read: @escaping @Sendable (Mapping<MappedEffectKeys>) -> Effect.Action?
        ) {
            (self.shown, self.optional, self.example, self.read) = (shown, optional, example, read)
        }
    }

    package init(
        verb: EffectVerb, sentence: String? = nil, argument: (pattern: String, name: String)? = nil,
        takesAbrupt: Bool = false, mapping: MappingForm? = nil,
        read: @escaping @Sendable (String, Node, ScenarioReader) -> Effect.Action? = { _, _, _ in nil }
    ) {
        (self.verb, self.sentence, self.argument) = (verb, sentence, argument)
        (self.takesAbrupt, self.mapping, self.read) = (takesAbrupt, mapping, read)
    }

    /// What a module above has of effects of HTTP/2 and HTTP/3, made when the first of them is looked for.
    package static let frames = PartSlot<@Sendable () -> [EffectForm]>(ScenarioReader.frameModule)

    /// All forms, in the order in which messages list them.
    static var all: [EffectForm] { ofConnections + (frames.part?() ?? []) }

    /// nil: there is no such word, or its module is not in the program.
    static func named(_ word: String) -> EffectForm? {
        ofConnections.first { $0.word == word } ?? frames.part?().first { $0.word == word }
    }

    private static let ofConnections: [EffectForm] = [
        EffectForm(
            verb: .wait,
            sentence:
                "Nothing, for that time: `us`, `ms`, `s`, `m`, up to 10 minutes; `1.5s` is fine. `wait 100ms-300ms`: for some "
                + "[random](values.md#random-values) time between the two. `wait lognormal 100ms sigma 0.4 most 5s`: for "
                + "a random time of the lognormal distribution with that median and deviation, at most 5 s.",
            argument: (
                "(\(DurationText.pattern)(-\(DurationText.pattern))?|lognormal \(DurationText.pattern) sigma "
                    + "\(ScenarioReader.sigmaPattern) most \(DurationText.pattern))", "TIME"
            )
        ) { $2.wait($0, $1) },
        EffectForm(
            verb: .close, sentence: "Everything before is sent, then the connection is closed in order.",
            action: .close(abrupt: false, notify: true), takesAbrupt: true),
        EffectForm(
            verb: .reset, sentence: "The connection is reset (RST).", action: .reset(abrupt: false), takesAbrupt: true),
        EffectForm(verb: .halfClose, sentence: "No more is sent, but reading goes on.", action: .halfClose),
        EffectForm(verb: .stall, sentence: "Nothing more happens until the client leaves.", action: .stall),
        EffectForm(
            verb: .send,
            sentence:
                "These bytes are put into the stream, whatever the framing says; `{ send: BYTES }` for other forms of "
                + "[bytes](bytes.md).", argument: ("[\\s\\S]+", "TEXT"),
            mapping: MappingForm(shown: "BYTES") { keys in keys[\.send].map { .send($0) } }
        ) { $2.send($0, $1) },
        EffectForm(
            verb: .await,
            sentence: "The reply goes on when the client has reported that event; `{ await: EVENT, … }` says more, see "
                + "[Sync points](effects.md#sync-points).",
            argument: ("(\(ScenarioReader.reportedEvents.map(\.regexLiteral).joined(separator: "|")))", "EVENT"),
            mapping: MappingForm(shown: "EVENT, …", optional: ["task", "count", "within"]) { keys in
                let event = keys[\.await]
                let task = keys[\.task]
                let count = keys[\.count]
                let limit = keys[\.within]
                return event.map { .await(SyncPoint(event: $0, task: task, count: count, limit: limit)) }
            }
        ) { $2.awaiting($0, $1) },
        EffectForm(
            verb: .clock,
            sentence: "The [clock](clock.md) of the run is set or moved, stops or goes on; the reply goes on at once.",
            argument: ("(\(ClockChange.pattern))", "CHANGE")
        ) { $2.clockChange($0, $1).map { .clock($0) } },
        EffectForm(
            verb: .alert,
            sentence: "A fatal alert, 0 to 255 or by its name in RFC 8446 §6, then the connection is closed.",
            argument: (
                "(0{0,9}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])|\(AlertDescription.names.joined(separator: "|")))",
                "N or NAME"
            )
        ) { $2.alert($0, $1) },
        EffectForm(
            verb: .truncateRecord,
            sentence: "Half of the next TLS record is sent, then the connection is closed.",
            action: .truncateRecord),
        EffectForm(
            verb: .badMAC, sentence: "The next TLS record can't be authenticated.", action: .badMAC),
        EffectForm(
            verb: .keyUpdate,
            sentence:
                "A KeyUpdate of TLS 1.3 is sent: what follows is written with new keys, and with `both` the client has to change "
                + "its keys too.",
            argument: ("(ours|both)", "ours or both")
        ) { $2.keyUpdate($0, $1) },
    ]

    var word: String { verb.rawValue }

    /// The form in the reference: `wait TIME`.
    var shown: String { word + (argument.map { " \($0.name)" } ?? "") }
}

extension EffectForm {
    /// The form of a verb without an argument.
    package init(verb: EffectVerb, sentence: String, action: Effect.Action, takesAbrupt: Bool = false) {
        self.init(verb: verb, sentence: sentence, takesAbrupt: takesAbrupt) { _, _, _ in action }
    }
}

/// `{ send: BYTES }`, `{ await: EVENT, … }`, `{ frame: … }`, `{ stream: … }`, `{ settings: … }` or `{ push: … }` under `do:`.
package struct MappedEffectKeys: Sendable {
    let send = Key("send", Shape<ByteSource>.bytes("the bytes to send"))
    let await = Key<String>("await") { node, reader in
        reader.sink.text(node, "an event").flatMap { reader.awaitedEvent($0, node) }
    }
    let task = Key("task", Shape<Int>.integer("a task", in: Bounds.index))
    let count = UsualKey("count", Shape<Int>.integer("a count", in: Bounds.times), usual: 1)
    let within = Key("within", Shape<Duration>.duration("within"))
    package let frame = Key("frame", ScenarioReader.frame.shape)
    package let stream = Key("stream", ScenarioReader.streamBytes.shape)
    package let settings = Key("settings", ScenarioReader.settings.shape)
    package let push = Key("push", ScenarioReader.push.shape)
}
