import ProctorBase
import ProctorDocument

extension ScenarioReader {
    /// `effects:` of a reply.
    func effects(_ node: Node, scope: TemplateScope) -> [Effect] {
        (sink.list(node, "effects", limit: Bounds.effects) ?? []).compactMap { effect($0, scope: scope) }
    }

    private func effect(_ node: Node, scope: TemplateScope) -> Effect? {
        guard let reader = MappingReader(node, "an effect", keys: ["at", "do"] + Self.effectFlags, sink: sink) else {
            return nil
        }
        let position = reader.required("at").flatMap(position)
        let action = action(reader, scope: scope)
        guard let position, let action else { return nil }
        return Effect(position: position, action: action, location: node.location)
    }

    private func position(_ node: Node) -> Effect.Position? {
        guard let text = sink.text(node, "a position") else { return nil }
        switch PositionText(text) {
        case .word("head", let number): return .head(number ?? 0)
        case .word("body", let number?): return .body(number)
        case .word("wire", let number?): return .wire(number)
        case .word("end", nil): return .end
        case .word("body", nil), .word("wire", nil):
            sink.report(node, "the position \(quoted(text)) needs a number", hint: "\(text) 0 is its first byte")
        default:
            sink.report(
                node, "unknown position \(quoted(text)) of a reply",
                hint: "permitted: head, head N, body N, wire N, end (N up to \(Bounds.bodyByteCount))")
        }
        return nil
    }

    /// `do:` with `abrupt:` and `notify:` beside it.
    func action(_ reader: MappingReader, scope: TemplateScope) -> Effect.Action? {
        var flags: [String: Bool] = [:]
        for key in Self.effectFlags {
            guard let node = reader[key] else { continue }
            guard let value = sink.boolean(node, key) else { return nil }
            flags[key] = value
        }
        guard let node = reader.required("do") else { return nil }
        guard let action = node.entries == nil ? textAction(node, scope) : mappedAction(node, scope) else { return nil }
        if let notify = reader.entry("notify")?.keyNode {
            guard case .close = action else {
                sink.report(notify, "\"notify\" goes with close only")
                return nil
            }
            guard speaksTLS("notify", notify) else { return nil }
        }
        switch action {
        case .close: return .close(abrupt: flags["abrupt"] ?? false, notify: flags["notify"] ?? true)
        case .reset: return .reset(abrupt: flags["abrupt"] ?? false)
        case .wait, .halfClose, .stall, .send, .await, .alert, .truncateRecord, .badMAC:
            guard let abrupt = reader.entry("abrupt")?.keyNode else { return action }
            sink.report(abrupt, "\"abrupt\" goes with close and reset only")
            return nil
        }
    }

    private func mappedAction(_ node: Node, _ scope: TemplateScope) -> Effect.Action? {
        let awaitKeys = ["await", "task", "count", "within"]
        guard let reader = MappingReader(node, "an effect", keys: ["send"] + awaitKeys, sink: sink),
            reader.entries.count == node.entries?.count
        else { return nil }
        if reader["await"] != nil {
            if let send = reader.entry("send")?.keyNode {
                sink.report(send, "\"send\" does not go with \"await\"", hint: "write two effects")
            }
            return awaiting(reader)
        }
        for entry in reader.entries where entry.key != "send" {
            sink.report(entry.keyNode, "\(quoted(entry.key)) goes with \"await\" only")
        }
        guard let value = reader.required("send") else { return nil }
        return bytes(value, "the bytes to send", scope: scope).map { .send($0) }
    }

    private func textAction(_ node: Node, _ scope: TemplateScope) -> Effect.Action? {
        guard let text = sink.text(node, "an effect") else { return nil }
        let word = String(text.prefix { $0 != " " })
        let rest = String(text.dropFirst(word.count + 1))
        let takesText = ["wait", "send", "await", "alert"].contains(word)
        if !takesText, !rest.isEmpty, Self.effectNames.contains(word) {
            sink.report(node, "\(quoted(word)) takes nothing after it, found \(quoted(rest))")
            return nil
        }
        switch word {
        case "wait": return wait(rest, node)
        case "close": return .close(abrupt: false, notify: true)
        case "reset": return .reset(abrupt: false)
        case "half-close": return .halfClose
        case "stall": return .stall
        case "send":
            guard !rest.isEmpty else {
                sink.report(node, "send needs the text to send", hint: "do: send TEXT, or do: { send: BYTES }")
                return nil
            }
            let template = TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, text).dropping(5))
            return template.map { .send(ByteSource($0)) }
        case "await": return awaiting(rest, node)
        case "alert": return alert(rest, node)
        case "truncate-record": return speaksTLS(word, node) ? .truncateRecord : nil
        case "bad-mac": return speaksTLS(word, node) ? .badMAC : nil
        default:
            sink.report(
                node, "unknown effect \(quoted(word))", hint: DiagnosticSink.hint(for: word, among: Self.effectNames))
            return nil
        }
    }

    private static let effectNames = [
        "wait", "close", "reset", "half-close", "stall", "send", "await", "alert", "truncate-record", "bad-mac",
    ]

    private func wait(_ text: String, _ node: Node) -> Effect.Action? {
        guard let nanoseconds = DurationText.nanoseconds(text) else {
            sink.report(node, "expected \(DurationText.expected) after wait, found \(quoted(text))")
            return nil
        }
        guard nanoseconds <= Bounds.waitNanoseconds else {
            sink.report(node, "a wait of \(text) is too long; at most 10m is permitted")
            return nil
        }
        return .wait(.nanoseconds(nanoseconds))
    }
}

extension ByteSource {
    /// A literal where nothing is late-bound.
    init(_ template: Template) {
        self = template.literalBytes.map { .literal($0) } ?? .template(template)
    }
}
