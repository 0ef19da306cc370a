/// How often an event can, or must, come in a lane that satisfies an expression.
extension Notation {
    /// The most events of that name that the expression takes; nil where it sets no bound.
    public func mostOccurrences(of name: String) -> Int? {
        bounds(of: name).most
    }

    /// The fewest events of that name that the expression needs.
    public func fewestOccurrences(of name: String) -> Int {
        bounds(of: name).fewest
    }

    private func bounds(of name: String) -> Bounds {
        var found: [Bounds] = []
        for node in syntax.nodes {
            switch node.kind {
            case .symbol(let index):
                let count = syntax.symbols[index].name == name ? 1 : 0
                found.append(Bounds(fewest: count, most: count))
            case .anything: found.append(Bounds(fewest: 0, most: nil))
            case .sequence(let parts), .shuffle(let parts):
                found.append(parts.reduce(Bounds(fewest: 0, most: 0)) { $0 + found[$1] })
            case .choice(let sides):
                found.append(
                    Bounds(
                        fewest: sides.map { found[$0].fewest }.min() ?? 0,
                        most: sides.reduce(0) { most, side in
                            most.flatMap { most in found[side].most.map { max(most, $0) } }
                        }))
            case .repeated(let body, let minimum, let maximum):
                found.append(found[body].repeated(from: minimum, to: maximum))
            }
        }
        return found.last ?? Bounds(fewest: 0, most: 0)
    }

    private struct Bounds {
        var fewest: Int
        /// nil: without end.
        var most: Int?

        /// Counts in expressions are bounded, and nesting multiplies them: what overflows is without end.
        static func + (left: Bounds, right: Bounds) -> Bounds {
            let most = left.most.flatMap { left in right.most.flatMap { sum(left, $0) } }
            return Bounds(fewest: sum(left.fewest, right.fewest) ?? .max, most: most)
        }

        func repeated(from minimum: Int, to maximum: Int?) -> Bounds {
            let mostOfAll: Int? =
                most == 0 ? 0 : most.flatMap { most in maximum.flatMap { Self.product(most, $0) } }
            return Bounds(fewest: Self.product(fewest, minimum) ?? .max, most: mostOfAll)
        }

        private static func sum(_ left: Int, _ right: Int) -> Int? {
            let (sum, isOver) = left.addingReportingOverflow(right)
            return isOver ? nil : sum
        }

        private static func product(_ left: Int, _ right: Int) -> Int? {
            let (product, isOver) = left.multipliedReportingOverflow(by: right)
            return isOver ? nil : product
        }
    }
}
