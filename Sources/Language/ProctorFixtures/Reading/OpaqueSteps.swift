import ProctorBase
import ProctorDocument
import ProctorScenario

/// One step on a connection that is no longer HTTP.
struct OpaqueStepKeys: Sendable {
    let send = Key("send", Shape<ByteSource>.bytes("the bytes to send"))
    let expect = Key("expect", Shape<ByteSource>.bytes("the bytes to expect"))
    let read = Key("read", Shape<Int>.integer("the number of bytes", in: ScenarioReader.expectedByteCount))
    let within = Key("within", Shape<Duration>.duration("within"))
}

/// Reads the steps after a 101 or a 2xx to CONNECT, when the connection is no longer HTTP.
extension ScenarioReader {
    static let opaqueStepTable = Table("a step", OpaqueStepKeys())

    /// The steps; nil without the key.
    func opaque(_ keys: Mapping<ReplyKeys>, _ message: Reply.Message?) -> [OpaqueStep]? {
        guard let entry = keys.entry(\.opaque) else { return nil }
        if let sentence = reasonForHTTP(behind: message) {
            sink.report(
                entry.keyNode, "behind this reply the connection goes on with HTTP: \(sentence)",
                hint: "write status: 101, or raw:, or answer CONNECT with a 2xx status")
        }
        let items = sink.list(entry.value, "opaque", limit: Bounds.effects) ?? []
        return upToEnd(of: "script", items, opaqueStep) { if case .effect(let action) = $0 { action } else { nil } }
    }

    /// Why the connection is still HTTP after the message; nil when it is not, or when that is unknown.
    private func reasonForHTTP(behind message: Reply.Message?) -> String? {
        switch message {
        case .raw: return nil
        case nil: return "a reply of effects alone switches no protocol"
        case .script: return "a script makes the reply"
        case .forward: return "it is that of the origin it is handed on to"
        case .structured(let reply):
            if reply.tunnel != nil { return "\"tunnel\" leads to an origin" }
            if reply.status == 101 || isOfConnect && 200...299 ~= reply.status { return nil }
            return "its status is \(reply.status)"
        }
    }

    static let expectedByteCount = 1...1 << 20

    private func opaqueStep(_ item: Node) -> OpaqueStep? {
        if item.isEffect { return inlineEffect(item, "behind a reply").map { .effect($0) } }
        guard let keys = Self.opaqueStepTable.open(item, self) else { return nil }
        let steps = keys.entries.filter { $0.key != "within" }
        guard steps.count == 1, let step = steps.first else {
            return sink.refuse(item, "a step needs exactly one of do, send, expect and read, found \(steps.count)")
        }
        let limit = keys[\.within]
        if step.key == "send" {
            if let node = keys.entry(\.within)?.keyNode {
                sink.report(node, "\"within\" goes with \"expect\" and \"read\" only")
            }
            return keys[\.send].map { .effect(.send($0)) }
        }
        if step.key == "read" {
            return keys[\.read].map { .read(byteCount: $0, within: limit) }
        }
        guard let source = keys[\.expect] else { return nil }
        if let count = source.byteCount, !Self.expectedByteCount.contains(count) {
            return sink.refuse(
                step.value,
                "a step expects \(Self.expectedByteCount.lowerBound) to \(Self.expectedByteCount.upperBound) bytes, "
                    + "found \(count)")
        }
        return .expect(source, within: limit)
    }
}
