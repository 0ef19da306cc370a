internal import ProctorBase
internal import ProctorDocument

/// One exchange of a scenario: a request to wait for, and the reply, or the replies by turn of which the last one stays.
public struct On: Sendable {
    private let request: ExpectedRequest
    private let replies: [Reply]
    private var members: [(key: String, value: FixtureValue)] = []
    private let place: SourceLocation

    /// Exchanges are tried in their order.
    public init(
        _ request: ExpectedRequest, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        @ReplyBuilder _ replies: () -> [Reply]
    ) {
        self.request = request
        self.replies = replies()
        place = SourceLocation(file: filePath, line: line, column: column)
    }

    /// The most uses of the exchange, 1 to 1,000,000; without it there is no limit.
    public func times(_ count: Int) -> On { setting("times", .integer(count)) }

    /// That no request has to ask for the exchange; without it a verdict without a case fails when none does.
    public func optional() -> On { setting("optional", .boolean(true)) }

    /// Any key of an exchange that a fixture can have: `.setting("reads", "none")`.
    public func setting(_ key: String, _ value: FixtureValue) -> On {
        var exchange = self
        exchange.members.append((key: key, value: value))
        return exchange
    }

    func node() -> Node {
        let source = SourceFile(madeAt: place)
        let nodes = replies.map { $0.node() }
        let reply = nodes.count == 1 ? nodes[0] : Node(.sequence(nodes), madeAt: source)
        let entries = [Node.Entry("request", request.node(at: source)), Node.Entry("reply", reply)]
        return Node(
            .mapping(entries + members.map { Node.Entry($0.key, $0.value.node(at: source)) }), madeAt: source)
    }
}

/// Collects what a block lists, with `if` and `for` as in any code.
@resultBuilder
public enum ListBuilder<Element> {
    /// One element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }
    /// Elements that were made elsewhere.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }
    /// All of a block, in order.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
    /// `if` without `else`.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
    /// `if` with `else`, and `switch`.
    public static func buildEither(first part: [Element]) -> [Element] { part }
    /// `if` with `else`, and `switch`.
    public static func buildEither(second part: [Element]) -> [Element] { part }
    /// `for`.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
}

/// The replies of an exchange.
public typealias ReplyBuilder = ListBuilder<Reply>
/// The exchanges of a scenario.
public typealias ExchangeBuilder = ListBuilder<On>
