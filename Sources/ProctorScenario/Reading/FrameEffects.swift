import ProctorBase
import ProctorDocument
import ProctorHTTP2

/// `{ settings: { … } }` under `do:`, and at an origin: parameters by their names in RFC 9113 §6.5.2 and IANA's registry.
struct SettingKeys: Sendable {
    let headerTableSize = Key(
        "header-table-size", Shape<UInt32>.setting, says: "Bytes of the table of field lines (RFC 7541 §4.2).")
    let enablePush = Key("enable-push", Shape<UInt32>.setting, says: "0 or 1 is lawful; a server may say 0 alone.")
    let maxConcurrentStreams = Key(
        "max-concurrent-streams", Shape<UInt32>.setting, says: "Streams that the client may have open.")
    let initialWindowSize = Key(
        "initial-window-size", Shape<UInt32>.setting,
        says: "Bytes of content that a stream takes before a WINDOW_UPDATE; up to 2,147,483,647 is lawful.")
    let maxFrameSize = Key(
        "max-frame-size", Shape<UInt32>.setting, says: "Bytes of a payload; 16,384 … 16,777,215 is lawful.")
    let maxHeaderListSize = Key(
        "max-header-list-size", Shape<UInt32>.setting, says: "Bytes of a field section, as RFC 9113 counts them.")
    let enableConnectProtocol = Key(
        "enable-connect-protocol", Shape<UInt32>.setting, says: "1: extended CONNECT is taken (RFC 8441 §3).")
    let noRFC7540Priorities = Key(
        "no-rfc7540-priorities", Shape<UInt32>.setting,
        says: "1: the priorities of RFC 7540 are not used (RFC 9218 §2.1).")
    let unknown = Key(
        "unknown", Shape<Node>.node(["type": "object"], takes: "numbers to values"),
        says: "Parameters by their numbers, like `{ 0x2a2a: 1 }`, which a client ignores.")
}

extension Shape where Value == UInt32 {
    fileprivate static var setting: Shape { number("the value of a setting", in: 0...Int(UInt32.max)) }

    fileprivate static func number(_ what: String, in range: ClosedRange<Int>) -> Shape {
        let shape = Shape<Int>.integer(what, in: range)
        return Shape(shape.schema, takes: shape.takes) { node, reader in
            shape.read(node, reader).flatMap { UInt32(exactly: $0) }
        }
    }
}

/// `{ frame: { … } }` under `do:`.
struct FrameKeys: Sendable {
    let type = Key(
        "type",
        Shape<FrameType>(
            ["anyOf": [.words(FrameType.names), .number(0...255)]], takes: "a name like `HEADERS`, or 0 … 255"
        ) { $1.frameType($0) }, leftOut: "required", says: "The type, by IANA's name or number.")
    let flags = Key(
        "flags",
        Shape<FrameFlags>(
            [
                "anyOf": [
                    .number(0...255),
                    .items(.words(ScenarioReader.flagNames.map(\.name)), ["maxItems": 8, "uniqueItems": true]),
                ]
            ], takes: "a list of names, or 0 … 255"
        ) { $1.frameFlags($0) }, leftOut: "`END_HEADERS` where there are `fields`, else none",
        says: "`END_STREAM`, `END_HEADERS`, `PADDED`, `PRIORITY`, `ACK`.", example: "[END_STREAM]")
    let stream = Key(
        "stream",
        Shape<FrameTemplate.Stream>(
            ["anyOf": [.words(["this", "connection", "idle"]), .number(0...Int(UInt32.max >> 1))]],
            takes: "`this`, `connection`, `idle` or a number"
        ) { $1.frameStream($0) }, leftOut: "`connection` for SETTINGS, PING and GOAWAY, else `this`",
        says: "`this` is that of the reply, `connection` is 0, and `idle` one that the client would open next.")
    let payload = Key(
        "payload", Shape<[UInt8]>.literal("the payload", limit: 1 << 20), leftOut: "nothing",
        says: "What follows its head, padding too.")
    let fields = Key(
        "fields", Shape<[ReplyField]>.fields("the fields of the frame"),
        says: "A field block in place of `payload`, as HPACK; fields like `\":status\"` are written as they are.")
    let promised = Key(
        "promised", Shape<UInt32>.number("a promised stream", in: 0...Int(UInt32.max >> 1)),
        says: "Of PUSH_PROMISE, beside `fields`: the stream that is promised.")
    let length = Key(
        "length", Shape<Int>.integer("the length of a frame", in: 0...FrameLimits.largestMaximum),
        leftOut: "that of the payload", says: "What the head says.")
    let reserved = Key(
        "reserved", Shape<Bool>.boolean("reserved"), leftOut: "`false`",
        says: "Sets the bit before the stream, which a client ignores.")
}

