import ProctorBase
import ProctorDocument

/// What only a proxy replies: a request handed on, and a tunnel.
extension ScenarioReader {
    /// Keys that speak of a body or its end, of which a reply that opens a tunnel has none (RFC 9110 §9.3.6).
    private static let bodyKeys = ["body", "coding", "framing", "trailers", "honours", "pace"]

    /// `forward: true`, which stands alone.
    func forward(_ entry: Node.Entry, _ reader: MappingReader, kind: ReplyKind) -> Reply? {
        for other in reader.entries where other.key != "forward" {
            sink.report(
                other.keyNode, "\(quoted(other.key)) does not go with \"forward\": the origin's own reply is sent")
        }
        guard isPermitted(entry, kind) else { return nil }
        guard let flag = sink.boolean(entry.value, "forward") else { return nil }
        if !flag { sink.report(entry.value, "\"forward\" is true or left out", hint: "give the reply a status") }
        if !roles.contains(.server) {
            sink.report(
                entry.keyNode, "there is nobody to hand a request on to: no origin has the role server",
                hint: "write origins: { home: { host: home.example.org } } beside the proxy")
        }
        return Reply(message: .forward, effects: [], location: reader.node.location)
    }

    /// The index of the origin that `tunnel:` names; what goes with it is looked at too.
    func tunnel(_ entry: Node.Entry, _ reader: MappingReader, status: Int?, kind: ReplyKind) -> Int? {
        guard isPermitted(entry, kind) else { return nil }
        if !isOfConnect {
            sink.report(
                entry.keyNode, "only CONNECT opens a tunnel (RFC 9110 §9.3.6)", hint: "write request: CONNECT * there")
        }
        if let status, !(200...299).contains(status) {
            sink.report(
                reader["status"] ?? entry.keyNode,
                "a tunnel is opened by a 2xx reply (RFC 9110 §9.3.6), found \(status)", hint: "write status: 200")
        }
        for key in Self.bodyKeys {
            guard let other = reader.entry(key) else { continue }
            sink.report(
                other.keyNode,
                "\(quoted(key)) does not go with \"tunnel\": behind the head the connection is the origin's")
        }
        guard let name = sink.text(entry.value, "the name of an origin") else { return nil }
        guard let index = origins.firstIndex(of: name) else {
            sink.report(
                entry.value, "unknown origin \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: origins))
            return nil
        }
        guard roles.indices.contains(index), roles[index] != .server else { return index }
        let reason = roles[index].refusal ?? "is a proxy"
        sink.report(entry.value, "no tunnel leads there: the origin \(quoted(name)) \(reason)")
        return nil
    }

    private func isPermitted(_ entry: Node.Entry, _ kind: ReplyKind) -> Bool {
        guard kind == .own else {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) does not go with a guard's reply, which refuses",
                hint: "write it in the exchange's own reply")
            return false
        }
        guard !isOfProxy else { return true }
        sink.report(
            entry.keyNode, "\(quoted(entry.key)) is what a proxy does, and the origin of this exchange is none",
            hint: "write origin: NAME with the name of an origin that has role: proxy")
        return false
    }
}
