import ProctorBase
import ProctorDocument

/// What a reply does where the connection is no HTTP any more: behind 101, and behind a 2xx reply to CONNECT.
extension ScenarioReader {
    private static let opaqueKeys = ["send", "expect", "read"]

    /// `opaque:` of a reply; nil without it.
    func opaque(_ reader: MappingReader, _ message: Reply.Message?, scope: TemplateScope) -> [OpaqueStep]? {
        guard let entry = reader.entry("opaque") else { return nil }
        if let sentence = reasonForHTTP(behind: message) {
            sink.report(
                entry.keyNode, "behind this reply the connection goes on with HTTP: \(sentence)",
                hint: "write status: 101, or raw:, or answer CONNECT with a 2xx status")
        }
        var end: Node?
        return (sink.list(entry.value, "opaque", limit: Bounds.effects) ?? []).compactMap { item in
            if let end {
                let place = end.location
                sink.report(
                    item, "this is never played: the script ends with the effect at \(place.line):\(place.column)")
                return nil
            }
            guard let step = opaqueStep(item, scope: scope) else { return nil }
            if case .effect(let action) = step, action.endsTheReply { end = item }
            return step
        }
    }

    /// Why what follows is still HTTP; nil where it is not, or where that can't be told before.
    private func reasonForHTTP(behind message: Reply.Message?) -> String? {
        switch message {
        case .raw: return nil
        case nil: return "a reply of effects alone switches no protocol"
        case .forward: return "it is that of the origin it is handed on to"
        case .structured(let reply):
            if reply.tunnel != nil { return "\"tunnel\" leads to an origin" }
            if reply.status == 101 || isOfConnect && 200...299 ~= reply.status { return nil }
            return "its status is \(reply.status)"
        }
    }

    private func opaqueStep(_ item: Node, scope: TemplateScope) -> OpaqueStep? {
        if item.isEffect { return inlineEffect(item, "behind a reply", scope: scope).map { .effect($0) } }
        guard let reader = MappingReader(item, "a step", keys: Self.opaqueKeys + ["within"], sink: sink) else {
            return nil
        }
        let steps = reader.entries.filter { Self.opaqueKeys.contains($0.key) }
        guard steps.count == 1, let step = steps.first else {
            sink.report(item, "a step needs exactly one of do, send, expect and read, found \(steps.count)")
            return nil
        }
        let limit = reader["within"].flatMap { duration($0, "within") }
        if step.key == "send" {
            if let node = reader.entry("within")?.keyNode {
                sink.report(node, "\"within\" goes with \"expect\" and \"read\" only")
            }
            return bytes(step.value, "the bytes to send", scope: scope).map { .effect(.send($0)) }
        }
        if step.key == "read" {
            return sink.integer(step.value, "the number of bytes", in: Bounds.expectedByteCount)
                .map { .read(byteCount: $0, within: limit) }
        }
        guard let source = bytes(step.value, "the bytes to expect", scope: scope) else { return nil }
        if let count = source.byteCount, !Bounds.expectedByteCount.contains(count) {
            sink.report(
                step.value,
                "a step expects \(Bounds.expectedByteCount.lowerBound) to \(Bounds.expectedByteCount.upperBound) bytes, "
                    + "found \(count)")
            return nil
        }
        return .expect(source, within: limit)
    }
}
