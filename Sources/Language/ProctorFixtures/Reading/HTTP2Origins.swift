import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorScenario

/// `h2:` of an origin.
struct HTTP2Keys: Sendable {
    let settings = Key(
        "settings",
        Shape<[Setting]>(ScenarioReader.settingTable.schema, takes: "[settings](http2.md#settings)") {
            $1.settings($0)
        })
    let preface = Key("preface", Shape<[UInt8]>.literal("the preface", limit: 1 << 16))
    let windowUpdates = UsualKey(
        "window-updates", Shape<WindowUpdates>.choice("what becomes of windows"), usual: .automatic)
    let acknowledges = Key(
        "acknowledges",
        Shape<[HTTP2Behaviour.Acknowledged]>(
            .items(
                .words(HTTP2Behaviour.Acknowledged.allCases.map(\.rawValue)), ["maxItems": 2, "uniqueItems": true]),
            takes: "a list of `settings` and `ping`"
        ) { node, reader in
            guard let items = reader.sink.list(node, "acknowledges", limit: 2) else { return nil }
            let found = items.map { reader.sink.choice($0, "a frame", among: HTTP2Behaviour.Acknowledged.self) }
            return found.contains(nil) ? nil : found.compactMap(\.self)
        })

    enum WindowUpdates: String, CaseIterable, Sendable { case automatic, none }
}

extension ScenarioReader {
    static let http2Table = Table(
        "h2", HTTP2Keys(), rules: ["minProperties": 1, "not": .required("settings", "preface")])

    /// `h2:` and `h3:` of an origin, which must speak these protocols.
    func frameBehaviours(
        _ keys: Mapping<OriginKeys>, _ protocols: [ApplicationProtocol]?
    ) -> (HTTP2Behaviour?, HTTP3Behaviour?) {
        let behaviours = (keys[\.h2], keys[\.h3])
        if let entry = keys.entry(\.h2)?.keyNode, protocols?.contains(.h2) != true {
            sink.report(
                entry, "\"h2\" is about HTTP/2, which this origin does not speak",
                hint: "write protocols: [h2] beside it")
        }
        if let entry = keys.entry(\.h3)?.keyNode, protocols?.contains(.h3) != true {
            sink.report(
                entry, "\"h3\" is about HTTP/3, which this origin does not speak",
                hint: "write scheme: https and protocols: [h3] beside it")
        }
        return behaviours
    }

    func http2(_ node: Node) -> HTTP2Behaviour? {
        guard let keys = Self.http2Table.open(node, self), !keys.hasUnknownKeys else { return nil }
        guard !keys.entries.isEmpty else {
            let names = Self.http2Table.rows.map { quoted($0.name) }
            return sink.refuse(node, "h2 needs one of \(names.joined(separator: ", "))")
        }
        var behaviour = HTTP2Behaviour()
        behaviour.settings = keys[\.settings] ?? []
        behaviour.preface = keys[\.preface]
        behaviour.updatesWindows = keys[\.windowUpdates] == .automatic
        if let acknowledges = keys[\.acknowledges] { behaviour.acknowledges = Set(acknowledges) }
        if keys.has(\.settings), let entry = keys.entry(\.preface)?.keyNode {
            sink.report(entry, "\"preface\" stands in place of all settings", hint: "leave one of them out")
        }
        return behaviour
    }
}

extension Resolver {
    /// Reports an extended CONNECT at an origin whose SETTINGS do not permit it (RFC 8441 §3).
    func checkProtocol(_ node: Node, at origin: Int?) {
        guard let origin, origins.indices.contains(origin), speaksHTTP2("protocol", at: .one(origin), node) else {
            return
        }
        let values = origins[origin].http2.settings.filter { $0.identifier == .enableConnectProtocol }.map(\.value)
        if values.contains(1) || origins[origin].http2.preface != nil { return }
        sink.report(
            node,
            "this can never match: the settings of the origin \(quoted(origins[origin].name)) do not permit "
                + "\":protocol\" (RFC 8441 §3)",
            hint: "write h2: { settings: { enable-connect-protocol: 1 } } there")
    }
}
