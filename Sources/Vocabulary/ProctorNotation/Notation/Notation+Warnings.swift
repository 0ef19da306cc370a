import ProctorEvents

/// A part of an expression that is legal but rarely intended.
package struct NotationWarning: Sendable, Equatable, CustomStringConvertible {
    /// Bytes from the beginning of the text.
    package let offset: Int
    package let sentence: String

    package var description: String { sentence }
}

extension Notation {
    /// A warning for each `&` whose sides accept the same event: then it is undefined which side accepts it.
    package var warnings: [NotationWarning] {
        var result: [NotationWarning] = []
        for node in syntax.nodes {
            guard case .shuffle(let sides) = node.kind else { continue }
            // Symbols by name; for each name only as many as can be compared quickly.
            var seen: [String: [(symbol: Int, side: Int)]] = [:]
            search: for (index, side) in sides.enumerated() {
                for place in syntax.symbolNodes(below: side) {
                    guard case .symbol(let symbol) = syntax.nodes[place].kind else { continue }
                    let name = syntax.symbols[symbol].name
                    let other = seen[name]?.first { known in
                        known.side != index && syntax.symbols[known.symbol].overlaps(syntax.symbols[symbol])
                    }
                    if let other {
                        let names = Set([syntax.symbols[other.symbol].description, syntax.symbols[symbol].description])
                        result.append(
                            NotationWarning(
                                offset: syntax.nodes[place].range.lowerBound,
                                sentence: """
                                    two sides of '&' ask for the same event, \(names.sorted().joined(separator: " and ")); \
                                    which of them took it cannot be told
                                    """))
                        break search
                    }
                    let known = seen[name] ?? []
                    if known.count < 256, !known.contains(where: { $0.symbol == symbol && $0.side == index }) {
                        seen[name, default: []].append((symbol, index))
                    }
                }
            }
        }
        return result
    }

    /// Refuses an ambient expression that names a terminal event, which cannot be interleaved.
    package func checkAsAmbient(terminals: [String] = EventVocabulary.terminalNames) throws(NotationError) {
        for node in syntax.nodes {
            guard case .symbol(let index) = node.kind, terminals.contains(syntax.symbols[index].name) else { continue }
            throw NotationError(
                text: text, offset: node.range.lowerBound,
                sentence: """
                    '\(syntax.symbols[index].name)' ends the lane, so it cannot be interleaved; \
                    write it in the lane's own expression
                    """)
        }
    }
}

extension NotationSyntax {
    func symbolNodes(below node: Int) -> [Int] {
        var result: [Int] = []
        var open = [node]
        while let next = open.popLast() {
            if case .symbol = nodes[next].kind { result.append(next) }
            open += nodes[next].kind.parts.reversed()
        }
        return result
    }

    func body(ofRepetitionAt range: Range<Int>) -> Range<Int>? {
        for node in nodes where node.range == range {
            if case .repeated(let body, _, _) = node.kind { return nodes[body].range }
        }
        return nil
    }
}

extension NotationSymbol {
    fileprivate func overlaps(_ other: NotationSymbol) -> Bool {
        guard name == other.name else { return false }
        if arguments.isEmpty || other.arguments.isEmpty { return true }
        return arguments.contains { one in other.arguments.contains { one.overlaps($0) } }
    }
}

extension NotationSymbol.ArgumentPattern {
    fileprivate func overlaps(_ other: Self) -> Bool {
        switch (self, other) {
        case (.exact(let one), .exact(let two)): one == two
        case (.prefix(let start), .exact(let text)), (.exact(let text), .prefix(let start)):
            text.utf8.starts(with: start.utf8)
        case (.prefix(let one), .prefix(let two)):
            one.utf8.starts(with: two.utf8) || two.utf8.starts(with: one.utf8)
        case (.anyError, .exact(let text)), (.exact(let text), .anyError): text != "ok"
        case (.anyError, _), (_, .anyError): true
        }
    }
}
