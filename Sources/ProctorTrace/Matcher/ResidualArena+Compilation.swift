extension ResidualArena {
    /// Adds a whole expression and answers its term; `source` is 0 for a case's expression, 1 for its ambient.
    mutating func compile(_ syntax: NotationSyntax, source: Int) -> Int {
        var symbolOf: [Int] = []
        let earlier = Dictionary(zip(symbols, symbols.indices)) { first, _ in first }
        for symbol in syntax.symbols {
            if let known = earlier[symbol] {
                symbolOf.append(known)
            } else {
                symbols.append(symbol)
                symbolOf.append(symbols.count - 1)
            }
        }
        // Children stand before their parents, so that one pass is enough.
        var terms: [Int] = []
        terms.reserveCapacity(syntax.nodes.count)
        for node in syntax.nodes {
            var minimum = 0
            if case .repeated(_, let least, _) = node.kind { minimum = least }
            places.append(Place(source: source, range: node.range, minimum: minimum))
            let place = places.count - 1
            switch node.kind {
            case .symbol(let symbol): terms.append(intern(.symbol(symbolOf[symbol], place: place)))
            case .anything: terms.append(intern(.anything(place: place)))
            case .sequence(let items):
                var term = Self.empty
                for item in items.reversed() { term = sequence(terms[item], term) }
                terms.append(term)
            case .choice(let sides): terms.append(intern(.choice(sides.map { terms[$0] }, place: place)))
            case .shuffle(let sides): terms.append(shuffle(sides.map { terms[$0] }, place: place))
            case .repeated(let body, let minimum, let maximum):
                terms.append(repetition(of: terms[body], minimum, maximum, place))
            }
        }
        return terms.last ?? Self.empty
    }

    private mutating func repetition(of body: Int, _ minimum: Int, _ maximum: Int?, _ place: Int) -> Int {
        // A body that may be missing makes every smaller number of turns the same as the greatest.
        let least = nodes[body].isNullable ? 0 : minimum
        if case .repeated(_, minimum: 0, maximum: .max, _) = nodes[body].kind { return body }
        return intern(.repeated(body, minimum: least, maximum: maximum ?? .max, place: place))
    }
}
