internal import ProctorBase

extension XPath {
    /// What an expression gives for a document.
    enum Result: Sendable, Equatable {
        /// The text of each node, in the order of the document.
        case nodes([[UInt8]])
        case text([UInt8])
        case number(Double)
        case boolean(Bool)

        /// The values that a condition is asked about: the text of each node, or of the one value.
        var values: [[UInt8]] {
            switch self {
            case .nodes(let texts): texts
            case .text(let text): [text]
            case .number(let number): [XPathValue.text(of: number)]
            case .boolean(let holds): [Array("\(holds)".utf8)]
            }
        }
    }

    /// The budget counts the nodes that are looked at, and the texts that are read.
    func result(in document: XMLDocument, within budget: WorkBudget?) throws(SpentBudget) -> Result {
        var evaluation = XPathEvaluation(document: document, budget: budget)
        switch try evaluation.value(of: expression, XPathEvaluation.Context(place: .document, position: 1, size: 1)) {
        case .nodes(let places):
            var texts: [[UInt8]] = []
            for place in places { texts.append(try document.text(of: place, within: budget)) }
            return .nodes(texts)
        case .text(let text): return .text(text)
        case .number(let number): return .number(number)
        case .boolean(let holds): return .boolean(holds)
        }
    }
}

/// A node of a document, an attribute, or the document itself, in the order of the document.
struct XPathPlace: Hashable, Comparable {
    /// -1 for the document.
    let node: Int
    /// -1 for the node itself.
    var attribute = -1

    static let document = XPathPlace(node: -1)

    static func < (left: Self, right: Self) -> Bool { (left.node, left.attribute) < (right.node, right.attribute) }
}

extension XMLDocument {
    func text(of place: XPathPlace, within budget: WorkBudget?) throws(SpentBudget) -> [UInt8] {
        guard place.node >= 0 else { return try text(of: 0, within: budget) }
        guard place.attribute >= 0 else { return try text(of: place.node, within: budget) }
        guard case .element(_, let attributes) = nodes[place.node].kind else { return [] }
        try budget?.spend(1 + Self.stepCount(ofText: attributes[place.attribute].value))
        return attributes[place.attribute].value
    }
}

/// Evaluates an expression, within the budget.
struct XPathEvaluation {
    let document: XMLDocument
    let budget: WorkBudget?
    /// What paths from the root have found, by their place in the text: it is the same for each node that is asked about.
    fileprivate var found: [Int: [XPathPlace]] = [:]

    struct Context {
        let place: XPathPlace
        let position: Int
        let size: Int
    }

    mutating func value(of expression: XPath.Expression, _ context: Context) throws(SpentBudget) -> XPathValue {
        try budget?.spend(1)
        switch expression {
        case .number(let number): return .number(number)
        case .literal(let text): return .text(text)
        case .path(let root?, let steps):
            if let known = found[root] { return .nodes(known) }
            let places = try walk(steps, from: [.document])
            found[root] = places
            return .nodes(places)
        case .path(nil, let steps): return .nodes(try walk(steps, from: [context.place]))
        case .filter(let inner, let predicates, let steps):
            let value = try value(of: inner, context)
            guard case .nodes(var places) = value else {
                // A predicate or a step behind what is no node finds nothing.
                return predicates.isEmpty && steps.isEmpty ? value : .nodes([])
            }
            for predicate in predicates { places = try filter(places, by: predicate) }
            return .nodes(try walk(steps, from: places))
        case .negated(let inner): return .number(-(try number(of: value(of: inner, context))))
        case .call(let function, let arguments): return try call(function, arguments, context)
        case .binary(let meaning, let left, let right): return try combine(meaning, left, right, context)
        }
    }

    private func text(of value: XPathValue) throws(SpentBudget) -> [UInt8] {
        try value.text(document, within: budget)
    }

    private func number(of value: XPathValue) throws(SpentBudget) -> Double {
        try value.number(document, within: budget)
    }

    // MARK: Paths

    private mutating func walk(_ steps: [XPath.Step], from start: [XPathPlace]) throws(SpentBudget) -> [XPathPlace] {
        var places = start
        for step in steps {
            var selected: Set<XPathPlace> = []
            for place in places {
                var candidates = try nodes(on: step.axis, from: place, step.test)
                for predicate in step.predicates { candidates = try filter(candidates, by: predicate) }
                selected.formUnion(candidates)
            }
            places = selected.sorted()
        }
        return places
    }

