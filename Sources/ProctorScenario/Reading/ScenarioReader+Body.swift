import ProctorBase
import ProctorDocument

extension ScenarioReader {
    /// Bytes, a list of bytes and effects, or parts.
    func body(_ node: Node, scope: TemplateScope) -> [BodyPiece] {
        if node.entries?.contains(where: { $0.key == "multipart" }) == true { return multipart(node, scope: scope) }
        return pieces(node, "a body", scope: scope)
    }

    /// Bytes, or a list of bytes and effects; `what` is the noun of messages: `a body`.
    func pieces(_ node: Node, _ what: String, scope: TemplateScope) -> [BodyPiece] {
        guard let items = node.items else {
            return bytes(node, what, scope: scope).map { [.bytes($0)] } ?? []
        }
        guard items.count <= Bounds.chunks else {
            sink.report(node, "\(what) has \(items.count) pieces; at most \(Bounds.chunks) are permitted")
            return []
        }
        let pieces = items.compactMap { item -> BodyPiece? in
            if item.isEffect { return inlineEffect(item, "in \(what)", scope: scope).map { .effect($0) } }
            return bytes(item, "a piece of \(what)", scope: scope).map { .bytes($0) }
        }
        return pieces
    }

    /// `{ do: …, abrupt: … }` among bytes, parts or interim replies; `place` follows "an effect" in messages.
    func inlineEffect(_ item: Node, _ place: String, scope: TemplateScope) -> Effect.Action? {
        if let position = item.entries?.first(where: { $0.key == "at" }) {
            sink.report(
                position.keyNode, "an effect \(place) stands where it is played; \"at\" goes under effects:")
            return nil
        }
        guard let reader = MappingReader(item, "an effect \(place)", keys: ["do"] + Self.effectFlags, sink: sink),
            let action = action(reader, scope: scope)
        else { return nil }
        guard !scope.isCoded else {
            sink.report(
                item, "an effect between pieces has no place in a coded body",
                hint: "count with at: body N, which means byte N of what is coded")
            return nil
        }
        return action
    }

    /// 1xx replies, and effects between them.
    func interim(_ node: Node, scope: TemplateScope) -> [InterimPiece] {
        var end: Node?
        return (sink.list(node, "interim", limit: Bounds.interim) ?? []).compactMap { item in
            if let end {
                let place = end.location
                sink.report(
                    item, "this is never played: the reply ends with the effect at \(place.line):\(place.column)")
                return nil
            }
            guard item.isEffect else { return interimReply(item, scope: scope).map { .reply($0) } }
            guard let action = inlineEffect(item, "between interim replies", scope: scope) else { return nil }
            if action.endsTheReply { end = item }
            return .effect(action)
        }
    }

    private func interimReply(_ item: Node, scope: TemplateScope) -> InterimReply? {
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

extension Node {
    /// Whether the keys are those of an effect that stands in a list of other things.
    var isEffect: Bool { entries?.contains { $0.key == "do" || $0.key == "abrupt" || $0.key == "at" } == true }
}

extension BodyPiece {
    /// Whether the piece adds to the content.
    var isBytes: Bool {
        if case .bytes = self { return true }
        return false
    }
}
