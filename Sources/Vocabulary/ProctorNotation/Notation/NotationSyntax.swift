package import ProctorEvents

/// The tree of a parsed expression; children come before their parents.
struct NotationSyntax: Sendable {
    private(set) var nodes: [Node] = []
    /// Each symbol once, however often the expression contains it.
    private(set) var symbols: [NotationSymbol] = []
    private var symbolIndexes: [NotationSymbol: Int] = [:]

    struct Node: Sendable {
        let kind: Kind
        /// The range of bytes in the text, with parentheses and counts.
        let range: Range<Int>
    }

    enum Kind: Sendable, Equatable {
        case symbol(Int)
        case anything
        case sequence([Int])
        case choice([Int])
        case shuffle([Int])
        /// nil for `maximum` means no limit.
        case repeated(Int, minimum: Int, maximum: Int?)

        var parts: [Int] {
            switch self {
            case .symbol, .anything: []
            case .sequence(let parts), .choice(let parts), .shuffle(let parts): parts
            case .repeated(let body, _, _): [body]
            }
        }

        func replacingParts(_ parts: [Int]) -> Kind {
            switch self {
            case .symbol, .anything: self
            case .sequence: .sequence(parts)
            case .choice: .choice(parts)
            case .shuffle: .shuffle(parts)
            case .repeated(_, let minimum, let maximum): .repeated(parts[0], minimum: minimum, maximum: maximum)
            }
        }
    }

    /// Calls `value` for each node with the results of its parts; the last result is that of the whole expression.
    func values<Value>(_ value: (Node, _ parts: [Value]) -> Value) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(nodes.count)
        for node in nodes { values.append(value(node, node.kind.parts.map { values[$0] })) }
        return values
    }

    /// The whole expression; the parser never leaves an empty tree.
    var root: Int { nodes.count - 1 }

    mutating func add(_ kind: Kind, _ range: Range<Int>) -> Int {
        nodes.append(Node(kind: kind, range: range))
        return nodes.count - 1
    }

    /// Gives a node with parts the range of the parentheses around it; the range of an event stays, for carets.
    mutating func widen(_ node: Int, to range: Range<Int>) -> Int {
        switch nodes[node].kind {
        case .symbol, .anything: break
        case .sequence, .choice, .shuffle, .repeated: nodes[node] = Node(kind: nodes[node].kind, range: range)
        }
        return node
    }

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

/// An event in an expression: a name and the arguments that it may have.
package struct NotationSymbol: Sendable, Hashable, CustomStringConvertible {
    /// A name of ``EventVocabulary``.
    package let name: String
    /// Patterns of which one must match; empty for any argument, or none.
    package let arguments: [ArgumentPattern]

    package enum ArgumentPattern: Sendable, Hashable {
        case exact(String)
        case prefix(String)
        /// `error`: every argument except `ok`.
        case anyError
    }

    package init(name: String, arguments: [ArgumentPattern]) {
        (self.name, self.arguments) = (name, arguments)
    }

    package func matches(_ event: TraceEventSymbol) -> Bool {
        guard name == event.name else { return false }
        if arguments.isEmpty { return true }
        guard let argument = event.argument else { return false }
        return arguments.contains { pattern in
            switch pattern {
            case .exact(let text): text == argument
            // Compares bytes, so that a prefix may end within a character.
            case .prefix(let text): argument.utf8.starts(with: text.utf8)
            case .anyError: argument != "ok"
            }
        }
    }

    /// The form of an expression, with quoted arguments if necessary.
    package var description: String {
        if arguments.isEmpty { return name }
        let list = arguments.map { pattern in
            switch pattern {
            case .exact(let text): text == "error" ? "\"error\"" : Self.quotedIfNeeded(text)
            case .prefix(let text): Self.quotedIfNeeded(text) + "*"
            case .anyError: "error"
            }
        }
        return "\(name)(\(list.joined(separator: "|")))"
    }

    private static func quotedIfNeeded(_ text: String) -> String {
        let bytes = text.utf8
        let special = bytes.contains { byte in
            switch byte {
            case UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "\""),
                UInt8(ascii: "\\"), 0..<0x20:
                true
            default: false
            }
        }
        guard special || bytes.isEmpty || bytes.first == 0x20 || bytes.last == 0x20 else { return text }
        var quoted = "\""
        for character in text {
            if character == "\"" || character == "\\" { quoted.append("\\") }
            quoted.append(character)
        }
        return quoted + "\""
    }
}

extension NotationSymbol {
    /// The symbol for exactly this event, or for all events of that name if the event has no argument.
    package init(_ event: TraceEventSymbol) {
        self.init(name: event.name, arguments: event.argument.map { [.exact($0)] } ?? [])
    }

    /// Parses one event of an expression: `challenge(serverTrust)`.
    package init(parsing text: String, lane: Lane) throws(NotationError) {
        let notation = try Notation(parsing: text, lane: lane)
        guard case .symbol(let index) = notation.syntax.nodes[notation.syntax.root].kind else {
            throw NotationError(text: text, offset: 0, sentence: "expected one event, found an expression")
        }
        self = notation.syntax.symbols[index]
    }
}
