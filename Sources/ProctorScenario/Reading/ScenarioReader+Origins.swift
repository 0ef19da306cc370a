import ProctorBase
import ProctorDocument

extension ScenarioReader {
    /// `main`, then the others as the file names them.
    func originNames(_ node: Node?) -> [String] {
        ["main"] + (node?.entries ?? []).map(\.key).filter { $0 != "main" }
    }

    /// The origins by index; `main` is there whether the file names it or not.
    func origins(_ node: Node?, scenario: Node) -> [Origin] {
        let implicit = Origin(name: "main", role: .server, connectionEffects: [], location: scenario.location)
        guard let node else { return [implicit] }
        guard let entries = node.entries else {
            sink.report(node, "expected origins as a mapping from name to origin, found \(node.found)")
            return [implicit]
        }
        guard entries.count <= Bounds.origins else {
            sink.report(node, "there are \(entries.count) origins; at most \(Bounds.origins) are permitted")
            return [implicit]
        }
        let main = entries.first { $0.key == "main" }.map(origin) ?? implicit
        return [main] + entries.filter { $0.key != "main" }.map(origin)
    }

    private func origin(_ entry: Node.Entry) -> Origin {
        if !entry.key.isIdentifier {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) cannot name an origin",
                hint: "use a letter, then letters, digits, '-' and '_'")
        }
        let plain = Origin(name: entry.key, role: .server, connectionEffects: [], location: entry.keyNode.location)
        let later = "which this version does not serve yet"
        let reserved = [
            "scheme": "TLS, \(later)", "certificate": "TLS, \(later)", "host": "names beside the port, \(later)",
        ]
        // `other:` with nothing after it is a server like any other.
        if entry.value.isNull { return plain }
        guard
            let reader = MappingReader(
                entry.value, "an origin", keys: ["role", "connections", "receive-buffer"], reserved: reserved,
                sink: sink)
        else { return plain }
        let role = reader["role"].flatMap { sink.choice($0, "a role", among: Origin.Role.self) } ?? .server
        let effects = reader["connections"].map(connectionEffects) ?? []
        if role.refusal != nil, let node = reader["connections"] {
            sink.report(node, "\(role.article) \(role.rawValue) origin has no connections")
        }
        let buffer = reader["receive-buffer"].flatMap { sink.integer($0, "a receive buffer", in: Bounds.receiveBuffer) }
        if role == .closed || role == .unreachable, let node = reader.entry("receive-buffer")?.keyNode {
            sink.report(node, "\(role.article) \(role.rawValue) origin receives nothing")
        }
        return Origin(
            name: entry.key, role: role, connectionEffects: effects, receiveBufferByteCount: buffer,
            location: entry.keyNode.location)
    }

    private func connectionEffects(_ node: Node) -> [ConnectionEffect] {
        (sink.list(node, "connections", limit: Bounds.connectionEffects) ?? []).compactMap(connectionEffect)
    }

    private func connectionEffect(_ node: Node) -> ConnectionEffect? {
        let keys = ["at", "do", "on", "request", "abrupt"]
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
        return ConnectionEffect(
            position: position, action: action, connections: connections, requests: requests, location: node.location)
    }

    private func connectionPosition(_ node: Node) -> ConnectionEffect.Position? {
        guard let text = sink.text(node, "a position") else { return nil }
        if text == "handshake" || text.hasPrefix("handshake ") {
            sink.report(node, "\"handshake\" is reserved for TLS, which this version does not serve yet")
            return nil
        }
        switch PositionText(text) {
        case .word("accept", nil): return .accept
        case .word("request-head", let number): return .requestHead(number ?? 0)
        case .word("request-body", let number): return .requestBody(number ?? 0)
        default:
            sink.report(
                node, "unknown position \(quoted(text)) of a connection",
                hint: "permitted: accept, request-head, request-head N, request-body N")
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

extension Origin.Role {
    /// What stands before its name.
    fileprivate var article: String { self == .unaccepting || self == .unreachable ? "an" : "a" }

    /// Why no request ever comes to it, behind the name of the origin; nil where requests can come.
    var refusal: String? {
        switch self {
        case .server, .proxy: nil
        case .closed: "is closed"
        case .unaccepting: "never accepts a connection"
        case .unreachable: "cannot be reached"
        }
    }
}
