internal import ProctorBase
internal import ProctorSchema

extension JSONPath {
    /// The values that the query finds, by their index; the budget counts those that are looked at.
    func places(in document: JSONDocument, within budget: WorkBudget?) throws(SpentBudget) -> [Int] {
        try JSONPathEvaluation(document: document, budget: budget).walk(segments, from: 0)
    }

    /// The expression of a `match` or a `search` (RFC 9485); nil for a text that is none.
    static func expression(_ text: [UInt8], isWhole: Bool) -> SchemaPattern? {
        let pattern = String(decoding: text, as: UTF8.self)
        return try? SchemaPattern(isWhole ? "^(?:\(pattern))$" : pattern)
    }
}

/// Evaluates a query, within the budget; recursion is as deep as the query.
private struct JSONPathEvaluation {
    let document: JSONDocument
    let budget: WorkBudget?

    /// The most values that a step may find, since a value may be found several times.
    private static let placeBound = 1_000_000
    /// The bound that a comparison with an expression reports.
    private static let stepBound = 2_000_000

    func walk(_ segments: [JSONPath.Segment], from start: Int) throws(SpentBudget) -> [Int] {
        var places = [start]
        for segment in segments {
            var selected: [Int] = []
            for place in places {
                // All values inside one stand behind it.
                let origins = segment.isDescendant ? place..<document.values[place].end : place..<(place + 1)
                for origin in origins where !segment.isDescendant || isSeen(origin, from: place) {
                    for selector in segment.selectors { selected += try select(selector, origin) }
                    guard selected.count <= Self.placeBound else { throw SpentBudget.steps(limit: Self.placeBound) }
                }
            }
            places = selected
        }
        return places
    }

    /// Whether no value around it up to another one is shadowed by a later member of its name.
    private func isSeen(_ index: Int, from outer: Int) -> Bool {
        var place = outer
        while place != index {
            guard
                let next = document.children(of: place).first(where: { $0 <= index && index < document.values[$0].end })
            else { return false }
            place = next
        }
        return true
    }

    private func select(_ selector: JSONPath.Selector, _ place: Int) throws(SpentBudget) -> [Int] {
        let children = Array(document.children(of: place))
        try budget?.spend(children.count + 1)
        let isList = document.values[place].kind == .list
        switch selector {
        case .wildcard: return children
        case .name(let name):
            return document.values[place].kind == .object ? children.filter { document.values[$0].name == name } : []
        case .index(let index):
            let position = index < 0 ? children.count + index : index
            return isList && children.indices.contains(position) ? [children[position]] : []
        case .slice(let start, let end, let step): return isList ? slice(children, start, end, step) : []
        case .filter(let condition):
            var fitting: [Int] = []
            for child in children where try holds(condition, child) { fitting.append(child) }
            return fitting
        }
    }

    /// §2.3.4.2.2.
    private func slice(_ children: [Int], _ start: Int?, _ end: Int?, _ step: Int) -> [Int] {
        let count = children.count
        func normal(_ index: Int) -> Int { index >= 0 ? index : count + index }
        if step > 0 {
            let lower = min(max(normal(start ?? 0), 0), count)
            let upper = min(max(normal(end ?? count), 0), count)
            return stride(from: lower, to: upper, by: step).map { children[$0] }
        }
        guard step < 0 else { return [] }
        let upper = min(max(start.map(normal) ?? count - 1, -1), count - 1)
        let lower = min(max(end.map(normal) ?? -1, -1), count - 1)
        return stride(from: upper, to: lower, by: step).map { children[$0] }
    }

    // MARK: Conditions

    private func holds(_ condition: JSONPath.Condition, _ place: Int) throws(SpentBudget) -> Bool {
        try budget?.spend(1)
        switch condition {
        case .or(let inner):
            for condition in inner where try holds(condition, place) { return true }
            return false
        case .and(let inner):
            for condition in inner where try !holds(condition, place) { return false }
            return true
        case .not(let inner): return try !holds(inner, place)
        case .exists(let query): return try !evaluate(query, place).isEmpty
        case .compares(let left, let relation, let right):
            return try Self.compares(value(left, place), relation, value(right, place), budget)
        case .matches(let text, let pattern, let isWhole):
            guard case .text(let bytes)? = try value(text, place).kind,
                case .text(let wanted)? = try value(pattern, place).kind,
                let expression = JSONPath.expression(wanted, isWhole: isWhole)
            else { return false }
            switch expression.verdict(on: bytes, within: budget) {
            case .matches: return true
            case .differs: return false
            case .undecided: throw SpentBudget.steps(limit: Self.stepBound)
            }
        }
    }

    private func evaluate(_ query: JSONPath.Query, _ place: Int) throws(SpentBudget) -> [Int] {
        try walk(query.segments, from: query.isAbsolute ? 0 : place)
    }

    private enum Value {
        case nothing
        case json(JSONDocument, Int)
        case number(Int)

        var kind: JSONDocument.Kind? {
            switch self {
            case .nothing: nil
            case .json(let document, let index): document.values[index].kind
            case .number(let number): JSONDecimal("\(number)".utf8).map { .number($0) }
            }
        }
    }

    private func value(_ comparable: JSONPath.Comparable, _ place: Int) throws(SpentBudget) -> Value {
        switch comparable {
        case .literal(let document): return .json(document, 0)
        case .query(let query), .value(let query):
            let places = try evaluate(query, place)
            return places.count == 1 ? .json(document, places[0]) : .nothing
        case .count(let query): return .number(try evaluate(query, place).count)
        case .length(let inner):
            guard case .json(let document, let index) = try value(inner, place) else { return .nothing }
            switch document.values[index].kind {
            case .text(let bytes): return .number(bytes.count { $0 & 0xC0 != 0x80 })
            case .list, .object: return .number(document.children(of: index).reduce(0) { count, _ in count + 1 })
            case .null, .boolean, .number: return .nothing
            }
        }
    }

    /// §2.3.5.2.2.
    private static func compares(
        _ left: Value, _ relation: JSONPath.Relation, _ right: Value, _ budget: WorkBudget?
    ) throws(SpentBudget) -> Bool {
        switch relation {
        case .equal: return try equals(left, right, budget)
        case .unequal: return try !equals(left, right, budget)
        case .less: return precedes(left, right)
        case .greater: return precedes(right, left)
        case .atMost: return precedes(left, right) ? true : try equals(left, right, budget)
        case .atLeast: return precedes(right, left) ? true : try equals(left, right, budget)
        }
    }

    private static func equals(_ left: Value, _ right: Value, _ budget: WorkBudget?) throws(SpentBudget) -> Bool {
        guard case .json(let mine, let first) = left, case .json(let theirs, let second) = right else {
            return left.kind == right.kind
        }
        try budget?.spend(mine.values[first].end - first)
        return ComparedValue(mine, first) { _ in true } == ComparedValue(theirs, second) { _ in true }
    }

    private static func precedes(_ left: Value, _ right: Value) -> Bool {
        switch (left.kind, right.kind) {
        case (.number(let one)?, .number(let other)?): one < other
        case (.text(let one)?, .text(let other)?): one.lexicographicallyPrecedes(other)
        default: false
        }
    }
}
