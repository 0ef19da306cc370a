import ProctorBase
import ProctorDocument

extension ScenarioReader {
    private static let messageKeys = [
        "status", "reason", "version", "headers", "body", "trailers", "interim", "framing",
    ]

    private static let reservedReplyKeys: [String: String] = {
        let later = "which this version does not serve yet"
        return [
            "coding": "content codings, \(later)", "auth": "authentication, \(later)", "tunnel": "proxies, \(later)",
            "pace": "pacing, \(later)", "slice": "slicing, \(later)",
        ]
    }()

    /// One reply: a message, raw bytes, effects, or a message with effects.
    func reply(_ node: Node, scope: TemplateScope) -> Reply? {
        guard
            let reader = MappingReader(
                node, "a reply", keys: Self.messageKeys + ["raw", "effects"], reserved: Self.reservedReplyKeys,
                sink: sink)
        else { return nil }
        let effects = reader["effects"].map { self.effects($0, scope: scope) } ?? []
        let messageEntries = reader.entries.filter { Self.messageKeys.contains($0.key) }
        var message: Reply.Message?
        if let raw = reader["raw"] {
            for entry in messageEntries {
                sink.report(entry.keyNode, "\(quoted(entry.key)) does not go with \"raw\", which is sent verbatim")
            }
            guard let bytes = bytes(raw, "a raw reply", scope: scope) else { return nil }
            message = .raw(bytes)
        } else if !messageEntries.isEmpty {
            guard let structured = structured(reader, scope: scope) else { return nil }
            message = .structured(structured)
        } else if reader["effects"] == nil {
            sink.report(node, "a reply needs \"status\", \"raw\" or \"effects\"")
            return nil
        }
        checkEffects(effects, of: message)
        return Reply(message: message, effects: effects, location: node.location)
    }

    private func structured(_ reader: MappingReader, scope: TemplateScope) -> StructuredReply? {
        let status = reader.required("status").flatMap { sink.integer($0, "a status", in: Bounds.status) }
        let reason = reader["reason"].flatMap { line($0, "a reason") }
        let version = reader["version"].flatMap { line($0, "a version") }
        let headers = reader["headers"].map { fields($0, "headers", scope: scope) } ?? []
        let trailers = reader["trailers"].map { fields($0, "trailers", scope: scope) } ?? []
        let interim = reader["interim"].map { self.interim($0, scope: scope) } ?? []
        let body = reader["body"].map { self.body($0, scope: scope) } ?? []
        var framing = StructuredReply.Framing.unspecified
        if let node = reader["framing"] {
            guard let read = self.framing(node) else { return nil }
            framing = read
        }
        guard let status else { return nil }
        if let node = reader.entry("trailers")?.keyNode, !framing.isChunked {
            sink.report(node, "trailers are sent after the last chunk only", hint: "add framing: chunked")
        }
        if let node = reader.entry("body")?.keyNode, framing == .unspecified,
            status < 200 || [204, 304].contains(status),
            body.contains(where: \.isBytes)
        {
            sink.report(
                node, "a \(status) reply never has a body (RFC 9112 §6.3)",
                hint: "say framing: none, close, length or chunked to send one all the same")
        }
        return StructuredReply(
            status: status, reason: reason, version: version ?? "HTTP/1.1", headers: headers, body: body,
            framing: framing, trailers: trailers, interim: interim)
    }

    /// Text within one line.
    private func line(_ node: Node, _ what: String) -> String? {
        guard let text = sink.text(node, what) else { return nil }
        if let offset = text.utf8.enumerated().first(where: { $0.element == 0x0A || $0.element == 0x0D })?.offset {
            sink.report(
                node.location(ofTextOffset: offset), "\(what) holds no line break", hint: "use raw: to send one")
            return nil
        }
        return text
    }

    /// Bytes, or a list of bytes and effects.
    private func body(_ node: Node, scope: TemplateScope) -> [BodyPiece] {
        guard let items = node.items else {
            return bytes(node, "a body", scope: scope).map { [.bytes($0)] } ?? []
        }
        guard items.count <= Bounds.chunks else {
            sink.report(node, "a body has \(items.count) pieces; at most \(Bounds.chunks) are permitted")
            return []
        }
        return items.compactMap { item in
            guard item.entries?.contains(where: { $0.key == "do" || $0.key == "abrupt" || $0.key == "at" }) == true
            else {
                return bytes(item, "a piece of a body", scope: scope).map { .bytes($0) }
            }
            if let position = item.entries?.first(where: { $0.key == "at" }) {
                sink.report(
                    position.keyNode, "an effect in a body stands where it is played; \"at\" goes under effects:")
                return nil
            }
            guard let reader = MappingReader(item, "an effect in a body", keys: ["do", "abrupt"], sink: sink) else {
                return nil
            }
            return action(reader, scope: scope).map { .effect($0) }
        }
    }

    private func interim(_ node: Node, scope: TemplateScope) -> [InterimReply] {
        (sink.list(node, "interim", limit: Bounds.interim) ?? []).compactMap { item in
            guard item.entries != nil else {
                return sink.integer(item, "an interim status", in: 100...199)
                    .map { InterimReply(status: $0, reason: nil, headers: []) }
            }
            let keys = ["status", "reason", "headers"]
            guard let reader = MappingReader(item, "an interim reply", keys: keys, sink: sink) else { return nil }
            let status = reader.required("status").flatMap { sink.integer($0, "an interim status", in: 100...199) }
            let reason = reader["reason"].flatMap { line($0, "a reason") }
            let headers = reader["headers"].map { fields($0, "headers", scope: scope) } ?? []
            return status.map { InterimReply(status: $0, reason: reason, headers: headers) }
        }
    }

    private func framing(_ node: Node) -> StructuredReply.Framing? {
        if node.entries != nil {
            guard let reader = MappingReader(node, "framing", keys: ["chunked"], sink: sink),
                let sizes = reader.required("chunked"),
                let items = sink.list(sizes, "chunk sizes", limit: Bounds.chunks)
            else { return nil }
            if items.isEmpty { sink.report(sizes, "chunk sizes need at least one", hint: "or write framing: chunked") }
            let numbers = items.compactMap { sink.integer($0, "a chunk size", in: 1...Bounds.bodyByteCount) }
            return numbers.count == items.count ? .chunked(sizes: numbers) : nil
        }
        guard let text = sink.text(node, "framing") else { return nil }
        switch text {
        case "length": return .length
        case "chunked": return .chunked(sizes: [])
        case "close": return .close
        case "none": return StructuredReply.Framing.none
        default:
            let names = ["length", "chunked", "close", "none"]
            sink.report(
                node, "unknown framing \(quoted(text))", hint: DiagnosticSink.hint(for: text, among: names))
            return nil
        }
    }
}

extension StructuredReply.Framing {
    /// Whether chunks, and so trailers, are sent.
    var isChunked: Bool {
        if case .chunked = self { return true }
        return false
    }
}

extension BodyPiece {
    /// Whether the piece adds to the content.
    var isBytes: Bool {
        if case .bytes = self { return true }
        return false
    }
}
