import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorHTTP2
import ProctorTLSWire

/// One verb of `do:`, as a row of the language.
struct EffectVerb: Sendable {
    let verb: Effect.Verb
    /// The argument: a regular expression for the schema, and words for the reference; nil: none.
    let argument: (pattern: String, name: String)?
    let sentence: String
    /// Whether `abrupt:` is permitted beside it.
    var takesAbrupt = false
    /// Makes the action from the argument; nil after a diagnostic.
    let read: @Sendable (String, Node, ScenarioReader) -> Effect.Action?

    /// In the order of messages; the server's `Player` performs the actions.
    static let all = ofConnections + ofFrames

    private static let ofConnections: [EffectVerb] = [
        EffectVerb(
            verb: .wait, argument: ("\(DurationText.pattern)(-\(DurationText.pattern))?", "TIME"),
            sentence:
                "Nothing, for that time: `us`, `ms`, `s`, `m`, up to 10 minutes; `1.5s` is fine. `wait 100ms-300ms`: for some "
                + "[random](#random-values) time from the one to the other."
        ) { $2.wait($0, $1) },
        EffectVerb(
            verb: .close, argument: nil,
            sentence: "Everything before is sent, then the connection is closed in order.",
            takesAbrupt: true
        ) { _, _, _ in .close(abrupt: false, notify: true) },
        EffectVerb(
            verb: .reset, argument: nil, sentence: "The connection is reset (RST).", takesAbrupt: true
        ) { _, _, _ in .reset(abrupt: false) },
        EffectVerb(verb: .halfClose, argument: nil, sentence: "No more is sent, but reading goes on.") { _, _, _ in
            .halfClose
        },
        EffectVerb(verb: .stall, argument: nil, sentence: "Nothing more happens until the client leaves.") { _, _, _ in
            .stall
        },
        EffectVerb(
            verb: .send, argument: ("[\\s\\S]+", "TEXT"),
            sentence:
                "These bytes are put into the stream, whatever the framing says; `{ send: BYTES }` for other forms of "
                + "[bytes](#bytes)."
        ) { $2.send($0, $1) },
        EffectVerb(
            verb: .await,
            argument: ("(\(ScenarioReader.reportedEvents.map(\.regexLiteral).joined(separator: "|")))", "EVENT"),
            sentence:
                "The reply goes on when the client has reported that event; `{ await: EVENT, … }` says more, see "
                + "[Sync points](#sync-points)."
        ) { $2.awaiting($0, $1) },
        EffectVerb(
            verb: .alert,
            argument: (
                "(0{0,9}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])|\(AlertDescription.names.joined(separator: "|")))",
                "N or NAME"
            ), sentence: "A fatal alert, 0 to 255 or by its name in RFC 8446 §6, then the connection is closed."
        ) { $2.alert($0, $1) },
        EffectVerb(
            verb: .truncateRecord, argument: nil,
            sentence: "Half of the next record, then the connection is closed; where TLS is spoken."
        ) { $2.ofTLS(.truncateRecord, "truncate-record", at: $1) },
        EffectVerb(
            verb: .badMAC, argument: nil, sentence: "The next record can't be authenticated; where TLS is spoken."
        ) { $2.ofTLS(.badMAC, "bad-mac", at: $1) },
    ]

    var word: String { verb.rawValue }

    /// One alternative of a regular expression.
    fileprivate var pattern: String { argument.map { "\(word) \($0.pattern)" } ?? word }
}

protocol EffectKeys: Sendable {
    var `do`: Key<Node> { get }
    var abrupt: Key<Bool> { get }
    var notify: Key<Bool> { get }
}

struct InlineEffectKeys: EffectKeys {
    let `do` = Key("do", Shape<Node>.node(.ref("do"), takes: "an effect"), leftOut: "required", says: "What happens.")
    let abrupt = Key(
        "abrupt", Shape<Bool>.boolean("abrupt"), leftOut: "`false`",
        says: "With `close` and `reset`: do not wait until the peer has received what was sent.")
    let notify = Key(
        "notify", Shape<Bool>.boolean("notify"), leftOut: "`true`",
        says: "With `close`, where TLS is spoken: `false` sends no close_notify before the end.")
}

/// An effect of a reply.
struct ReplyEffectKeys: EffectKeys {
    let at = Key(
        "at",
        Shape<Effect.Position>(
            ["type": "string", "pattern": "^(head( [0-9]{1,13})?|(body|wire|frame) [0-9]{1,13}|end)$"],
            takes: "a position"
        ) { $1.position($0) }, leftOut: "required",
        says:
            "Just before this byte: `head`, `head N`, `body N` (content), `wire N` (with framing), `end`; or before "
            + "frame N of the reply, over HTTP/2: `frame N`.")
    let `do` = InlineEffectKeys().do
    let abrupt = InlineEffectKeys().abrupt
    let notify = InlineEffectKeys().notify
}

