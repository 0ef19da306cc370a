import ProctorBase
import ProctorDocument

/// Effects on connections, before an exchange is known.
extension ScenarioReader {
    /// `connections:` of an origin.
    func connectionEffects(_ node: Node) -> [ConnectionEffect] {
        (sink.list(node, "connections", limit: Bounds.connectionEffects) ?? []).compactMap(connectionEffect)
    }

    private func connectionEffect(_ node: Node) -> ConnectionEffect? {
        let keys = ["at", "do", "on", "request"] + Self.effectFlags
        guard let reader = MappingReader(node, "a connection effect", keys: keys, sink: sink) else { return nil }
        let position = reader.required("at").flatMap(connectionPosition)
        let action = action(reader, scope: TemplateScope(origins: origins, captures: nil, allowsNow: true))
        var connections: ClosedRange<Int>?
        if let on = reader["on"] {
            guard let range = indexes(on, of: "connection") else { return nil }
            connections = range
        }
        var requests: ClosedRange<Int>?
        if let request = reader["request"] {
            guard let range = indexes(request, of: "request") else { return nil }
            requests = range
        }
        guard let position, let action else { return nil }
        if position == .accept, let node = reader.entry("request")?.keyNode {
            sink.report(node, "\"request\" means nothing at accept, which comes before the first one")
        }
        if case .handshake = position, let node = reader.entry("request")?.keyNode {
            sink.report(node, "\"request\" means nothing at handshake, which comes before the first one")
        }
        checkTLS(action, at: position, reader)
        return ConnectionEffect(
            position: position, action: action, connections: connections, requests: requests, location: node.location)
    }

    private func connectionPosition(_ node: Node) -> ConnectionEffect.Position? {
        guard let text = sink.text(node, "a position") else { return nil }
        if text == "handshake" || text.hasPrefix("handshake ") { return handshakePosition(text, node) }
        switch PositionText(text) {
        case .word("accept", nil): return .accept
        case .word("request-head", let number): return .requestHead(number ?? 0)
        case .word("request-body", let number): return .requestBody(number ?? 0)
        default:
            sink.report(
                node, "unknown position \(quoted(text)) of a connection",
                hint: "permitted: accept, handshake, handshake MOMENT, request-head, request-head N, request-body N")
            return nil
        }
    }

    /// `2` or `0-4`; `thing` is what they count.
    private func indexes(_ node: Node, of thing: String) -> ClosedRange<Int>? {
        guard let text = sink.text(node, "\(thing) indexes") else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil
        }
        if parts.count <= 2, let first = parts.first ?? nil, let last = parts.last ?? nil, first <= last,
            Bounds.index.contains(last)
        {
            return first...last
        }
        sink.report(
            node, "expected \(thing) indexes like 0 or 0-4, found \(quoted(text))",
            hint: "the first \(thing) is 0; at most \(Bounds.index.upperBound)")
        return nil
    }
}
