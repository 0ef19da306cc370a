import ProctorBase
import ProctorDocument

extension ScenarioReader {
    private static let messageKeys = [
        "status", "reason", "version", "headers", "body", "coding", "framing", "trailers", "interim", "honours",
        "unsatisfiable", "pace",
    ]

    /// Beside a message of any kind.
    private static let otherReplyKeys = ["raw", "slice", "effects", "forward", "tunnel", "opaque", "then"]

    private static let reservedReplyKeys = ["auth": "the exchange: write it beside \"reply\""]

    /// What a reply is for, which decides what it may leave out.
    enum ReplyKind: Equatable {
        /// An exchange's own: nothing goes without saying.
        case own
        /// Of ranges that are not within the content: its status may be left out and is 416 (RFC 9110 §15.5.17).
        case ofRanges
        /// A guard's: its status may be left out, and only `raw` where no field is added to it.
        case guarding(status: Int, takesRaw: Bool)

        /// Of a reply that says none; nil: each has to.
        fileprivate var status: Int? {
            switch self {
            case .own: nil
            case .ofRanges: 416
            case .guarding(let status, _): status
            }
        }
    }

    /// One reply: a message, raw bytes, effects, or a message with effects.
    func reply(_ node: Node, scope: TemplateScope, kind: ReplyKind = .own) -> Reply? {
        let shape = node.text.flatMap { Int($0) }.map { "write { status: \($0) }" }
        guard
            let reader = MappingReader(
                node, "a reply", keys: Self.messageKeys + Self.otherReplyKeys,
                reserved: Self.reservedReplyKeys, shape: shape, sink: sink)
        else { return nil }
        if let entry = reader.entry("forward") { return forward(entry, reader, kind: kind) }
        let effects = reader["effects"].map { self.effects($0, scope: scope) } ?? []
        let slicing = reader["slice"].flatMap(slicing)
        let persistence = reader["then"].flatMap { self.persistence($0, reader, effects) } ?? .usual
        let messageEntries = reader.entries.filter { Self.messageKeys.contains($0.key) }
        var message: Reply.Message?
        var rawTunnel: Int?
        if let raw = reader["raw"] {
            if case .guarding(_, takesRaw: false) = kind {
                sink.report(
                    reader.entry("raw")?.keyNode ?? raw,
                    "\"raw\" does not go with \"refuse\", whose challenges are added behind the fields",
                    hint: "put the whole exchange into its own reply, or write verbatim: under schemes")
                return nil
            }
            for entry in messageEntries {
                sink.report(entry.keyNode, "\(quoted(entry.key)) does not go with \"raw\", which is sent verbatim")
            }
            rawTunnel = reader.entry("tunnel").flatMap { self.tunnel($0, reader, status: nil, kind: kind) }
            if let node = reader.entry("opaque")?.keyNode, reader["tunnel"] != nil {
                sink.report(
                    node, "\"opaque\" does not go with \"tunnel\": behind the head the connection is the origin's")
            }
            if raw.items?.isEmpty == true { sink.report(raw, "a raw reply needs at least one piece") }
            let pieces = pieces(raw, "a raw reply", scope: scope)
            guard !pieces.isEmpty else { return nil }
            message = .raw(pieces)
        } else if !messageEntries.isEmpty || kind != .own || reader["tunnel"] != nil {
            guard let structured = structured(reader, slicing: slicing, scope: scope, kind: kind) else {
                return nil
            }
            message = .structured(structured)
        } else {
            if let node = reader.entry("slice")?.keyNode {
                sink.report(node, "\"slice\" needs \"status\" or \"raw\": a reply of effects alone has nothing to cut")
            }
            if reader["effects"] == nil {
                sink.report(node, "a reply needs \"status\", \"raw\" or \"effects\"")
                return nil
            }
        }
        checkEffects(effects, of: message, opensTunnel: rawTunnel != nil)
        if let slicing, let node = reader["slice"], let message { check(slicing, of: message, at: node) }
        var rawSlicing: Slicing?
        if case .raw? = message { rawSlicing = slicing }
        return Reply(
            message: message, effects: effects, rawSlicing: rawSlicing, rawTunnel: rawTunnel, persistence: persistence,
            opaque: opaque(reader, message, scope: scope), location: node.location)
    }

