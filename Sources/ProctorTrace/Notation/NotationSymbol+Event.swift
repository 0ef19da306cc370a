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
