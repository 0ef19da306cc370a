import ProctorEvents

/// Sorts events into classes that an expression cannot distinguish, so that a transition is a table lookup.
struct EventClasses: Sendable {
    /// The symbols that match an event of the class, and whether it is terminal: a derivative depends on nothing else.
    private struct Key: Hashable {
        let symbols: [Int]
        let isTerminal: Bool
    }

    private struct Known: Sendable {
        let argument: String?
        let eventClass: Int
    }

    private let symbols: [NotationSymbol]
    private let terminals: Set<String>
    /// The indexes of the symbols of a name, by the ordinal of the name.
    private var symbolsOfName: [[Int]]
    /// The class of all events of a name, or one of the two special values below, by the ordinal of the name.
    private var ofName: [Int]
    /// The last arguments of a name whose class depends on the argument, by the ordinal of the name.
    private var recent: [[Known]]
    private var classes: [Key: Int] = [:]

    private static let notYet = -2
    private static let byArgument = -3
    /// The most classes; further ones get no number.
    static let most = 64
    static let none = -1
    private static let mostRecent = 4

    init(symbols: [NotationSymbol], terminals: Set<String>) {
        (self.symbols, self.terminals) = (symbols, terminals)
        let names = EventName.allCases.count
        ofName = Array(repeating: Self.notYet, count: names)
        symbolsOfName = Array(repeating: [], count: names)
        recent = Array(repeating: [], count: names)
        for (index, symbol) in symbols.enumerated() {
            if let name = EventName(rawValue: symbol.name) { symbolsOfName[name.ordinal].append(index) }
        }
    }

    /// The class of an event of the vocabulary; ``none`` if there are too many classes.
    mutating func classify(_ name: EventName, _ argument: String?) -> Int {
        let ordinal = name.ordinal
        let known = ofName[ordinal]
        if known >= 0 { return known }
        return known == Self.byArgument
            ? classify(name, argument, ordinal: ordinal) : classifyName(name, argument, ordinal: ordinal)
    }

    mutating func classifyUnknown(_ name: String) -> Int {
        number(Key(symbols: [], isTerminal: terminals.contains(name)))
    }

    func isTerminal(_ name: String) -> Bool { terminals.contains(name) }

    private mutating func classifyName(_ name: EventName, _ argument: String?, ordinal: Int) -> Int {
        let own = symbolsOfName[ordinal]
        if own.contains(where: { !symbols[$0].arguments.isEmpty }) {
            ofName[ordinal] = Self.byArgument
            return classify(name, argument, ordinal: ordinal)
        }
        let eventClass = number(Key(symbols: own, isTerminal: terminals.contains(name.rawValue)))
        ofName[ordinal] = eventClass == Self.none ? Self.byArgument : eventClass
        return eventClass
    }

    private mutating func classify(_ name: EventName, _ argument: String?, ordinal: Int) -> Int {
        for index in recent[ordinal].indices where recent[ordinal][index].argument == argument {
            return recent[ordinal][index].eventClass
        }
        let event = TraceEventSymbol(name.rawValue, argument)
        let matching = symbolsOfName[ordinal].filter { symbols[$0].matches(event) }
        let ofEvent = number(Key(symbols: matching, isTerminal: terminals.contains(event.name)))
        if recent[ordinal].count == Self.mostRecent { recent[ordinal].removeFirst() }
        recent[ordinal].append(Known(argument: argument, eventClass: ofEvent))
        return ofEvent
    }

    private mutating func number(_ key: Key) -> Int {
        if let known = classes[key] { return known }
        guard classes.count < Self.most else { return Self.none }
        classes[key] = classes.count
        return classes.count - 1
    }
}