/// `{ send: BYTES }`, `{ await: EVENT, … }`, `{ frame: … }`, `{ settings: … }` or `{ push: … }` under `do:`.
struct MappedEffectKeys: Sendable {
    let send = Key("send", Shape<ByteSource>.bytes("the bytes to send"), says: "The bytes to send.")
    let await = Key(
        "await",
        Shape<String>(.ref("reportedEvent"), takes: "an event") { node, reader in
            reader.sink.text(node, "an event").flatMap { reader.awaitedEvent($0, node) }
        }, says: "The event.")
    let task = Key(
        "task", Shape<Int>.integer("a task", in: Bounds.index), leftOut: "any",
        says: "Of which task, counted from 0.")
    let count = UsualKey(
        "count", Shape<Int>.integer("a count", in: Bounds.times), usual: 1, leftOut: "1", says: "How many of them.")
    let within = Key(
        "within", Shape<Duration>.duration("within"), leftOut: "10 s",
        says: "How long it is waited for, at most 10m.")
    let frame = Key(
        "frame",
        Shape<FrameTemplate>(ScenarioReader.frameTable.schema, takes: "a [frame](#frames)") { $1.frame($0) },
        says: "One frame, over HTTP/2.")
    let settings = Key(
        "settings",
        Shape<[Setting]>(ScenarioReader.settingTable.schema, takes: "[settings](#settings)") { $1.settings($0) },
        says: "SETTINGS, over HTTP/2; the client acknowledges it.")
    let push = Key(
        "push",
        Shape<PushedRequest>(ScenarioReader.pushTable.schema, takes: "a [request](#pushed-replies)") {
            $1.pushedRequest($0)
        }, says: "A request that is promised and answered, over HTTP/2.")

    /// Keys that stand alone and mean frames.
    static let ofFrames: Set<String> = ["frame", "settings", "push"]
}

extension ScenarioReader {
    static let effectTable = Table("an effect", ReplyEffectKeys(), rules: flagRules)
    static let inlineEffectTable = Table("an effect", InlineEffectKeys(), rules: flagRules)
    static let mappedEffectTable = Table("an effect", MappedEffectKeys())

    static let flagRules: Schema = [
        "dependencies": [
            "abrupt": ["properties": ["do": .words(EffectVerb.all.filter(\.takesAbrupt).map(\.word))]],
            "notify": ["properties": ["do": ["const": "close"]]],
        ]
    ]

    static let doSchema: Schema = {
        let text: Schema = [
            "type": "string", "pattern": .text("^(\(EffectVerb.all.map(\.pattern).joined(separator: "|")))$"),
        ]
        let words = EffectVerb.all.map { verb in verb.word + (verb.argument.map { " \($0.name)" } ?? "") }
        return [
            "description": .text(
                "\(words.joined(separator: ", ")), { send: BYTES }, { await: EVENT, … }, { frame: … }, "
                    + "{ settings: … } or { push: … }."),
            "oneOf": [
                text, mappedEffectTable.form(["send"]),
                mappedEffectTable.form(["await"], optional: ["task", "count", "within"]),
                mappedEffectTable.form(["frame"]),
                mappedEffectTable.form(["settings"]),
                mappedEffectTable.form(["push"]),
            ],
        ]
    }()

    func effects(_ node: Node) -> [Effect] {
        (sink.list(node, "effects", limit: Bounds.effects) ?? []).compactMap(effect)
    }

    private func effect(_ node: Node) -> Effect? {
        guard let keys = Self.effectTable.open(node, self) else { return nil }
        let position = keys[\.at]
        let action = action(keys)
        guard let position, let action else { return nil }
        return Effect(position: position, action: action, location: node.location)
    }

    fileprivate func position(_ node: Node) -> Effect.Position? {
        guard let text = sink.text(node, "a position") else { return nil }
        switch PositionText(text) {
        case .word("head", let number): return .head(number ?? 0)
        case .word("body", let number?): return .body(number)
        case .word("wire", let number?): return .wire(number)
        case .word("frame", let number?):
            secondPass.later { [place] resolver in _ = resolver.speaksHTTP2("frame", at: place, node) }
            return .frame(number)
        case .word("end", nil): return .end
        case .word("body", nil), .word("wire", nil):
            sink.report(node, "the position \(quoted(text)) needs a number", hint: "\(text) 0 is its first byte")
        case .word("frame", nil):
            sink.report(node, "the position \"frame\" needs a number", hint: "frame 0 is the first one")
        default:
            sink.report(
                node, "unknown position \(quoted(text)) of a reply",
                hint: "permitted: head, head N, body N, wire N, frame N, end (N up to \(Bounds.bodyByteCount))")
        }
        return nil
    }

