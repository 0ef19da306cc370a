import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorScenario

/// `h3:` of an origin.
struct HTTP3Keys: Sendable {
    let settings = Key(
        "settings",
        Shape<[HTTP3Setting]>(ScenarioReader.http3SettingTable.schema, takes: "[settings](http3.md#settings)") {
            $1.http3Settings($0)
        })
    let preface = Key("preface", Shape<[UInt8]>.literal("the preface", limit: 1 << 16))
    let streams = Key(
        "streams",
        Shape<[HTTP3StreamType]>(
            .items(.words(HTTP3Behaviour.allStreams.map(\.description)), ["maxItems": 3, "uniqueItems": true]),
            takes: "a list of `control`, `encoder` and `decoder`"
        ) { $1.http3Streams($0) })
    let inserts = Key("inserts", Shape<Bool>.boolean("inserts"))
    let retry = Key("retry", Shape<HTTP3Behaviour.Retry>.choice("retry"))
}

/// Parameters of HTTP/3, with the names of IANA's registry.
struct HTTP3SettingKeys: Sendable {
    let maxTableCapacity = Key("qpack-max-table-capacity", Shape<UInt64>.http3Setting)
    let blockedStreams = Key("qpack-blocked-streams", Shape<UInt64>.http3Setting)
    let maxFieldSectionSize = Key("max-field-section-size", Shape<UInt64>.http3Setting)
    let enableConnectProtocol = Key("enable-connect-protocol", Shape<UInt64>.http3Setting)
    let datagram = Key("h3-datagram", Shape<UInt64>.http3Setting)
    let unknown = Key("unknown", Shape<Node>.node(["type": "object"], takes: "numbers to values"))
}

extension Shape where Value == UInt64 {
    fileprivate static var http3Setting: Shape {
        let shape = Shape<Int>.integer("the value of a setting", in: 0...(1 << 62) - 1)
        return Shape(shape.form) { node, reader in
            shape.read(node, reader).flatMap { UInt64(exactly: $0) }
        }
    }
}

/// `{ stream: { … } }` under `do:`.
struct StreamBytesKeys: Sendable {
    let type = Key(
        "type",
        Shape<HTTP3StreamType>(
            ["anyOf": [.words(HTTP3StreamType.fixtureNames), .number(0...(1 << 62) - 1), UInt64.hexadecimal]],
            takes: "`control`, `push`, `encoder`, `decoder`, or a number below 2^62"
        ) { $1.http3StreamType($0) }, isRequired: true)
    let isNew = Key("new", Shape<Bool>.boolean("new"))
    let bytes = Key("bytes", Shape<[UInt8]>.literal("the bytes of a stream", limit: 1 << 20))
    let ends = Key("fin", Shape<Bool>.boolean("fin"))
}

extension HTTP3StreamType {
    static let fixtureNames = (0...3).map { HTTP3StreamType(rawValue: $0).description }
}

extension ScenarioReader {
    static let http3Table = Table(
        "h3", HTTP3Keys(), rules: ["minProperties": 1, "not": .required("settings", "preface")])
    static let http3SettingTable = Table("settings of HTTP/3", HTTP3SettingKeys(), rules: ["minProperties": 1])
    static let streamBytesTable = Table("bytes of a stream", StreamBytesKeys())

    func http3(_ node: Node) -> HTTP3Behaviour? {
        guard let keys = Self.http3Table.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard !keys.entries.isEmpty else {
            let names = Self.http3Table.rows.map { quoted($0.name) }
            return sink.refuse(node, "h3 needs one of \(names.joined(separator: ", "))")
        }
        var behaviour = HTTP3Behaviour()
        behaviour.settings = keys[\.settings] ?? []
        behaviour.preface = keys[\.preface]
        behaviour.streams = keys[\.streams] ?? HTTP3Behaviour.allStreams
        behaviour.inserts = keys[\.inserts] ?? true
        behaviour.retry = keys[\.retry]
        if keys.has(\.settings), let entry = keys.entry(\.preface)?.keyNode {
            sink.report(entry, "\"preface\" stands in place of all settings", hint: "leave one of them out")
        }
        return behaviour
    }

    fileprivate func http3Settings(_ node: Node) -> [HTTP3Setting]? {
        guard let keys = Self.http3SettingTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard !keys.entries.isEmpty else {
            return sink.refuse(
                node, "settings need at least one parameter",
                hint: "like { max-field-section-size: 100 }; preface: { hex: \"0400\" } sends none")
        }
        var settings: [HTTP3Setting] = []
        for entry in keys.entries {
            if entry.key == "unknown" {
                guard let unknown = unknownHTTP3Settings(entry.value) else { return nil }
                settings += unknown
                continue
            }
            let name = String(entry.key.uppercased().map { $0 == "-" ? "_" : $0 })
            guard let value = Shape<UInt64>.http3Setting.read(entry.value, self),
                let identifier = HTTP3SettingIdentifier(named: name)
            else { return nil }
            settings.append(HTTP3Setting(identifier, value))
        }
        return settings
    }

    private func unknownHTTP3Settings(_ node: Node) -> [HTTP3Setting]? {
        guard let entries = entries(node, "settings", from: "number to value", limit: 64) else { return nil }
        var settings: [HTTP3Setting] = []
        for entry in entries {
            guard let number = UInt64(quicNumber: entry.key) else {
                return sink.refuse(
                    entry.keyNode, "expected the number of a setting, below 2^62, found \(quoted(entry.key))")
            }
            guard let value = Shape<UInt64>.http3Setting.read(entry.value, self) else { return nil }
            settings.append(HTTP3Setting(HTTP3SettingIdentifier(rawValue: number), value))
        }
        return settings
    }

    fileprivate func http3Streams(_ node: Node) -> [HTTP3StreamType]? {
        guard let items = sink.list(node, "streams", limit: 3) else { return nil }
        var streams: [HTTP3StreamType] = []
        for item in items {
            guard let text = sink.text(item, "a stream") else { return nil }
            guard let type = HTTP3Behaviour.allStreams.first(where: { $0.description == text }) else {
                return sink.refuse(
                    item, "unknown stream \(quoted(text))",
                    hint: DiagnosticSink.hint(for: text, among: HTTP3Behaviour.allStreams.map(\.description)))
            }
            if !streams.contains(type) { streams.append(type) }
        }
        return streams
    }

    fileprivate func http3StreamType(_ node: Node) -> HTTP3StreamType? {
        guard let text = sink.text(node, "a type") else { return nil }
        if let index = HTTP3StreamType.fixtureNames.firstIndex(of: text) {
            return HTTP3StreamType(rawValue: UInt64(index))
        }
        if let number = UInt64(quicNumber: text) { return HTTP3StreamType(rawValue: number) }
        return sink.refuse(
            node, "unknown type \(quoted(text)) of a stream",
            hint: NearestName.find(text, in: HTTP3StreamType.fixtureNames).map { "did you mean \(quoted($0))?" }
                ?? "permitted: \(HTTP3StreamType.fixtureNames.joined(separator: ", ")), or a number below 2^62")
    }

    func streamBytes(_ node: Node) -> StreamBytes? {
        guard let keys = Self.streamBytesTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        let errorCount = sink.diagnostics.count
        let type = keys[\.type]
        let isNew = keys[\.isNew]
        let bytes = keys[\.bytes]
        let ends = keys[\.ends]
        guard let type, sink.diagnostics.count == errorCount else { return nil }
        return StreamBytes(type, isNew: isNew ?? false, bytes: bytes ?? [], ends: ends ?? false)
    }
}