extension FrameType {
    static let names = (0...16).map { FrameType(rawValue: $0).description }.filter { FrameType(named: $0) != nil }
}

extension EffectVerb {
    /// Those of HTTP/2.
    static let ofFrames: [EffectVerb] = [
        EffectVerb(
            verb: .goaway,
            argument: (
                "\(ErrorCode.fixturePattern)( last (highest|this|before|most|[0-9]{1,10}))?", "CODE [last STREAM]"
            ),
            sentence:
                "GOAWAY, over HTTP/2; the connection ends when the streams up to the last one are done. STREAM is `highest` "
                + "(of all that came, and the default), `this`, `before` (below this one, which is not answered then), "
                + "`most` (2^31 − 1: later ones are still answered) or a number."
        ) { $2.goAway($0, $1) },
        EffectVerb(
            verb: .rst, argument: (ErrorCode.fixturePattern, "CODE"),
            sentence: "RST_STREAM, over HTTP/2: the stream ends, and the connection goes on."
        ) { text, node, reader in reader.ofHTTP2(reader.errorCode(text, node).map { .resetStream($0) }, "rst", node) },
        EffectVerb(
            verb: .ping, argument: nil, sentence: "PING, over HTTP/2; nothing waits for its acknowledgement."
        ) { _, node, reader in reader.ofHTTP2(.ping, "ping", node) },
        EffectVerb(
            verb: .window, argument: ("[0-9]{1,10}( connection)?", "N [connection]"),
            sentence: "WINDOW_UPDATE by N bytes, of the stream or of the connection, over HTTP/2."
        ) { $2.window($0, $1) },
        EffectVerb(
            verb: .push, argument: ("/[!-~]{0,8191}", "TARGET"),
            sentence:
                "PUSH_PROMISE of a GET, over HTTP/2, and on the stream that it promises the reply that an exchange of the "
                + "origin gives it first; `{ push: … }` says more, see [Pushed replies](#pushed-replies)."
        ) { text, node, reader in
            reader.ofHTTP2(reader.pushedTarget(text, node).map { .push(PushedRequest(target: $0)) }, "push", node)
        },
        EffectVerb(
            verb: .pad, argument: ("[0-9]{1,3}", "N"),
            sentence: "DATA and HEADERS of the reply have N bytes of padding from here on, over HTTP/2; up to 255."
        ) { text, node, reader in
            reader.ofHTTP2(
                reader.frameNumber(text, "a number of bytes after pad", in: 0...255, node)
                    .map { .pad(UInt8(clamping: $0)) }, "pad", node)
        },
        EffectVerb(
            verb: .continuation, argument: ("[0-9]{1,6}", "N"),
            sentence:
                "Field blocks of the reply go out in HEADERS and CONTINUATION of at most N bytes from here on, over HTTP/2."
        ) { text, node, reader in
            reader.ofHTTP2(
                reader.frameNumber(text, "a number of bytes after continuation", in: 1...16_384, node)
                    .map { .continuation(byteCount: $0) }, "continuation", node)
        },
    ]
}

extension ErrorCode {
    /// A name or a number, as a regular expression.
    static let fixturePattern = "(\(named.map(\.description).joined(separator: "|"))|[0-9]{1,10}|0x[0-9a-fA-F]{1,8})"

    /// By IANA's name, or by its number.
    init?(fixture text: String) {
        if let named = ErrorCode(named: text) {
            self = named
        } else if text.hasPrefix("0x"), let number = UInt32(text.dropFirst(2), radix: 16) {
            self.init(rawValue: number)
        } else if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = UInt32(text) {
            self.init(rawValue: number)
        } else {
            return nil
        }
    }
}

extension ScenarioReader {
    static let settingTable = Table("settings", SettingKeys(), rules: ["minProperties": 1])
    static let frameTable = Table(
        "a frame", FrameKeys(),
        rules: ["not": .required("payload", "fields"), "dependencies": ["promised": ["fields"]]])

    static let flagNames: [(name: String, flag: FrameFlags)] = [
        ("END_STREAM", .endStream), ("END_HEADERS", .endHeaders), ("PADDED", .padded), ("PRIORITY", .priority),
        ("ACK", .ack),
    ]