    /// `do:` with `abrupt:` and `notify:` beside it.
    func action(_ keys: Mapping<some EffectKeys>) -> Effect.Action? {
        let abrupt = keys[\.abrupt]
        if keys.has(\.abrupt), abrupt == nil { return nil }
        let notify = keys[\.notify]
        if keys.has(\.notify), notify == nil { return nil }
        guard let node = keys[\.do] else { return nil }
        guard let action = node.entries == nil ? textAction(node) : mappedAction(node) else { return nil }
        if let node = keys.entry(\.notify)?.keyNode {
            guard case .close = action else {
                report(node, "\"notify\" goes with close only", of: action)
                return nil
            }
            secondPass.later { [place] resolver in _ = resolver.speaksTLS("notify", at: place, node) }
        }
        switch action {
        case .close: return .close(abrupt: abrupt ?? false, notify: notify ?? true)
        case .reset: return .reset(abrupt: abrupt ?? false)
        case .wait, .waitBetween, .halfClose, .stall, .send, .await, .alert, .truncateRecord, .badMAC, .frames:
            guard let entry = keys.entry(\.abrupt) else { return action }
            report(entry.keyNode, "\"abrupt\" goes with close and reset only", of: action)
            return nil
        }
    }

    /// Reports a key beside an effect.
    ///
    /// Beside an effect of TLS only when TLS is spoken: otherwise the effect itself is reported.
    private func report(_ node: Node, _ sentence: String, of action: Effect.Action) {
        guard action.isOfTLS else { return sink.report(node, sentence) }
        secondPass.later { [place] resolver in
            if resolver.plainName(at: place) == nil { resolver.sink.report(node, sentence) }
        }
    }

    private func mappedAction(_ node: Node) -> Effect.Action? {
        guard let keys = Self.mappedEffectTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        if let first = keys.entries.first, MappedEffectKeys.ofFrames.contains(first.key) {
            return frameAction(keys, first)
        }
        if keys.has(\.await) {
            if let send = keys.entry(\.send)?.keyNode {
                sink.report(send, "\"send\" does not go with \"await\"", hint: "write two effects")
            }
            let event = keys[\.await]
            let task = keys[\.task]
            let count = keys[\.count]
            let limit = keys[\.within]
            return event.map { .await(SyncPoint(event: $0, task: task, count: count, limit: limit)) }
        }
        for entry in keys.entries where entry.key != "send" {
            sink.report(entry.keyNode, "\(quoted(entry.key)) goes with \"await\" only")
        }
        guard keys.raw.required("send") != nil else { return nil }
        return keys[\.send].map { .send($0) }
    }

    /// `{ frame: … }`, `{ settings: … }` or `{ push: … }`, each alone.
    private func frameAction(_ keys: Mapping<MappedEffectKeys>, _ entry: Node.Entry) -> Effect.Action? {
        for other in keys.entries.dropFirst() {
            sink.report(
                other.keyNode, "\(quoted(other.key)) does not go with \(quoted(entry.key))", hint: "write two effects")
        }
        let action: FrameAction? =
            switch entry.key {
            case "frame": keys[\.frame].map { .frame($0) }
            case "push": keys[\.push].map { .push($0) }
            default: keys[\.settings].map { .settings($0) }
            }
        return ofHTTP2(action, entry.key, entry.keyNode)
    }

    private func textAction(_ node: Node) -> Effect.Action? {
        guard let text = sink.text(node, "an effect") else { return nil }
        let word = String(text.prefix { $0 != " " })
        let rest = String(text.dropFirst(word.count + 1))
        if word == "frame" || word == "settings" {
            return sink.refuse(
                node, "\(quoted(word)) takes a mapping",
                hint: "like do: "
                    + (word == "frame" ? "{ frame: { type: PING } }" : "{ settings: { enable-push: 0 } }"))
        }
        guard let verb = EffectVerb.all.first(where: { $0.word == word }) else {
            return sink.refuse(
                node, "unknown effect \(quoted(word))",
                hint: DiagnosticSink.hint(for: word, among: EffectVerb.all.map(\.word)))
        }
        if verb.argument == nil, !rest.isEmpty {
            return sink.refuse(node, "\(quoted(word)) takes nothing after it, found \(quoted(rest))")
        }
        return verb.read(rest, node, self)
    }

    // MARK: Verbs

