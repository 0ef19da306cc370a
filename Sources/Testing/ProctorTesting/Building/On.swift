internal import ProctorBase
internal import ProctorDocument

/// An exchange of a scenario: an expected request and its replies, one for each request in turn; the last one repeats.
public struct On: Sendable {
    private let request: ExpectedRequest
    private let replies: [Reply]
    private var members: [(key: String, value: FixtureValue)] = []
    private let place: SourceLocation

    /// Makes an exchange; a request gets the reply of the first exchange that matches it.
    public init(
        _ request: ExpectedRequest, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        @ReplyBuilder _ replies: () -> [Reply]
    ) {
        self.request = request
        self.replies = replies()
        place = SourceLocation(file: filePath, line: line, column: column)
    }

    /// Exactly so many requests, 1 to 1,000,000; without it there is no limit, and one is enough.
    public func times(_ count: Int) -> On { setting("times", ["exactly": .integer(count)]) }

    /// Lets a run pass in which no request uses the exchange; by default, a verdict without a case fails then.
    public func optional() -> On { setting("optional", .boolean(true)) }

    /// Sets a key of an exchange that a fixture can have: `.setting("reads", "none")`.
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

/// Collects the elements of a block, which may contain `if` and `for`.
@resultBuilder
public enum ListBuilder<Element> {
    /// One element.
    public static func buildExpression(_ element: Element) -> [Element] { [element] }
    /// A list of elements that was made before.
    public static func buildExpression(_ elements: [Element]) -> [Element] { elements }
    /// All elements of a block, in order.
    public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
    /// The elements of an `if` without `else`.
    public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
    /// The elements of an `if` with `else`, or of a `switch`.
    public static func buildEither(first part: [Element]) -> [Element] { part }
    /// The elements of an `if` with `else`, or of a `switch`.
    public static func buildEither(second part: [Element]) -> [Element] { part }
    /// The elements of a `for`.
    public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
}

/// The replies of an exchange.
public typealias ReplyBuilder = ListBuilder<Reply>
/// The exchanges of a scenario.
public typealias ExchangeBuilder = ListBuilder<On>
