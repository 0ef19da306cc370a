import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorScenario

/// `{ settings: { … } }` under `do:` and at an origin, with the parameter names of RFC 9113 §6.5.2 and of IANA's
/// registry.
struct SettingKeys: Sendable {
    let headerTableSize = Key("header-table-size", Shape<UInt32>.setting)
    let enablePush = Key("enable-push", Shape<UInt32>.setting)
    let maxConcurrentStreams = Key("max-concurrent-streams", Shape<UInt32>.setting)
    let initialWindowSize = Key("initial-window-size", Shape<UInt32>.setting)
    let maxFrameSize = Key("max-frame-size", Shape<UInt32>.setting)
    let maxHeaderListSize = Key("max-header-list-size", Shape<UInt32>.setting)
    let enableConnectProtocol = Key("enable-connect-protocol", Shape<UInt32>.setting)
    let noRFC7540Priorities = Key("no-rfc7540-priorities", Shape<UInt32>.setting)
    let unknown = Key("unknown", Shape<Node>.node(["type": "object"], takes: "numbers to values"))
}

extension Shape where Value == UInt32 {
    fileprivate static var setting: Shape { number("the value of a setting", in: 0...Int(UInt32.max)) }

    fileprivate static func number(_ what: String, in range: ClosedRange<Int>) -> Shape {
        let shape = Shape<Int>.integer(what, in: range)
        return Shape(shape.form) { node, reader in
            shape.read(node, reader).flatMap { UInt32(exactly: $0) }
        }
    }
}

/// `{ frame: { … } }` under `do:`.
struct FrameKeys: Sendable {
    let type = Key(
        "type",
        Shape<FrameTemplate.TypeName>(
            [
                "anyOf": [
                    .words(FrameType.names + HTTP3FrameType.names), .number(0...(1 << 62) - 1), UInt64.hexadecimal,
                ]
            ],
            takes: "a name like `HEADERS`, or a number"
        ) { $1.frameType($0) }, isRequired: true)
    let flags = Key(
        "flags",
        Shape<FrameFlags>(
            [
                "anyOf": [
                    .number(0...255),
                    .items(.words(ScenarioReader.flagNames.map(\.name)), ["maxItems": 8, "uniqueItems": true]),
                ]
            ], takes: "a list of names, or 0 … 255"
        ) { $1.frameFlags($0) })
    let stream = Key(
        "stream",
        Shape<FrameTemplate.Stream>(
            [
                "anyOf": [
                    .words(["this", "connection", "idle"] + HTTP3Behaviour.allStreams.map(\.description)),
                    .number(0...Int(UInt32.max >> 1)),
                ]
            ],
            takes: "`this`, `connection`, `idle`, a number, or over HTTP/3 `control`, `encoder` or `decoder`"
        ) { $1.frameStream($0) })
    let payload = Key("payload", Shape<[UInt8]>.literal("the payload", limit: 1 << 20))
    let fields = Key("fields", Shape<[ReplyField]>.fields("the fields of the frame"))
    let promised = Key("promised", Shape<UInt32>.number("a promised stream", in: 0...Int(UInt32.max >> 1)))
    let length = Key("length", Shape<Int>.integer("the length of a frame", in: 0...FrameLimits.largestMaximum))
    let reserved = Key("reserved", Shape<Bool>.boolean("reserved"))
}

extension FrameType {
    static let names = (0...16).map { FrameType(rawValue: $0).description }.filter { FrameType(named: $0) != nil }
}