    private func structured(
        _ reader: MappingReader, slicing: Slicing?, scope: TemplateScope, kind: ReplyKind
    ) -> StructuredReply? {
        let usual = kind.status
        let node = usual == nil ? reader.required("status") : reader["status"]
        let status = node.map { sink.integer($0, "a status", in: Bounds.status) } ?? usual
        let reason = reader["reason"].flatMap { line($0, "a reason") }
        let version = reader["version"].flatMap { line($0, "a version") }
        let headers = reader["headers"].map { fields($0, "headers", scope: scope) } ?? []
        let trailers = reader["trailers"].map { fields($0, "trailers", scope: scope) } ?? []
        let interim = reader["interim"].map { self.interim($0, scope: scope) } ?? []
        let coding = reader["coding"].flatMap(coding)
        var bodyScope = scope
        bodyScope.isCoded = reader["coding"] != nil
        let body = reader["body"].map { self.body($0, scope: bodyScope) } ?? []
        let honours = reader["honours"].map(honours) ?? []
        let unsatisfiable = reader.entry("unsatisfiable").flatMap { self.unsatisfiable($0, honours, scope: scope) }
        let pace = reader["pace"].flatMap(pace)
        var framing = StructuredReply.Framing.unspecified
        if let node = reader["framing"] {
            guard let read = self.framing(node) else { return nil }
            framing = read
        }
        let tunnel = reader.entry("tunnel").flatMap { self.tunnel($0, reader, status: status, kind: kind) }
        guard let status else { return nil }
        let reply = StructuredReply(
            status: status, reason: reason, version: version ?? "HTTP/1.1", headers: headers, body: body,
            framing: framing, trailers: trailers, interim: interim, coding: coding, honours: honours,
            unsatisfiable: unsatisfiable, tunnel: tunnel, pace: pace, slicing: slicing)
        check(reply, reader)
        return reply
    }

    private enum Then: String, CaseIterable { case keep, close }

    /// `then:`, and what goes before it.
    private func persistence(_ node: Node, _ reader: MappingReader, _ effects: [Effect]) -> Reply.Persistence? {
        for key in ["tunnel", "opaque"] where reader[key] != nil {
            sink.report(node, "\"then\" does not go with \"\(key)\", behind which no other request is read")
        }
        guard let then = sink.choice(node, "an end of a reply", among: Then.self) else { return nil }
        guard then == .keep else { return .close }
        if reader["framing"]?.text == "close" {
            sink.report(
                node, "the connection can't stay: framing: close ends the body by its end",
                hint: "write framing: length or chunked")
        }
        if let effect = effects.first(where: { $0.action.endsTheReply }) {
            let place = effect.location
            sink.report(node, "the connection can't stay: the effect at \(place.line):\(place.column) ends it")
        }
        return .keep
    }

    /// `unsatisfiable:` beside `honours: ranges`.
    private func unsatisfiable(
        _ entry: Node.Entry, _ honours: Set<Honour>, scope: TemplateScope
    ) -> UnsatisfiableReply? {
        if !honours.contains(.ranges) {
            sink.report(
                entry.keyNode, "\"unsatisfiable\" is the reply to ranges, and this reply does not honour them",
                hint: "write honours: ranges beside it")
        }
        for key in ["honours", "coding", "tunnel", "opaque", "forward"] {
            guard let inner = entry.value.entries?.first(where: { $0.key == key }) else { continue }
            sink.report(inner.keyNode, "\(quoted(key)) has no place in the reply to ranges that are not there")
            return nil
        }
        return reply(entry.value, scope: scope, kind: .ofRanges).map { UnsatisfiableReply($0) }
    }

    /// Text within one line.
    func line(_ node: Node, _ what: String, hint: String? = "use raw: to send one") -> String? {
        guard let text = sink.text(node, what) else { return nil }
        if let offset = text.utf8.enumerated().first(where: { $0.element == 0x0A || $0.element == 0x0D })?.offset {
            sink.report(node.location(ofTextOffset: offset), "\(what) holds no line break", hint: hint)
            return nil
        }
        return text
    }
}
