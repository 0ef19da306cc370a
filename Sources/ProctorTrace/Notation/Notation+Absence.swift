extension Notation {
    /// The same expression where every event that `mayBeMissing` is optional; it is written as before, carets included.
    ///
    /// For lanes of a family that cannot tell all that an expression for several families names.
    package func allowingAbsence(of mayBeMissing: (NotationSymbol) -> Bool) -> Notation {
        guard syntax.symbols.contains(where: mayBeMissing) else { return self }
        return Notation(text: text, lane: lane, syntax: syntax.rebuilt({ $0 }, mayBeMissing: mayBeMissing))
    }

    /// The same expression where each event is what `replacement` makes of it; carets stay where they were.
    package func replacing(_ replacement: (NotationSymbol) -> NotationSymbol) -> Notation {
        Notation(text: text, lane: lane, syntax: syntax.rebuilt(replacement, mayBeMissing: { _ in false }))
    }

    /// Whether any trace without events of these names satisfies it.
    package func isPossible(without names: Set<String>) -> Bool {
        names.isDisjoint(with: eventNames) || syntax.isPossible(without: names)
    }
}

extension NotationSyntax {
    fileprivate func rebuilt(
        _ replacement: (NotationSymbol) -> NotationSymbol, mayBeMissing: (NotationSymbol) -> Bool
    ) -> NotationSyntax {
        var result = NotationSyntax()
        // Where each node stands in the result; children stand before their parents there, too.
        var places: [Int] = []
        for node in nodes {
            switch node.kind {
            case .symbol(let index):
                let place = result.add(replacement(symbols[index]), node.range)
                places.append(
                    mayBeMissing(symbols[index])
                        ? result.add(.repeated(place, minimum: 0, maximum: 1), node.range) : place)
            case .anything: places.append(result.add(.anything, node.range))
            case .sequence(let items): places.append(result.add(.sequence(items.map { places[$0] }), node.range))
            case .choice(let sides): places.append(result.add(.choice(sides.map { places[$0] }), node.range))
            case .shuffle(let sides): places.append(result.add(.shuffle(sides.map { places[$0] }), node.range))
            case .repeated(let body, let minimum, let maximum):
                places.append(result.add(.repeated(places[body], minimum: minimum, maximum: maximum), node.range))
            }
        }
        result.forgetIndexes()
        return result
    }

    fileprivate func isPossible(without names: Set<String>) -> Bool {
        var isPossible: [Bool] = []
        for node in nodes {
            switch node.kind {
            case .symbol(let index): isPossible.append(!names.contains(symbols[index].name))
            case .anything: isPossible.append(true)
            case .sequence(let parts), .shuffle(let parts): isPossible.append(parts.allSatisfy { isPossible[$0] })
            case .choice(let sides): isPossible.append(sides.contains { isPossible[$0] })
            case .repeated(let body, let minimum, _): isPossible.append(minimum == 0 || isPossible[body])
            }
        }
        return isPossible.last ?? true
    }
}
