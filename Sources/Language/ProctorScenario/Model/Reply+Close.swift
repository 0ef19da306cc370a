import ProctorBase

extension Reply {
    /// Whether a client that said `close` is told `close` as well (RFC 9112 §9.6): the client sends its next request by itself.
    package var answersClose: Bool {
        guard let structured, persistence == .usual, Self.leadsOn(structured.status) else { return false }
        return !structured.headers.contains { String(decoding: $0.name, as: UTF8.self).lowercased() == "connection" }
    }

    /// A copy of the reply with `Connection: close` behind its fields.
    package var withClose: Reply {
        guard case .structured(let old)? = message else { return self }
        let close = ReplyField(
            name: Array("Connection".utf8), value: Template(parts: [.literal(Array("close".utf8))]), location: location)
        let new = StructuredReply(
            status: old.status, reason: old.reason, version: old.version, headers: old.headers + [close],
            body: old.body, framing: old.framing, trailers: old.trailers, interim: old.interim, coding: old.coding,
            honours: old.honours, unsatisfiable: old.unsatisfiable, tunnel: old.tunnel, pace: old.pace,
            slicing: old.slicing)
        return Reply(
            message: .structured(new), effects: effects, rawSlicing: rawSlicing, rawTunnel: rawTunnel,
            persistence: persistence, opaque: opaque, sets: sets, location: self.location)
    }

    /// Whether a client follows the reply by a further request: a redirect, a challenge, or a refusal for now (RFC 9110 §15.4,
    /// §15.5, §15.6.4, RFC 6585 §4, RFC 8470 §5.2).
    package static func leadsOn(_ status: Int) -> Bool {
        300..<400 ~= status && status != 304 || [401, 407, 408, 417, 421, 425, 429, 503].contains(status)
    }
}
