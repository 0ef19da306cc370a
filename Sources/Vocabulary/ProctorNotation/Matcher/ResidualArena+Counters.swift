/// Merges counters with different numbers in the same term into one interval.
///
/// `E{2,5}` or `E{6,9}` is `E{2,9}`, so that neighbouring counts of one event need little memory.
extension ResidualArena {
    /// How many iterations may still come; `maximum` is `Int.max` for no limit.
    struct Turns: Hashable {
        var minimum: Int
        var maximum: Int

        /// Whether there is no number between the two intervals.
        func touches(_ other: Turns) -> Bool {
            let (low, high) = minimum <= other.minimum ? (self, other) : (other, self)
            return low.maximum == .max || high.minimum <= low.maximum + 1
        }

        func union(_ other: Turns) -> Turns {
            Turns(minimum: min(minimum, other.minimum), maximum: max(maximum, other.maximum))
        }
    }

    /// The state after merging terms that differ in one counter, if that does not change its meaning.
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

    private func turns(in term: Int) -> [Turns] {
        guard nodes[term].isCounting else { return [] }
        if case .resumed(_, let minimum, let maximum, _) = nodes[term].kind {
            return [Turns(minimum: minimum, maximum: maximum)]
        }
        return nodes[term].kind.parts.flatMap { turns(in: $0) }
    }

    private mutating func replacingTurns(in term: Int, from turns: inout ArraySlice<Turns>) -> Int {
        guard nodes[term].isCounting else { return term }
        if case .resumed(let body, _, _, let place) = nodes[term].kind {
            guard let own = turns.popFirst() else { return term }
            return intern(.resumed(body, minimum: own.minimum, maximum: own.maximum, place: place))
        }
        let kind = nodes[term].kind
        var parts: [Int] = []
        for part in kind.parts { parts.append(replacingTurns(in: part, from: &turns)) }
        return rebuilt(kind, of: parts)
    }

    /// Copies a term of another arena whose first `shared` terms are the same as in this one.
    mutating func adopt(_ term: Int, from other: ResidualArena, shared: Int) -> Int {
        if term < shared { return term }
        let kind = other.nodes[term].kind
        // The sides of a choice have no counters, so both arenas share them.
        if case .choice = kind { return intern(kind) }
        var parts: [Int] = []
        for part in kind.parts { parts.append(adopt(part, from: other, shared: shared)) }
        return rebuilt(kind, of: parts)
    }
}
