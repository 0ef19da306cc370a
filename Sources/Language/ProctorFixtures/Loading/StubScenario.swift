internal import ProctorBase
internal import ProctorDocument

/// The scenario of a test's stubs, as the helpers of all languages send it: a fixture with two things besides.
///
/// `place: FILE:LINE` of an exchange says where the test has it: messages and verdicts name that place. A reply that says
/// neither a status nor any of ``StubScenario/kinds`` has the status 200.
enum StubScenario {
    /// The keys of a reply of which the status follows, or which stand in the place of a head.
    private static let kinds: Set = [
        "status", "events", "websocket", "script", "raw", "socks", "choose", "forward",
    ]
    private static let placeByteLimit = 1_000

    /// Reads a mapping of the keys of a scenario; messages have the places of the stubs.
    static func fixture(of root: Node, sink: DiagnosticSink) -> Node {
        changing(root, "exchanges") { exchanges in
            guard let items = exchanges.items else { return exchanges }
            return Node(.sequence(items.map { exchange($0, sink) }), madeAt: SourceFile(madeAt: exchanges.location))
        }
    }

    private static func exchange(_ node: Node, _ sink: DiagnosticSink) -> Node {
        guard let entries = node.entries else { return node }
        let at = entries.first { $0.key == "place" }.flatMap { place($0.value, sink) }
        let others = entries.filter { $0.key != "place" }
        let exchange = Node(.mapping(others), madeAt: SourceFile(madeAt: node.location))
        return changing(at.map { moved(exchange, to: SourceFile(madeAt: $0)) } ?? exchange, "reply") { reply in
            guard let items = reply.items else { return withStatus(reply, sink) }
            let source = SourceFile(madeAt: reply.location)
            return Node(.sequence(items.map { withStatus($0, sink) }), madeAt: source)
        }
    }

    /// The place `FILE:LINE`; nil after a message.
    private static func place(_ node: Node, _ sink: DiagnosticSink) -> SourceLocation? {
        guard let text = node.text, text.utf8.count <= placeByteLimit, let colon = text.lastIndex(of: ":"),
            let line = Int(text[text.index(after: colon)...]), line > 0, colon != text.startIndex
        else {
            sink.report(
                node, "expected the place of a stub, found \(node.found)", hint: "like test_items.py:7, the line from 1"
            )
            return nil
        }
        return SourceLocation(
            file: EscapedText.escape(text[..<colon].utf8, limit: placeByteLimit), line: line, column: 1)
    }

    private static func withStatus(_ reply: Node, _ sink: DiagnosticSink) -> Node {
        guard let entries = reply.entries else { return reply }
        let keys = Set(entries.map(\.key))
        if keys.contains("websocket"), let status = entries.first(where: { $0.key == "status" })?.value,
            status.text == "200"
        {
            sink.report(
                status, "a WebSocket is not accepted by 200",
                hint: "leave the status out: it is 101, and 200 on a stream of HTTP/2")
        }
        guard keys.isDisjoint(with: kinds) else { return reply }
        let source = SourceFile(madeAt: reply.location)
        let status = Node.Entry("status", Node(.scalar("200", .plain), madeAt: source))
        return Node(.mapping([status] + entries), madeAt: source)
    }

    /// The mapping with another value for one key; the same where it has none.
    private static func changing(_ node: Node, _ key: String, _ change: (Node) -> Node) -> Node {
        guard let entries = node.entries else { return node }
        let changed = entries.map { $0.key == key ? Node.Entry($0.key, change($0.value)) : $0 }
        return Node(.mapping(changed), madeAt: SourceFile(madeAt: node.location))
    }

    /// A copy of the value with another place for all of it; the recursion is as deep as the document's limit.
    private static func moved(_ node: Node, to place: SourceFile) -> Node {
        switch node.content {
        case .scalar: Node(node.content, madeAt: place)
        case .sequence(let items): Node(.sequence(items.map { moved($0, to: place) }), madeAt: place)
        case .mapping(let entries):
            Node(.mapping(entries.map { Node.Entry($0.key, moved($0.value, to: place)) }), madeAt: place)
        }
    }
}
