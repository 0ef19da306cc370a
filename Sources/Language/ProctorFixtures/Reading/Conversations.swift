import ProctorDocument
import ProctorProgram
import ProctorScenario

struct ConversationActKeys: Sendable {
    let send = Key<Node>("send")
    let `as` = Key("as", Shape<Kind>.choice("a kind of message"))
    let receive = Key("receive", Shape<Int>.integer("a number of messages", in: 1...Bounds.messages))
    let close = Key("close", Shape<Int>.integer("a close code", in: 1000...4999))
    let reason = Key<Node>("reason")

    enum Kind: String, CaseIterable, Sendable { case text, binary }
}

/// Reads what a client does over its WebSocket.
extension ScenarioReader {
    static let conversationActTable = Table("an act of a conversation", ConversationActKeys())

    /// Reads the acts; one that can't be read is reported at its place.
    func conversation(_ node: Node) -> [ConversationAct] {
        let items = oneOrMore(node, "acts of a conversation", limit: Bounds.messages)
        let acts = items.compactMap { item in conversationAct(item).map { (item, $0) } }
        for ((item, _), (_, before)) in zip(acts.dropFirst(), acts) where before.isLast {
            sink.report(item, "nothing can be done behind \(quoted(before.word))")
        }
        return acts.map(\.1)
    }

    private func conversationAct(_ node: Node) -> ConversationAct? {
        guard node.entries != nil else {
            return sink.word(
                node, "an act of a conversation", among: ConversationAct.plain.map { ($0.word, $0) },
                mappings: [("send", "write { send: … }")])
        }
        guard let keys = Self.conversationActTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        let names = keys.entries.map(\.key).sorted()
        switch names {
        case ["send"], ["as", "send"]: return message(keys)
        case ["receive"]: return keys[\.receive].map { .receive($0) }
        case ["close"], ["close", "reason"]:
            let reason = keys.entry(\.reason).flatMap { sink.text($0.value, "a reason") }
            if let reason, reason.utf8.count > Bounds.closeReason, let entry = keys.entry(\.reason) {
                sink.report(
                    entry.value, "the reason has \(reason.utf8.count) bytes; at most \(Bounds.closeReason) fit a frame")
            }
            return keys[\.close].map { .close(code: $0, reason: reason) }
        default:
            return sink.refuse(
                node,
                "an act of a conversation is one of \"send\" (with \"as\"), \"receive\" and \"close\" (with \"reason\")"
            )
        }
    }

    private func message(_ keys: Mapping<ConversationActKeys>) -> ConversationAct? {
        guard let node = keys.entry(\.send)?.value,
            let bytes = literal(node, "the message", limit: Bounds.messageByteCount)
        else { return nil }
        let isText = keys[\.as].map { $0 == .text } ?? (node.text != nil)
        let message = Assignment.Bytes.encode(bytes)
        if isText, String(validating: bytes, as: UTF8.self) == nil {
            return sink.refuse(node, "a client sends no text message that is not UTF-8", hint: "write as: binary")
        }
        return .send(message, isText: isText)
    }
}