    /// In the order of the axis.
    private func nodes(
        on axis: XPath.Axis, from place: XPathPlace, _ test: XPath.Test
    ) throws(SpentBudget) -> [XPathPlace] {
        var selected: [XPathPlace] = []
        for candidate in try all(on: axis, from: place) where holds(test, for: candidate) { selected.append(candidate) }
        return axis.isReverse ? selected.reversed() : selected
    }

    /// In the order of the document.
    private func all(on axis: XPath.Axis, from place: XPathPlace) throws(SpentBudget) -> [XPathPlace] {
        let nodes = document.nodes
        let isNode = place.attribute < 0
        let inside = isNode ? (place.node + 1)..<(place.node < 0 ? nodes.count : nodes[place.node].end) : 0..<0
        let parent = isNode ? (place.node < 0 ? nil : nodes[place.node].parent) : place.node
        var places: [XPathPlace] = []
        try budget?.spend(1 + count(on: axis, from: place, inside: inside.count))
        switch axis {
        case .self: places = [place]
        case .child: places = try children(of: place).map { XPathPlace(node: $0) }
        case .descendant: places = inside.map { XPathPlace(node: $0) }
        case .descendantOrSelf: places = [place] + inside.map { XPathPlace(node: $0) }
        case .parent: places = parent.map { [XPathPlace(node: $0)] } ?? []
        case .ancestor, .ancestorOrSelf:
            var next = parent
            while let node = next {
                places.insert(XPathPlace(node: node), at: 0)
                next = node < 0 ? nil : nodes[node].parent
            }
            if axis == .ancestorOrSelf { places.append(place) }
        case .attribute:
            guard isNode, place.node >= 0, case .element(_, let attributes) = nodes[place.node].kind else { break }
            places = attributes.indices.map { XPathPlace(node: place.node, attribute: $0) }
        case .following where place.node >= 0:
            places = (nodes[place.node].end..<nodes.count).map { XPathPlace(node: $0) }
        case .preceding where place.node >= 0:
            // Without ancestors.
            places = (0..<place.node).filter { nodes[$0].end <= place.node }.map { XPathPlace(node: $0) }
        case .followingSibling, .precedingSibling:
            guard isNode, let parent, place.node >= 0 else { break }
            places = try children(of: XPathPlace(node: parent)).filter {
                axis == .followingSibling ? $0 > place.node : $0 < place.node
            }.map { XPathPlace(node: $0) }
        case .following, .preceding: break
        }
        return places
    }

    /// How many nodes are looked at on an axis, without those that ``children(of:)`` counts.
    private func count(on axis: XPath.Axis, from place: XPathPlace, inside count: Int) -> Int {
        switch axis {
        case .self, .parent, .child, .followingSibling, .precedingSibling: return 0
        case .descendant, .descendantOrSelf: return count
        case .ancestor, .ancestorOrSelf: return XMLDocument.depthBound
        case .attribute:
            guard place.node >= 0, case .element(_, let attributes) = document.nodes[place.node].kind else { return 0 }
            return attributes.count
        case .following: return document.nodes.count - max(0, place.node)
        case .preceding: return max(0, place.node)
        }
    }

    private func children(of place: XPathPlace) throws(SpentBudget) -> [Int] {
        guard place.attribute < 0 else { return [] }
        return place.node < 0 ? [0] : try document.children(of: place.node, within: budget)
    }

    private func holds(_ test: XPath.Test, for place: XPathPlace) -> Bool {
        switch test {
        case .node: return true
        case .nothing: return false
        case .text:
            guard place.node >= 0, place.attribute < 0, case .text = document.nodes[place.node].kind else {
                return false
            }
            return true
        case .anyName: return name(of: place) != nil
        case .anyOf(let namespace): return name(of: place)?.namespace == namespace
        case .name(let wanted): return name(of: place) == wanted
        }
    }

    private func name(of place: XPathPlace) -> XMLDocument.Name? {
        guard place.node >= 0, case .element(let name, let attributes) = document.nodes[place.node].kind else {
            return nil
        }
        return place.attribute < 0 ? name : attributes[place.attribute].name
    }

    /// The places for which the predicate holds; a number stands for a position (§2.4).
    private mutating func filter(
        _ places: [XPathPlace], by predicate: XPath.Expression
    ) throws(SpentBudget) -> [XPathPlace] {
        var kept: [XPathPlace] = []
        for (index, place) in places.enumerated() {
            let context = Context(place: place, position: index + 1, size: places.count)
            let value = try value(of: predicate, context)
            let holds = if case .number(let number) = value { number == Double(index + 1) } else { value.boolean }
            if holds { kept.append(place) }
        }
        return kept
    }

