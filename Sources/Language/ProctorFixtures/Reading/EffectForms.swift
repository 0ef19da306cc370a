import ProctorDocument
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorTLSWire

/// How fixtures write the effects of one verb.
struct EffectForm: Sendable {
    let verb: EffectVerb
    /// The sentence for `do: VERB` or `do: VERB ARGUMENT`; nil: there is only the mapping.
    var sentence: String?
    /// The argument: a regular expression for the schema, and its name in the reference; nil: none.
    var argument: (pattern: String, name: String)?
    /// Whether `abrupt:` is permitted beside `do:`.
    var takesAbrupt = false
    /// The form `do: { VERB: … }`; nil: none.
    var mapping: MappingForm?
    /// Makes the action from the argument; nil after a diagnostic.
    var read: @Sendable (String, Node, ScenarioReader) -> Effect.Action? = { _, _, _ in nil }

    struct MappingForm: Sendable {
        /// The value in the reference.
        let shown: String
        /// Keys that are permitted beside the verb.
        var optional: [String] = []
        /// An example for the hint when the effect is written as text although it has only this form.
        var example = ""
        let read: @Sendable (Mapping<MappedEffectKeys>) -> Effect.Action?
    }

    /// All forms, in the order in which messages list them.
    static let all = ofConnections + ofFrames

    static func named(_ word: String) -> EffectForm? { all.first { $0.word == word } }

