public import ProctorEvents

/// The tree of a parsed expression; children stand before their parents.
struct NotationSyntax: Sendable {
    private(set) var nodes: [Node] = []
    /// Each symbol once, however often it is written.
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

/// An event as an expression asks for it: a name and the arguments it may have.
public struct NotationSymbol: Sendable, Hashable, CustomStringConvertible {
    /// A name of ``EventVocabulary``.
    public let name: String
    /// Patterns of which one must match; empty: any argument, or none.
    public let arguments: [ArgumentPattern]

    /// What an argument may be.
    public enum ArgumentPattern: Sendable, Hashable {
        case exact(String)
        case prefix(String)
        /// `error`: everything but `ok`.
        case anyError
    }

    package init(name: String, arguments: [ArgumentPattern]) {
        self.name = name
        self.arguments = arguments
    }

    /// Whether the event is one of those the symbol stands for.
    public func matches(_ event: TraceEventSymbol) -> Bool {
        guard name == event.name else { return false }
        if arguments.isEmpty { return true }
        guard let argument = event.argument else { return false }
        return arguments.contains { pattern in
            switch pattern {
            case .exact(let text): text == argument
            // Bytes, so that a prefix may end within a grapheme.
            case .prefix(let text): argument.utf8.starts(with: text.utf8)
            case .anyError: argument != "ok"
            }
        }
    }

    /// As it can be written in an expression, arguments quoted where they must be.
    public var description: String {
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
    /// The symbol that stands for exactly this event, or for the event of that name where it has no argument.
    public init(_ event: TraceEventSymbol) {
        self.init(name: event.name, arguments: event.argument.map { [.exact($0)] } ?? [])
    }

    /// One event as an expression writes it, alone: `challenge(serverTrust)`.
    package init(parsing text: String, lane: Lane) throws(NotationError) {
        let notation = try Notation(parsing: text, lane: lane)
        guard case .symbol(let index) = notation.syntax.nodes[notation.syntax.root].kind else {
            throw NotationError(text: text, offset: 0, sentence: "expected one event, found an expression")
        }
        self = notation.syntax.symbols[index]
    }
}