    // MARK: Operators

    private mutating func combine(
        _ meaning: XPath.Operator, _ left: XPath.Expression, _ right: XPath.Expression, _ context: Context
    ) throws(SpentBudget) -> XPathValue {
        let first = try value(of: left, context)
        if meaning == .or, first.boolean { return .boolean(true) }
        if meaning == .and, !first.boolean { return .boolean(false) }
        let second = try value(of: right, context)
        switch meaning {
        case .or, .and: return .boolean(second.boolean)
        case .equal, .unequal, .less, .atMost, .greater, .atLeast:
            return .boolean(try first.compares(to: second, by: meaning, document, budget))
        case .union:
            guard case .nodes(let mine) = first, case .nodes(let theirs) = second else { return .nodes([]) }
            return .nodes(Set(mine).union(theirs).sorted())
        case .plus, .minus, .times, .divided, .remainder:
            let (one, other) = (try number(of: first), try number(of: second))
            switch meaning {
            case .plus: return .number(one + other)
            case .minus: return .number(one - other)
            case .times: return .number(one * other)
            case .divided: return .number(one / other)
            default: return .number(one.truncatingRemainder(dividingBy: other))
            }
        }
    }

    // MARK: Functions

    private mutating func call(
        _ function: XPath.Function, _ arguments: [XPath.Expression], _ context: Context
    ) throws(SpentBudget) -> XPathValue {
        var values: [XPathValue] = []
        for argument in arguments { values.append(try value(of: argument, context)) }
        let first = values.first ?? .nodes([context.place])
        switch function {
        case .last: return .number(Double(context.size))
        case .position: return .number(Double(context.position))
        case .isTrue: return .boolean(true)
        case .isFalse: return .boolean(false)
        case .boolean: return .boolean(first.boolean)
        case .not: return .boolean(!first.boolean)
        case .number: return .number(try number(of: first))
        case .floor: return .number(try number(of: first).rounded(.down))
        case .ceiling: return .number(try number(of: first).rounded(.up))
        // Half goes up (§4.4).
        case .round: return .number((try number(of: first) + 0.5).rounded(.down))
        case .count:
            if case .nodes(let places) = first { return .number(Double(places.count)) } else { return .number(0) }
        case .sum:
            guard case .nodes(let places) = first else { return .number(.nan) }
            var sum = 0.0
            for place in places { sum += XPathValue.number(of: try document.text(of: place, within: budget)) }
            return .number(sum)
        case .name, .localName, .namespaceURI:
            guard case .nodes(let places) = first, let place = places.first, let name = name(of: place) else {
                return .text([])
            }
            return .text(function == .namespaceURI ? name.namespace.bytes : name.local)
        case .string, .concat, .contains, .startsWith, .substringBefore, .substringAfter, .stringLength,
            .normalizeSpace, .translate:
            var texts: [[UInt8]] = []
            for value in values.isEmpty ? [first] : values { texts.append(try text(of: value)) }
            return try call(function, texts)
        case .substring:
            let count = values.count > 2 ? try number(of: values[2]) : .infinity
            return .text(XPathValue.part(of: try text(of: first), from: try number(of: values[1]), count: count))
        }
    }

    /// A function of texts, of which there is one at least.
    private func call(_ function: XPath.Function, _ texts: [[UInt8]]) throws(SpentBudget) -> XPathValue {
        for text in texts { try budget?.spend(XMLDocument.stepCount(ofText: text)) }
        let text = texts[0]
        switch function {
        case .concat: return .text(Array(texts.joined()))
        case .contains: return .boolean(try text.contains(bytes: texts[1], within: budget))
        case .startsWith: return .boolean(text.starts(with: texts[1]))
        case .substringBefore:
            let offset = try text.firstOffset(ofBytes: texts[1], within: budget)
            return .text(offset.map { Array(text[..<$0]) } ?? [])
        case .substringAfter:
            let offset = try text.firstOffset(ofBytes: texts[1], within: budget)
            return .text(offset.map { Array(text[($0 + texts[1].count)...]) } ?? [])
        case .stringLength: return .number(Double(text.count { $0 & 0xC0 != 0x80 }))
        case .normalizeSpace:
            let words = text.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            return .text(Array(words.joined(separator: [0x20])))
        case .translate: return .text(XPathValue.translate(text, from: texts[1], to: texts[2]))
        default: return .text(text)
        }
    }
}