    fileprivate func wait(_ text: String, _ node: Node) -> Effect.Action? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        guard ends.count == 2 else { return waitTime(text, node).map { .wait(.nanoseconds($0)) } }
        guard let first = waitTime(ends[0], node), let last = waitTime(ends[1], node) else { return nil }
        guard first <= last else {
            return sink.refuse(
                node, "the wait \(text) ends before it begins", hint: "write wait \(ends[1])-\(ends[0])")
        }
        return .waitBetween(.nanoseconds(first)...Duration.nanoseconds(last), RandomPlace(.wait, at: node.location))
    }

    /// In nanoseconds.
    private func waitTime(_ text: String, _ node: Node) -> Int? {
        guard let nanoseconds = DurationText.nanoseconds(text) else {
            return sink.refuse(node, "expected \(DurationText.expected) after wait, found \(quoted(text))")
        }
        guard nanoseconds <= Bounds.waitNanoseconds else {
            return sink.refuse(node, "a wait of \(text) is too long; at most 10m is permitted")
        }
        return nanoseconds
    }

    fileprivate func send(_ rest: String, _ node: Node) -> Effect.Action? {
        guard !rest.isEmpty, let text = node.text else {
            return sink.refuse(node, "send needs the text to send", hint: "do: send TEXT, or do: { send: BYTES }")
        }
        return TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text).dropping(5))
            .map { .send(ByteSource($0)) }
    }

    /// Events that a client can report.
    static let reportedEvents: [String] = {
        let lanes: [Lane] = [.task, .session, .proto, .protocolClient, .handler, .harness]
        return EventVocabulary.kinds.filter { kind in kind.lanes.contains { lanes.contains($0) } }.map(\.name)
    }()

    /// `await EVENT`.
    fileprivate func awaiting(_ text: String, _ node: Node) -> Effect.Action? {
        guard !text.isEmpty else {
            return sink.refuse(node, "await needs the name of an event", hint: "like do: await response")
        }
        return awaitedEvent(text, node).map { .await(SyncPoint(event: $0)) }
    }

    fileprivate func awaitedEvent(_ name: String, _ node: Node) -> String? {
        if Self.reportedEvents.contains(name) { return name }
        if EventVocabulary.kind(named: name) != nil {
            return sink.refuse(
                node, "\(quoted(name)) is an event of the wire, which no client reports",
                hint: "what arrived is known without waiting")
        }
        let hint = NearestName.find(name, in: Self.reportedEvents).map { "did you mean \(quoted($0))?" }
        return sink.refuse(
            node, "unknown event \(quoted(name))", hint: hint ?? "the names are those of the expressions of a case")
    }

    /// `alert N` or `alert NAME`.
    fileprivate func alert(_ text: String, _ node: Node) -> Effect.Action? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy(\.isASCIIDigit)
        let number = AlertDescription.number(named: text) ?? (isNumber ? UInt8(text) : nil)
        secondPass.later { [place] resolver in
            guard resolver.speaksTLS("alert", at: place, node), number == nil else { return }
            if text.isEmpty {
                resolver.sink.report(node, "alert needs a number or a name", hint: "like do: alert handshake_failure")
            } else if isNumber {
                resolver.sink.report(node, "an alert is a number 0 ... 255, found \(text)")
            } else {
                resolver.sink.report(
                    node, "unknown alert \(quoted(text))",
                    hint: NearestName.find(text, in: AlertDescription.names).map { "did you mean \(quoted($0))?" }
                        ?? "write a name of RFC 8446 §6, or a number 0 ... 255")
            }
        }
        return number.map { .alert($0) }
    }

    /// A verb that needs TLS.
    fileprivate func ofTLS(_ action: Effect.Action, _ word: String, at node: Node) -> Effect.Action {
        secondPass.later { [place] resolver in _ = resolver.speaksTLS(word, at: place, node) }
        return action
    }
}

extension ByteSource {
    /// A literal when no part is late-bound.
    init(_ template: Template) {
        self = template.literalBytes.map { .literal($0) } ?? .template(template)
    }
}

extension String {
    /// A regular expression that matches only this text.
    var regexLiteral: String { split(separator: ".", omittingEmptySubsequences: false).joined(separator: "\\.") }
}

/// A word, with an optional number: `body 4096`.
enum PositionText: Equatable {
    case word(String, Int?)
    case unreadable

    init(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 1: self = .word(text, nil)
        case 2:
            guard !words[1].isEmpty, words[1].utf8.allSatisfy(\.isASCIIDigit), let number = Int(words[1]),
                number <= Bounds.bodyByteCount
            else {
                self = .unreadable
                return
            }
            self = .word(String(words[0]), number)
        default: self = .unreadable
        }
    }
}
