/// The tree of a parsed expression; children stand before their parents.
struct NotationSyntax: Sendable {
    private(set) var nodes: [Node] = []
    /// Each once, however often it is written.
    private(set) var symbols: [NotationSymbol] = []
    private var symbolIndexes: [NotationSymbol: Int] = [:]

    struct Node: Sendable {
        let kind: Kind
        /// Bytes of the text, parentheses and counts included.
        let range: Range<Int>
    }

    enum Kind: Sendable, Equatable {
        /// An index into `symbols`.
        case symbol(Int)
        /// `...`
        case anything
        case sequence([Int])
        case choice([Int])
        case shuffle([Int])
        /// `maximum` nil: without end.
        case repeated(Int, minimum: Int, maximum: Int?)
    }

    /// The whole expression; the parser never leaves an empty tree.
    var root: Int { nodes.count - 1 }

    mutating func add(_ kind: Kind, _ range: Range<Int>) -> Int {
        nodes.append(Node(kind: kind, range: range))
        return nodes.count - 1
    }

    /// Gives a node of several parts the range of the parentheses around it; an event keeps its own, for carets.
    mutating func widen(_ node: Int, to range: Range<Int>) -> Int {
        switch nodes[node].kind {
        case .symbol, .anything: break
        case .sequence, .choice, .shuffle, .repeated: nodes[node] = Node(kind: nodes[node].kind, range: range)
        }
        return node
    }

    /// Lets go what only adding symbols needs.
    mutating func forgetIndexes() {
        symbolIndexes = [:]
    }

    mutating func add(_ symbol: NotationSymbol, _ range: Range<Int>) -> Int {
        let index: Int
        if let known = symbolIndexes[symbol] {
            index = known
        } else {
            index = symbols.count
            symbols.append(symbol)
            symbolIndexes[symbol] = index
        }
        return add(.symbol(index), range)
    }
}
