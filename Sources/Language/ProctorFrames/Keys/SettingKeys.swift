internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP

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
    let unknown = Key<Node>("unknown")
}

/// Parameters of HTTP/3, with the names of IANA's registry.
struct HTTP3SettingKeys: Sendable {
    let maxTableCapacity = Key("qpack-max-table-capacity", Shape<UInt64>.setting)
    let blockedStreams = Key("qpack-blocked-streams", Shape<UInt64>.setting)
    let maxFieldSectionSize = Key("max-field-section-size", Shape<UInt64>.setting)
    let enableConnectProtocol = Key("enable-connect-protocol", Shape<UInt64>.setting)
    let datagram = Key("h3-datagram", Shape<UInt64>.setting)
    let unknown = Key<Node>("unknown")
}

extension Shape where Value: FixedWidthInteger & Sendable {
    /// Up to what the frame takes: 32 bits, or an integer of QUIC (RFC 9000 §16).
    fileprivate static var setting: Shape {
        number("the value of a setting", in: 0...min(Int(clamping: Value.max), (1 << 62) - 1))
    }

    static func number(_ what: String, in range: ClosedRange<Int>) -> Shape {
        let shape = Shape<Int>.integer(what, in: range)
        return Shape(.numbers(range)) { node, reader in
            shape.read(node, reader).flatMap { Value(exactly: $0) }
        }
    }
}

/// How fixtures write the parameters of one protocol.
struct SettingForm<Identifier: SettingIdentifier, Keys: Sendable>: Sendable {
    let table: Table<Keys>
    /// The hint for a mapping without parameters.
    let example: String
    /// The numbers that a parameter can have, as messages say them: `0 ... 65535`.
    let numbers: String

    var shape: Shape<[ProtocolSetting<Identifier>]> { Shape { read($0, $1) } }

    /// Parameters in the order of the file.
    func read(_ node: Node, _ reader: ScenarioReader) -> [ProtocolSetting<Identifier>]? {
        guard let keys = table.open(node, reader), !keys.hasUnknownKeys else { return nil }
        guard !keys.entries.isEmpty else {
            return reader.sink.refuse(node, "settings need at least one parameter", hint: example)
        }
        var settings: [ProtocolSetting<Identifier>] = []
        for entry in keys.entries {
            if entry.key == "unknown" {
                guard let unknown = readUnknown(entry.value, reader) else { return nil }
                settings += unknown
                continue
            }
            guard let value = Shape<Identifier.Value>.setting.read(entry.value, reader),
                let identifier = Identifier(named: String(entry.key.uppercased().map { $0 == "-" ? "_" : $0 }))
            else { return nil }
            settings.append(ProtocolSetting(identifier, value))
        }
        return settings
    }

    private func readUnknown(_ node: Node, _ reader: ScenarioReader) -> [ProtocolSetting<Identifier>]? {
        guard let entries = reader.entries(node, "settings", from: "number to value", limit: 64) else { return nil }
        var settings: [ProtocolSetting<Identifier>] = []
        for entry in entries {
            guard let number = UInt64(quicNumber: entry.key).flatMap({ Identifier.RawValue(exactly: $0) }) else {
                return reader.sink.refuse(
                    entry.keyNode, "expected the number of a setting, \(numbers), found \(quoted(entry.key))")
            }
            guard let value = Shape<Identifier.Value>.setting.read(entry.value, reader) else { return nil }
            settings.append(ProtocolSetting(Identifier(rawValue: number), value))
        }
        return settings
    }
}

extension ScenarioReader {
    static let http2Settings = SettingForm<HTTP2SettingIdentifier, SettingKeys>(
        table: Table("settings", SettingKeys()),
        example: "like { max-concurrent-streams: 1 }; { frame: { type: SETTINGS } } sends none",
        numbers: "0 ... 65535")
    static let http3Settings = SettingForm<HTTP3SettingIdentifier, HTTP3SettingKeys>(
        table: Table("settings of HTTP/3", HTTP3SettingKeys()),
        example: "like { max-field-section-size: 100 }; preface: { hex: \"0400\" } sends none",
        numbers: "below 2^62")
}