    private static let ofConnections: [EffectForm] = [
        EffectForm(
            verb: .wait,
            sentence:
                "Nothing, for that time: `us`, `ms`, `s`, `m`, up to 10 minutes; `1.5s` is fine. `wait 100ms-300ms`: for some "
                + "[random](values.md#random-values) time from the one to the other. `wait lognormal 100ms sigma 0.4 most 5s`: for "
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

    /// The effects of HTTP/2 and HTTP/3.
    private static let ofFrames: [EffectForm] = [
        EffectForm(
            verb: .goaway,
            sentence:
                "GOAWAY, over HTTP/2 and HTTP/3; the connection ends when the streams up to the last one are done. STREAM is `highest` "
                + "(of all that came, and the default), `this`, `before` (below this one, which is not answered then), "
                + "`most` (2^31 − 1, or over HTTP/3 2^62 − 4: later ones are still answered) or a number. HTTP/3 sends no code, and the first "
                + "request that is not answered: that behind STREAM, or the number itself.",
            argument: (
                "\(ErrorCode.fixturePattern)( last (highest|this|before|most|[0-9]{1,10}))?", "CODE [last STREAM]"
            )
        ) { $2.goAway($0, $1) },
        EffectForm(
            verb: .rst,
            sentence:
                "RST_STREAM over HTTP/2, RESET_STREAM over HTTP/3: the stream ends, and the connection goes on. STREAM is one of "
                + "HTTP/3 that the server has opened.",
            argument: ("\(EndCode.fixturePattern)( (\(ScenarioReader.criticalPattern)))?", "CODE [STREAM]")
        ) { $2.streamEnd($0, $1).map { .frames(.resetStream($0.code, on: $0.stream)) } },
        EffectForm(
            verb: .stop,
            sentence:
                "STOP_SENDING, over HTTP/3: the rest of the request is not wanted, and the reply goes on. STREAM is one that the "
                + "client has opened.",
            argument: ("\(EndCode.fixturePattern)( (\(ScenarioReader.criticalPattern)))?", "CODE [STREAM]")
        ) { $2.streamEnd($0, $1).map { .frames(.stopSending($0.code, on: $0.stream)) } },
        EffectForm(
            verb: .connectionClose,
            sentence:
                "CONNECTION_CLOSE, over HTTP/3, with a code of HTTP/3; `transport`: with one of QUIC, by its number. What was "
                + "sent before goes out first.",
            argument: ("(transport )?\(EndCode.fixturePattern)", "[transport] CODE")
        ) { $2.connectionClose($0, $1) },
        EffectForm(
            verb: .stream,
            mapping: MappingForm(shown: "…", example: "{ type: control, bytes: { hex: \"2100\" } }") {
                $0[\.stream].map { .frames(.bytes($0)) }
            }),
        EffectForm(
            verb: .ping, sentence: "PING, over HTTP/2; nothing waits for its acknowledgement.", action: .frames(.ping)),
        EffectForm(
            verb: .window, sentence: "WINDOW_UPDATE by N bytes, of the stream or of the connection, over HTTP/2.",
            argument: ("[0-9]{1,10}( connection)?", "N [connection]")
        ) { $2.window($0, $1) },
        EffectForm(
            verb: .frame,
            mapping: MappingForm(shown: "…", example: "{ type: PING }") { $0[\.frame].map { .frames(.frame($0)) } }),
        EffectForm(
            verb: .settings,
            mapping: MappingForm(shown: "…", example: "{ enable-push: 0 }") {
                $0[\.settings].map { .frames(.settings($0)) }
            }),
        EffectForm(
            verb: .push,
            sentence:
                "PUSH_PROMISE of a GET, over HTTP/2. The promised stream has the reply that an exchange of the origin gives "
                + "the GET first. `{ push: … }` says more, see [Pushed replies](http2.md#pushed-replies).",
            argument: ("/[!-~]{0,8191}", "TARGET"),
            mapping: MappingForm(shown: "…") { $0[\.push].map { .frames(.push($0)) } }
        ) { $2.pushedTarget($0, $1).map { .frames(.push(PushedRequest(target: $0))) } },
        EffectForm(
            verb: .pad,
            sentence: "DATA and HEADERS of the reply have N bytes of padding from here on, over HTTP/2; up to 255.",
            argument: ("[0-9]{1,3}", "N")
        ) { text, node, reader in
            reader.frameNumber(text, "a number of bytes after pad", in: 0...255, node)
                .map { .frames(.pad(UInt8(clamping: $0))) }
        },
        EffectForm(
            verb: .continuation,
            sentence:
                "Field blocks of the reply go out in HEADERS and CONTINUATION of at most N bytes from here on, over HTTP/2.",
            argument: ("[0-9]{1,6}", "N")
        ) { text, node, reader in
            reader.frameNumber(text, "a number of bytes after continuation", in: 1...16_384, node)
                .map { .frames(.continuation(byteCount: $0)) }
        },
    ]

    var word: String { verb.rawValue }

    /// The form in the reference: `wait TIME`.
    var shown: String { word + (argument.map { " \($0.name)" } ?? "") }
}

extension EffectForm {
    /// The form of a verb without an argument.
    private init(verb: EffectVerb, sentence: String, action: Effect.Action, takesAbrupt: Bool = false) {
        self.init(verb: verb, sentence: sentence, takesAbrupt: takesAbrupt) { _, _, _ in action }
    }
}

/// `{ send: BYTES }`, `{ await: EVENT, … }`, `{ frame: … }`, `{ stream: … }`, `{ settings: … }` or `{ push: … }` under `do:`.
struct MappedEffectKeys: Sendable {
    let send = Key("send", Shape<ByteSource>.bytes("the bytes to send"))
    let await = Key<String>("await") { node, reader in
        reader.sink.text(node, "an event").flatMap { reader.awaitedEvent($0, node) }
    }
    let task = Key("task", Shape<Int>.integer("a task", in: Bounds.index))
    let count = UsualKey("count", Shape<Int>.integer("a count", in: Bounds.times), usual: 1)
    let within = Key("within", Shape<Duration>.duration("within"))
    let frame = Key("frame", ScenarioReader.frame.shape)
    let stream = Key("stream", ScenarioReader.streamBytes.shape)
    let settings = Key("settings", ScenarioReader.settings.shape)
    let push = Key<PushedRequest>("push") { $1.pushedRequest($0) }
}