extension HTTP3FrameType {
    /// Those of HTTP/3 alone.
    static let names = ["CANCEL_PUSH", "MAX_PUSH_ID", "PUSH_PRIORITY_UPDATE"]
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
                let identifier = HTTP2SettingIdentifier(fixtureName: entry.key)
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
            settings.append(Setting(HTTP2SettingIdentifier(rawValue: number), value))
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
            stream: stream ?? (type.isOfConnections ? .connection : .this), content: content)
        frame.statedByteCount = length
        frame.hasReservedBit = isReserved ?? false
        return frame
    }

    fileprivate func frameType(_ node: Node) -> FrameTemplate.TypeName? {
        guard let text = sink.text(node, "a type") else { return nil }
        var (http2, http3) = (FrameType(named: text), HTTP3FrameType(named: text))
        if let http2, http3 == nil {
            // The number of a type that HTTP/3 may not have; of another one it means something else there.
            let same = HTTP3FrameType(rawValue: UInt64(http2.rawValue))
            if same.isForbidden { http3 = same }
        } else if http2 == nil, http3 == nil, let number = UInt64(quicNumber: text) {
            http2 = UInt8(exactly: number).map { FrameType(rawValue: $0) }
            http3 = HTTP3FrameType(rawValue: number)
        }
        guard http2 != nil || http3 != nil else {
            return sink.refuse(
                node, "unknown type \(quoted(text)) of a frame",
                hint: NearestName.find(text, in: FrameType.names + HTTP3FrameType.names)
                    .map { "did you mean \(quoted($0))?" } ?? "a name like HEADERS, or a number below 2^62")
        }
        if http2 == nil {
            secondPass.later { [place] resolver in _ = resolver.speaksHTTP3(text, at: place, node) }
        } else if http3 == nil {
            secondPass.later { [place] resolver in _ = resolver.speaksHTTP2(text, at: place, node) }
        }
        return FrameTemplate.TypeName(
            http2?.description ?? http3?.description ?? text, http2: http2, http3: http3)
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
        case "connection": return .connection
        case "idle": return .idle
        default:
            if let stream = HTTP3Behaviour.allStreams.first(where: { $0.description == text }) {
                secondPass.later { [place] resolver in _ = resolver.speaksHTTP3(text, at: place, node) }
                return .critical(stream)
            }
            if text.utf8.allSatisfy(\.isASCIIDigit), let number = UInt32(text), number <= UInt32.max >> 1 {
                return .number(number)
            }
            return sink.refuse(
                node, "unknown stream \(quoted(text))",
                hint: "permitted: this, connection, idle, control, encoder, decoder, or a number up to 2147483647")
        }
    }
}

extension FrameTemplate.TypeName {
    /// Whether frames of the type are sent on stream 0 (RFC 9113 §6), or on the control stream (RFC 9114 §7).
    fileprivate var isOfConnections: Bool {
        http2.map { [.settings, .ping, .goAway].contains($0) } ?? false
            || http3.map { [.settings, .goAway, .cancelPush, .maxPushID].contains($0) } ?? false
    }
}

extension HTTP2SettingIdentifier {
    fileprivate init?(fixtureName: String) {
        self.init(named: String(fixtureName.uppercased().map { $0 == "-" ? "_" : $0 }))
    }
}

extension Resolver {
    /// Reports a word at a place where no HTTP/2 is spoken.
    func speaksHTTP2(_ word: String, at place: OriginPlace, _ node: Node) -> Bool {
        speaks("HTTP/2", word, at: place, node, hint: "write protocols: [h2] at the origin", \.speaksHTTP2)
    }

    /// The same for HTTP/3.
    func speaksHTTP3(_ word: String, at place: OriginPlace, _ node: Node) -> Bool {
        speaks(
            "HTTP/3", word, at: place, node, hint: "write scheme: https and protocols: [h3] at the origin",
            \.speaksHTTP3)
    }

    /// The same for either of them.
    func speaksFrames(_ word: String, at place: OriginPlace, _ node: Node) -> Bool {
        speaks("HTTP/2 or HTTP/3", word, at: place, node, hint: "write protocols: [h2] at the origin") {
            $0.speaksHTTP2 || $0.speaksHTTP3
        }
    }

    private func speaks(
        _ name: String, _ word: String, at place: OriginPlace, _ node: Node, hint: String, _ isSpoken: (Origin) -> Bool
    ) -> Bool {
        let silent: Origin? =
            switch place {
            case .any: origins.contains(where: isSpoken) ? nil : origins.first
            case .one(let index):
                origins.indices.contains(index) && !isSpoken(origins[index]) ? origins[index] : nil
            case .unknown: nil
            }
        guard let silent else { return true }
        sink.report(
            node, "\(quoted(word)) needs \(name), which the origin \(quoted(silent.name)) does not speak", hint: hint)
        return false
    }
}
