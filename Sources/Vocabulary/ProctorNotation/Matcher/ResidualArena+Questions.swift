extension ResidualArena {
    /// A symbol, or `...` if `symbol` is nil, with its place in the text.
    struct First: Hashable {
        let symbol: Int?
        let place: Int
    }

    /// The symbols of the expression that may come next, in the order of the text, without those of the ambient.
    func firsts(of state: [Int]) -> [First] {
        var next: Set<First> = []
        var visited: Set<Int> = []
        var open = state
        while let term = open.popLast() {
            guard visited.insert(term).inserted else { continue }
            switch nodes[term].kind {
            case .empty: break
            case .symbol(let symbol, let place): next.insert(First(symbol: symbol, place: place))
            case .anything(let place): next.insert(First(symbol: nil, place: place))
            case .sequence(let first, let second):
                open.append(first)
                if nodes[first].isNullable { open.append(second) }
            case .choice(let sides, _), .shuffle(let sides, _): open += sides
            case .repeated(let body, _, _, _), .resumed(let body, _, _, _): open.append(body)
            case .open(let expression, _): open.append(expression)
            }
        }
        return next.filter { places[$0.place].source == 0 }
            .sorted { (places[$0.place].range.lowerBound, $0.place) < (places[$1.place].range.lowerBound, $1.place) }
    }

    /// A part that must still come: its place in the text, and for a repetition the number of iterations.
    struct Owed {
        let place: Int
        /// How many of `total` iterations are missing, if they are counted.
        let turns: Int?
        let total: Int?
    }

    /// The parts that must come before the trace may end, by the continuation that needs the fewest.
    func owed(by state: [Int]) -> [Owed] {
        var best: [Owed]?
        // Every continuation is a candidate; the continuations of a long list differ only in optional parts.
        for term in state.prefix(256) {
            let owed = owed(by: term)
            if best.map({ owed.count < $0.count }) ?? true { best = owed }
        }
        return best ?? []
    }

    private func owed(by term: Int) -> [Owed] {
        var result: [Owed] = []
        var rest = term
        while result.count < Self.mostOwed, !nodes[rest].isNullable {
            guard case .sequence(let first, let second) = nodes[rest].kind else {
                result += partOwed(by: rest)
                break
            }
            result += owed(by: first)
            rest = second
        }
        return result
    }

    private static let mostOwed = 100

    private func partOwed(by term: Int) -> [Owed] {
        guard !nodes[term].isNullable else { return [] }
        switch nodes[term].kind {
        case .empty, .anything, .sequence: return []
        case .symbol(_, let place), .choice(_, let place): return [Owed(place: place, turns: nil, total: nil)]
        case .shuffle(let sides, _): return sides.flatMap { owed(by: $0) }
        case .open(let expression, let ambient): return owed(by: expression) + owed(by: ambient)
        case .repeated(let body, let minimum, _, let place), .resumed(let body, let minimum, _, let place):
            guard places[place].minimum > 1 else { return owed(by: body) }
            return [Owed(place: place, turns: minimum, total: places[place].minimum)]
        }
    }

    /// The part of the expression to which most continuations belong: an `&`, else the outermost repetition.
    func mostFrequentPart(of state: [Int]) -> Place? {
        var counts: [Int: Int] = [:]
        for term in state {
            if let place = part(around: term) { counts[place, default: 0] += 1 }
        }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { places[$0.key] }
    }

    /// The place of the part around a continuation; enclosing parts follow it in the term, the outermost last.
    private func part(around term: Int) -> Int? {
        var repetition: Int?
        var inner = term
        while true {
            switch nodes[inner].kind {
            case .sequence(let first, let second):
                if repetition == nil { repetition = repetitionPlace(of: second) }
                inner = first
            case .open(let expression, let ambient):
                // The side with a counter is the one with many continuations.
                inner = nodes[ambient].isCounting && !nodes[expression].isCounting ? ambient : expression
            case .shuffle(_, let place): return place
            case .empty, .symbol, .anything, .choice, .repeated, .resumed:
                return repetition ?? repetitionPlace(of: inner)
            }
        }
    }

    private func repetitionPlace(of term: Int) -> Int? {
        switch nodes[term].kind {
        case .repeated(_, _, _, let place), .resumed(_, _, _, let place): place
        default: nil
        }
    }
}
