internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorScenario

/// `h2:` of an origin.
struct HTTP2Keys: Sendable {
    let settings = Key("settings", ScenarioReader.http2Settings.shape)
    let preface = Key("preface", Shape<[UInt8]>.literal("the preface", limit: 1 << 16))
    let windowUpdates = UsualKey(
        "window-updates", Shape<WindowUpdates>.choice("what becomes of windows"), usual: .automatic)
    let acknowledges = Key<[HTTP2Behaviour.Acknowledged]>("acknowledges") { node, reader in
        guard let items = reader.sink.list(node, "acknowledges", limit: 2) else { return nil }
        return items.mapAll { reader.sink.choice($0, "a frame", among: HTTP2Behaviour.Acknowledged.self) }
    }

    enum WindowUpdates: String, CaseIterable, Sendable { case automatic, none }
}

/// `h3:` of an origin.
struct HTTP3Keys: Sendable {
    let settings = Key("settings", ScenarioReader.http3Settings.shape)
    let preface = Key("preface", Shape<[UInt8]>.literal("the preface", limit: 1 << 16))
    let streams = Key<[HTTP3StreamType]>("streams") { $1.http3Streams($0) }
    let inserts = Key("inserts", Shape<Bool>.boolean("inserts"))
    let retry = Key("retry", Shape<HTTP3Behaviour.Retry>.choice("retry"))
}

extension ScenarioReader {
    static let http2Table = Table("h2", HTTP2Keys())
    static let http3Table = Table("h3", HTTP3Keys())

    func http2(_ node: Node) -> HTTP2Behaviour? {
        guard let keys = open(Self.http2Table, "h2", node) else { return nil }
        var behaviour = HTTP2Behaviour()
        behaviour.settings = keys[\.settings] ?? []
        behaviour.preface = keys[\.preface]
        behaviour.updatesWindows = keys[\.windowUpdates] == .automatic
        if let acknowledges = keys[\.acknowledges] { behaviour.acknowledges = Set(acknowledges) }
        checkPreface(keys.entry(\.preface), hasSettings: keys.has(\.settings))
        return behaviour
    }

    func http3(_ node: Node) -> HTTP3Behaviour? {
        guard let keys = open(Self.http3Table, "h3", node) else { return nil }
        var behaviour = HTTP3Behaviour()
        behaviour.settings = keys[\.settings] ?? []
        behaviour.preface = keys[\.preface]
        behaviour.streams = keys[\.streams] ?? HTTP3Behaviour.allStreams
        behaviour.inserts = keys[\.inserts] ?? true
        behaviour.retry = keys[\.retry]
        checkPreface(keys.entry(\.preface), hasSettings: keys.has(\.settings))
        return behaviour
    }

    /// A mapping of known keys that is not empty.
    private func open<Keys>(_ table: Table<Keys>, _ name: String, _ node: Node) -> Mapping<Keys>? {
        guard let keys = table.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard !keys.entries.isEmpty else {
            let names = table.rows.map { quoted($0.name) }
            return sink.refuse(node, "\(name) needs one of \(names.joined(separator: ", "))")
        }
        return keys
    }

    private func checkPreface(_ preface: Node.Entry?, hasSettings: Bool) {
        guard hasSettings, let preface else { return }
        sink.report(preface.keyNode, "\"preface\" stands in place of all settings", hint: "leave one of them out")
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
}
