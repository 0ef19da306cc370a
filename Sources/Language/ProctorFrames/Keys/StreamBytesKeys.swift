internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorScenario

/// `{ stream: { … } }` under `do:`.
struct StreamBytesKeys: Sendable {
    let type = Key<HTTP3StreamType>("type", isRequired: true) { $1.http3StreamType($0) }
    let isNew = Key("new", Shape<Bool>.boolean("new"))
    let bytes = Key("bytes", Shape<[UInt8]>.literal("the bytes of a stream", limit: 1 << 20))
    let ends = Key("fin", Shape<Bool>.boolean("fin"))
}

extension HTTP3StreamType {
    static let fixtureNames = named.map(\.description)
}

extension ScenarioReader {
    static let streamBytesTable = Table("bytes of a stream", StreamBytesKeys())

    fileprivate func http3StreamType(_ node: Node) -> HTTP3StreamType? {
        guard let text = sink.text(node, "a type") else { return nil }
        if let type = HTTP3StreamType(named: text) { return type }
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
