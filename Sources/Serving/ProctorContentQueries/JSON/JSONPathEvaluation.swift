internal import ProctorBase
internal import ProctorSchema

extension JSONPath {
    /// The values that the query finds, by their index; the budget counts those that are looked at.
    func places(in document: JSONDocument, within budget: WorkBudget?) throws(SpentBudget) -> [Int] {
        try JSONPathEvaluation(document: document, budget: budget).walk(segments, from: 0)
    }

    /// The text of each string that the query finds, and the JSON of each other value.
    func texts(in document: JSONDocument, within budget: WorkBudget?) throws(SpentBudget) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        for place in try places(in: document, within: budget) {
            try budget?.spend(document.stepCount(ofWhole: place))
            texts.append(document.values[place].text ?? Array(document.text(of: place)))
        }
        return texts
    }
}

extension JSONPath {
    /// The expression of a `match` or a `search` (RFC 9485); nil for a text that is none.
    static func expression(_ text: [UInt8], isWhole: Bool) -> SchemaPattern? {
        let pattern = String(decoding: text, as: UTF8.self)
        return try? SchemaPattern(isWhole ? "^(?:\(pattern))$" : pattern)
    }
}

/// Evaluates a query, within the budget; recursion is as deep as the query.
private final class JSONPathEvaluation {
    let document: JSONDocument
    let budget: WorkBudget?
    /// The expression that a `match` or a `search` asked for last, nil for a text that is none.
    private var lastExpression: (text: [UInt8], isWhole: Bool, expression: SchemaPattern?)?

    /// What queries from the root have found, by their place in the text: it is the same for each value that is asked about.
    private var places: [Int: [Int]] = [:]

    /// The most values that a step may find, since a value may be found several times.
    private static let placeBound = 1_000_000
    /// The bound that a comparison with an expression reports.
    private static let stepBound = 2_000_000

    init(document: JSONDocument, budget: WorkBudget?) { (self.document, self.budget) = (document, budget) }

    func walk(_ segments: [JSONPath.Segment], from start: Int) throws(SpentBudget) -> [Int] {
        var places = [start]
        for segment in segments {
            var selected: [Int] = []
            for place in places { try selectAll(segment, place, &selected) }
            places = selected
        }
        return places
    }

    /// Selects from a value, and for a descendant segment from all inside it that no later member replaces.
    private func selectAll(
        _ segment: JSONPath.Segment, _ place: Int, _ selected: inout [Int]
    ) throws(SpentBudget) {
        guard segment.isDescendant else { return try select(segment.selectors, place, &selected) }
        // All values inside one stand behind it.
        let end = document.values[place].end
        var origin = place
        while origin < end {
            if origin > place, document.values[origin].isShadowed {
                try budget?.spend()
                origin = document.values[origin].end
            } else {
                try select(segment.selectors, origin, &selected)
                origin += 1
            }
        }
    }

    private func select(
        _ selectors: [JSONPath.Selector], _ place: Int, _ selected: inout [Int]
    ) throws(SpentBudget) {
        for selector in selectors {
            selected += try select(selector, place)
            guard selected.count <= Self.placeBound else { throw SpentBudget.steps(limit: Self.placeBound) }
        }
    }

    private func select(_ selector: JSONPath.Selector, _ place: Int) throws(SpentBudget) -> [Int] {
        let type = try type(of: place)
        guard type == .list || type == .object else { return [] }
        let children = try document.children(of: place, within: budget)
        let isList = type == .list
        switch selector {
        case .wildcard: return children
        case .name(let name): return isList ? [] : children.filter { document.values[$0].isNamed(name) }
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

    /// The type of a value, in front of which its name is read.
    private func type(of place: Int) throws(SpentBudget) -> JSONDocument.Kind {
        try budget?.spend(document.stepCount(of: place))
        return document.values[place].type
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
            return try compares(value(left, place), relation, value(right, place))
        case .matches(let text, let pattern, let isWhole):
            guard case .text(let bytes)? = try kind(of: value(text, place)),
                case .text(let wanted)? = try kind(of: value(pattern, place)),
                let expression = try expression(wanted, isWhole: isWhole)
            else { return false }
            switch expression.verdict(on: bytes, within: budget) {
            case .matches: return true
            case .differs: return false
            case .undecided: throw budget?.spent ?? SpentBudget.steps(limit: Self.stepBound)
            }
        }
    }

    private func expression(_ text: [UInt8], isWhole: Bool) throws(SpentBudget) -> SchemaPattern? {
        if let last = lastExpression, last.isWhole == isWhole, last.text == text { return last.expression }
        // Compiling takes longer than reading.
        try budget?.spend(Self.stepsOfExpression + text.count)
        let expression = JSONPath.expression(text, isWhole: isWhole)
        lastExpression = (text, isWhole, expression)
        return expression
    }

    private static let stepsOfExpression = 256

    private func evaluate(_ query: JSONPath.Query, _ place: Int) throws(SpentBudget) -> [Int] {
        guard query.isAbsolute else { return try walk(query.segments, from: place) }
        if let known = places[query.offset] { return known }
        let found = try walk(query.segments, from: 0)
        places[query.offset] = found
        return found
    }

    private enum Value {
        case nothing
        case json(JSONDocument, Int)
        case number(Int)
    }

    private func kind(of value: Value) throws(SpentBudget) -> JSONDocument.Kind? {
        switch value {
        case .nothing: return nil
        case .json(let document, let index):
            try budget?.spend(document.stepCount(of: index))
            return document.values[index].kind
        case .number(let number): return JSONDecimal("\(number)".utf8).map { .number($0) }
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
            switch try kind(of: .json(document, index)) {
            case .text(let bytes)?: return .number(bytes.count { $0 & 0xC0 != 0x80 })
            case .list?, .object?: return .number(try document.children(of: index, within: budget).count)
            case .null?, .boolean?, .number?, nil: return .nothing
            }
        }
    }

    /// §2.3.5.2.2.
    private func compares(
        _ left: Value, _ relation: JSONPath.Relation, _ right: Value
    ) throws(SpentBudget) -> Bool {
        switch relation {
        case .equal: return try equals(left, right)
        case .unequal: return try !equals(left, right)
        case .less: return try precedes(left, right)
        case .greater: return try precedes(right, left)
        case .atMost: return try precedes(left, right) ? true : equals(left, right)
        case .atLeast: return try precedes(right, left) ? true : equals(left, right)
        }
    }

    private func equals(_ left: Value, _ right: Value) throws(SpentBudget) -> Bool {
        guard case .json(let mine, let first) = left, case .json(let theirs, let second) = right else {
            return try kind(of: left) == kind(of: right)
        }
        try budget?.spend(mine.stepCount(ofWhole: first))
        try budget?.spend(theirs.stepCount(ofWhole: second))
        return ComparedValue(mine, first) == ComparedValue(theirs, second)
    }

    private func precedes(_ left: Value, _ right: Value) throws(SpentBudget) -> Bool {
        switch (try kind(of: left), try kind(of: right)) {
        case (.number(let one)?, .number(let other)?): one < other
        case (.text(let one)?, .text(let other)?): one.lexicographicallyPrecedes(other)
        default: false
        }
    }
}