    /// The effect, where the origin speaks HTTP/2; reports where it does not.
    func ofHTTP2(_ action: FrameAction?, _ word: String, _ node: Node) -> Effect.Action? {
        secondPass.later { [place] resolver in _ = resolver.speaksHTTP2(word, at: place, node) }
        return action.map { .frames($0) }
    }

    fileprivate func errorCode(_ text: String, _ node: Node) -> ErrorCode? {
        if let code = ErrorCode(fixture: text) { return code }
        let names = ErrorCode.named.map(\.description)
        return sink.refuse(
            node,
            text.isEmpty ? "an error code is missing" : "unknown error code \(quoted(text))",
            hint: NearestName.find(text, in: names).map { "did you mean \(quoted($0))?" }
                ?? "a name of RFC 9113 §7, like CANCEL, or a number 0 ... 4294967295")
    }

    /// A whole number in the text behind a verb.
    fileprivate func frameNumber(_ text: String, _ what: String, in range: ClosedRange<Int>, _ node: Node) -> Int? {
        if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit), let number = Int(text), range.contains(number) {
            return number
        }
        return sink.refuse(
            node, "expected \(what), \(range.lowerBound) ... \(range.upperBound), found \(quoted(text))")
    }

    /// `CODE`, or `CODE last STREAM`.
    fileprivate func goAway(_ text: String, _ node: Node) -> Effect.Action? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        let code = errorCode(words[0], node)
        var last: FrameAction.LastStream? = .highest
        if words.count == 3, words[1] == "last" {
            last = lastStream(words[2], node)
        } else if words.count != 1 {
            let rest = words.dropFirst().joined(separator: " ")
            last = sink.refuse(
                node, "expected last and a stream behind the code, found \(quoted(rest))",
                hint: "like do: goaway NO_ERROR last before")
        }
        guard let code, let last else { return nil }
        return ofHTTP2(.goAway(code, last: last), "goaway", node)
    }

    private func lastStream(_ word: String, _ node: Node) -> FrameAction.LastStream? {
        let known: [(String, FrameAction.LastStream)] = [
            ("highest", .highest), ("this", .this), ("before", .before), ("most", .most),
        ]
        if let found = known.first(where: { $0.0 == word }) { return found.1 }
        if word.utf8.allSatisfy(\.isASCIIDigit), let number = UInt32(word), number <= UInt32.max >> 1 {
            return .number(number)
        }
        return sink.refuse(
            node, "unknown last stream \(quoted(word))",
            hint: "permitted: highest, this, before, most, or a number up to 2147483647")
    }

    /// `N`, or `N connection`.
    fileprivate func window(_ text: String, _ node: Node) -> Effect.Action? {
        let isOfConnection = text.hasSuffix(" connection")
        let digits = isOfConnection ? String(text.dropLast(" connection".count)) : text
        return ofHTTP2(
            frameNumber(digits, "a number of bytes after window", in: 0...Int(UInt32.max >> 1), node)
                .map { .window(increment: UInt32(clamping: $0), isOfConnection: isOfConnection) }, "window", node)
    }

    /// Parameters in the order of the file.
    func settings(_ node: Node) -> [Setting]? {
        guard let keys = Self.settingTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard !keys.entries.isEmpty else {
            return sink.refuse(
                node, "settings need at least one parameter",
                hint: "like { max-concurrent-streams: 1 }; { frame: { type: SETTINGS } } sends none")
        }
        var settings: [Setting] = []
        for entry in keys.entries {
            if entry.key == "unknown" {
                guard let unknown = unknownSettings(entry.value) else { return nil }
                settings += unknown
                continue
            }
            guard let value = Shape<UInt32>.setting.read(entry.value, self),
                let identifier = Setting.Identifier(fixtureName: entry.key)
            else { return nil }
            settings.append(Setting(identifier, value))
        }
        return settings
    }

    private func unknownSettings(_ node: Node) -> [Setting]? {
        guard let entries = entries(node, "settings", from: "number to value", limit: 64) else { return nil }
        var settings: [Setting] = []
        for entry in entries {
            let isHexadecimal = entry.key.hasPrefix("0x")
            let digits = isHexadecimal ? entry.key.dropFirst(2) : entry.key[...]
            guard let number = UInt16(digits, radix: isHexadecimal ? 16 : 10) else {
                return sink.refuse(
                    entry.keyNode, "expected the number of a setting, 0 ... 65535, found \(quoted(entry.key))")
            }
            guard let value = Shape<UInt32>.setting.read(entry.value, self) else { return nil }
            settings.append(Setting(Setting.Identifier(rawValue: number), value))
        }
        return settings
    }

    // MARK: Frames

    func frame(_ node: Node) -> FrameTemplate? {
        guard let keys = Self.frameTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        let errorCount = sink.diagnostics.count
        let type = keys[\.type]
        let flags = keys[\.flags]
        let stream = keys[\.stream]
        let payload = keys[\.payload]
        let fields = keys[\.fields]
        let promised = keys[\.promised]
        let length = keys[\.length]
        let isReserved = keys[\.reserved]
        if keys.has(\.payload), let entry = keys.entry(\.fields)?.keyNode {
            sink.report(entry, "\"fields\" does not go with \"payload\"", hint: "leave one of them out")
        }
        if let entry = keys.entry(\.promised)?.keyNode, !keys.has(\.fields) {
            sink.report(entry, "\"promised\" goes with \"fields\" only", hint: "write its four bytes into payload:")
        }
        guard let type, sink.diagnostics.count == errorCount else { return nil }
        let content: FrameTemplate.Content =
            fields.map { .fields($0, promised: promised) } ?? .payload(payload ?? [])
        var frame = FrameTemplate(
            type: type, flags: flags ?? (fields == nil ? [] : .endHeaders),
            stream: stream ?? (type.isOfConnections ? .number(0) : .this), content: content)
        frame.statedByteCount = length
        frame.hasReservedBit = isReserved ?? false
        return frame
    }

    fileprivate func frameType(_ node: Node) -> FrameType? {
        guard let text = sink.text(node, "a type") else { return nil }
        if let type = FrameType(named: text) { return type }
        if text.utf8.allSatisfy(\.isASCIIDigit), let number = UInt8(text) { return FrameType(rawValue: number) }
        return sink.refuse(
            node, "unknown type \(quoted(text)) of a frame",
            hint: NearestName.find(text, in: FrameType.names).map { "did you mean \(quoted($0))?" }
                ?? "a name like HEADERS, or a number 0 ... 255")
    }

    fileprivate func frameFlags(_ node: Node) -> FrameFlags? {
        guard let items = node.items else {
            return sink.integer(node, "flags", in: 0...255).map { FrameFlags(rawValue: UInt8(clamping: $0)) }
        }
        var flags: FrameFlags = []
        for item in items {
            guard let text = sink.text(item, "a flag") else { return nil }
            guard let flag = Self.flagNames.first(where: { $0.name == text })?.flag else {
                return sink.refuse(
                    item, "unknown flag \(quoted(text))",
                    hint: DiagnosticSink.hint(for: text, among: Self.flagNames.map(\.name)))
            }
            flags.insert(flag)
        }
        return flags
    }

    fileprivate func frameStream(_ node: Node) -> FrameTemplate.Stream? {
        guard let text = sink.text(node, "a stream") else { return nil }
        switch text {
        case "this": return .this
        case "connection": return .number(0)
        case "idle": return .idle
        default:
            if text.utf8.allSatisfy(\.isASCIIDigit), let number = UInt32(text), number <= UInt32.max >> 1 {
                return .number(number)
            }
            return sink.refuse(
                node, "unknown stream \(quoted(text))",
                hint: "permitted: this, connection, idle, or a number up to 2147483647")
        }
    }
}

extension FrameType {
    /// Whether its frames stand on stream 0 (RFC 9113 §6).
    fileprivate var isOfConnections: Bool { self == .settings || self == .ping || self == .goAway }
}

extension Setting.Identifier {
    fileprivate init?(fixtureName: String) {
        self.init(named: String(fixtureName.uppercased().map { $0 == "-" ? "_" : $0 }))
    }
}

extension Resolver {
    /// Reports when HTTP/2 is not spoken at the place.
    func speaksHTTP2(_ word: String, at place: OriginPlace, _ node: Node) -> Bool {
        let silent: Origin? =
            switch place {
            case .any: origins.contains(where: \.speaksHTTP2) ? nil : origins.first
            case .one(let index):
                origins.indices.contains(index) && !origins[index].speaksHTTP2 ? origins[index] : nil
            case .unknown: nil
            }
        guard let silent else { return true }
        sink.report(
            node, "\(quoted(word)) needs HTTP/2, which the origin \(quoted(silent.name)) does not speak",
            hint: "write protocols: [h2] at the origin")
        return false
    }
}
