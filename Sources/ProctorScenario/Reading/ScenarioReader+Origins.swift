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
        let origins = [main] + entries.filter { $0.key != "main" }.map(origin)
        checkNames(origins, entries)
        return origins
    }

    private func origin(_ entry: Node.Entry) -> Origin {
        if !entry.key.isIdentifier {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) cannot name an origin",
                hint: "use a letter, then letters, digits, '-' and '_'")
        } else if entry.key == "names" {
            sink.report(
                entry.keyNode,
                "\"names\" cannot name an origin: the journal calls the proxy that leads to all names so",
                hint: "take another name")
        }
        let plain = Origin(name: entry.key, role: .server, connectionEffects: [], location: entry.keyNode.location)
        // `other:` with nothing after it is a server like any other.
        if entry.value.isNull { return plain }
        guard
            let reader = MappingReader(
                entry.value, "an origin",
                keys: ["role", "connections", "receive-buffer", "accepts", "limits"] + Self.hostKeys
                    + Self.originTLSKeys, sink: sink)
        else { return plain }
        let role = reader["role"].flatMap { sink.choice($0, "a role", among: Origin.Role.self) } ?? .server
        let scheme = reader["scheme"].map { sink.choice($0, "a scheme", among: Origin.Scheme.self) } ?? .http
        let tls = tls(reader, scheme: scheme, role: role)
        let host = host(reader, scheme: scheme ?? .http, role: role, speaksTLS: tls != nil)
        if host.isUnclear || scheme == nil { unclearOrigins.add(entry.key) }
        var effectReader = self
        effectReader.plainOrigin = tls == nil ? entry.key : nil
        let effects = reader["connections"].map(effectReader.connectionEffects) ?? []
        if role.refusal != nil, let node = reader["connections"] {
            sink.report(node, "\(role.article) \(role.rawValue) origin has no connections")
        }
        let buffer = reader["receive-buffer"].flatMap { sink.integer($0, "a receive buffer", in: Bounds.receiveBuffer) }
        if role == .closed || role == .unreachable, let node = reader.entry("receive-buffer")?.keyNode {
            sink.report(node, "\(role.article) \(role.rawValue) origin receives nothing")
        }
        for key in ["accepts", "limits"] {
            guard let refusal = role.refusal, let node = reader.entry(key)?.keyNode else { continue }
            sink.report(node, "the origin \(quoted(entry.key)) \(refusal), and no request comes there")
        }
        return Origin(
            name: entry.key, role: role, connectionEffects: effects, receiveBufferByteCount: buffer,
            acceptance: reader["accepts"].flatMap { sink.choice($0, "what an origin accepts") } ?? .readable,
            limits: reader["limits"].flatMap(limits), scheme: scheme ?? .http, host: host.host, port: host.port,
            transport: host.transport, tls: tls,
            certificateLocation: reader["certificate"]?.location,
            location: entry.keyNode.location)
    }
}

extension ScenarioReader {
    /// `limits:` of an origin.
    private func limits(_ node: Node) -> OriginLimits? {
        guard let reader = MappingReader(node, "limits", keys: ["line", "fields", "count"], sink: sink) else {
            return nil
        }
        let line = reader["line"].flatMap { sink.integer($0, "the bytes of a line", in: Bounds.lineByteCount) }
        let head = reader["fields"].flatMap { sink.integer($0, "the bytes of a head", in: Bounds.headByteCount) }
        let count = reader["count"].flatMap { sink.integer($0, "the number of field lines", in: Bounds.fieldLines) }
        if let line, let head, let node = reader["line"], line > head {
            sink.report(node, "a line of \(line) bytes does not go into a head of \(head)", hint: "raise \"fields\"")
        }
        if reader.entries.isEmpty {
            sink.report(node, "limits need one of \"line\", \"fields\" and \"count\"")
        }
        return OriginLimits(lineByteCount: line, headByteCount: head, fieldCount: count)
    }
}

extension Origin {
    /// Its name where it speaks no TLS.
    var plainName: String? { tls == nil ? name : nil }
}

extension Origin.Role {
    /// What stands before its name.
    var article: String { self == .unaccepting || self == .unreachable ? "an" : "a" }

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
