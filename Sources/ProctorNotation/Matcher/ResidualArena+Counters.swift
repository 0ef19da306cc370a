/// Counters that have come to different numbers but stand in the same term are kept as one interval:
/// `E{2,5}` or `E{6,9}` is `E{2,9}`. So neighbouring counts of one event stay small.
extension ResidualArena {
    /// How many turns may still come; `maximum` is `Int.max` for no end.
    struct Turns: Hashable {
        var minimum: Int
        var maximum: Int

        /// Whether the two together leave out no number between them.
        func touches(_ other: Turns) -> Bool {
            let (low, high) = minimum <= other.minimum ? (self, other) : (other, self)
            return low.maximum == .max || high.minimum <= low.maximum + 1
        }

        func union(_ other: Turns) -> Turns {
            Turns(minimum: min(minimum, other.minimum), maximum: max(maximum, other.maximum))
        }
    }

    /// The state with terms that differ in one counter merged where that changes nothing.
    mutating func mergingCounters(of state: [Int]) -> [Int] {
        var groups: [Int: [Int]] = [:]
        for term in state where nodes[term].isCounting { groups[nodes[term].skeleton, default: []].append(term) }
        guard groups.contains(where: { $0.value.count > 1 }) else { return state }
        var result: [Int] = []
        for term in state {
            guard nodes[term].isCounting, let group = groups[nodes[term].skeleton], group.count > 1 else {
                if !nodes[term].isCounting || groups[nodes[term].skeleton] != nil { result.append(term) }
                continue
            }
            groups[nodes[term].skeleton] = nil
            let vectors = Self.merged(group.map { turns(in: $0) })
            for vector in vectors {
                var left = vector[...]
                result.append(replacingTurns(in: group[0], from: &left))
            }
        }
        return result
    }

    /// Merges along each counter in turn.
    static func merged(_ vectors: [[Turns]]) -> [[Turns]] {
        var vectors = vectors
        for axis in 0..<(vectors.first?.count ?? 0) {
            var byRest: [[Turns]: [Turns]] = [:]
            var order: [[Turns]] = []
            for vector in vectors {
                var rest = vector
                let value = rest.remove(at: axis)
                if byRest[rest] == nil { order.append(rest) }
                byRest[rest, default: []].append(value)
            }
            vectors = []
            for rest in order {
                let sorted = (byRest[rest] ?? []).sorted { ($0.minimum, $0.maximum) < ($1.minimum, $1.maximum) }
                var runs: [Turns] = []
                for value in sorted {
                    if let last = runs.last, last.touches(value) {
                        runs[runs.count - 1] = last.union(value)
                    } else {
                        runs.append(value)
                    }
                }
                for run in runs {
                    var vector = rest
                    vector.insert(run, at: axis)
                    vectors.append(vector)
                }
            }
        }
        return vectors
    }

    /// The running counters of a term, from left to right.
    private func turns(in term: Int) -> [Turns] {
        guard nodes[term].isCounting else { return [] }
        switch nodes[term].kind {
        case .resumed(_, let minimum, let maximum, _): return [Turns(minimum: minimum, maximum: maximum)]
        case .sequence(let first, let second): return turns(in: first) + turns(in: second)
        case .shuffle(let sides, _): return sides.flatMap { turns(in: $0) }
        case .open(let expression, let ambient): return turns(in: expression) + turns(in: ambient)
        case .empty, .symbol, .anything, .choice, .repeated: return []
        }
    }

    private mutating func replacingTurns(in term: Int, from turns: inout ArraySlice<Turns>) -> Int {
        guard nodes[term].isCounting else { return term }
        switch nodes[term].kind {
        case .resumed(let body, _, _, let place):
            guard let own = turns.popFirst() else { return term }
            return intern(.resumed(body, minimum: own.minimum, maximum: own.maximum, place: place))
        case .sequence(let first, let second):
            let left = replacingTurns(in: first, from: &turns)
            return sequence(left, replacingTurns(in: second, from: &turns))
        case .shuffle(let sides, let place):
            var replaced: [Int] = []
            for side in sides { replaced.append(replacingTurns(in: side, from: &turns)) }
            return shuffle(replaced, place: place)
        case .open(let expression, let ambient):
            let left = replacingTurns(in: expression, from: &turns)
            return open(left, ambient: replacingTurns(in: ambient, from: &turns))
        case .empty, .symbol, .anything, .choice, .repeated: return term
        }
    }

    /// Copies a term of another arena that began with the same terms as this one, up to `shared`.
    mutating func adopt(_ term: Int, from other: ResidualArena, shared: Int) -> Int {
        if term < shared { return term }
        func part(_ term: Int, _ arena: inout ResidualArena) -> Int { arena.adopt(term, from: other, shared: shared) }
        switch other.nodes[term].kind {
        case .empty: return Self.empty
        case .sequence(let first, let second):
            let left = part(first, &self)
            return sequence(left, part(second, &self))
        case .shuffle(let sides, let place):
            var adopted: [Int] = []
            for side in sides { adopted.append(part(side, &self)) }
            return shuffle(adopted, place: place)
        case .resumed(let body, let minimum, let maximum, let place):
            return intern(.resumed(part(body, &self), minimum: minimum, maximum: maximum, place: place))
        case .repeated(let body, let minimum, let maximum, let place):
            return intern(.repeated(part(body, &self), minimum: minimum, maximum: maximum, place: place))
        case .open(let expression, let ambient):
            let left = part(expression, &self)
            return open(left, ambient: part(ambient, &self))
        case .symbol, .anything, .choice: return intern(other.nodes[term].kind)
        }
    }
}
