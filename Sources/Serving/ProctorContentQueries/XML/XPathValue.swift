internal import ProctorBase

/// A value of XPath 1.0 (§1).
enum XPathValue {
    case nodes([XPathPlace])
    case text([UInt8])
    case number(Double)
    case boolean(Bool)

    var boolean: Bool {
        switch self {
        case .nodes(let places): !places.isEmpty
        case .text(let text): !text.isEmpty
        case .number(let number): number != 0 && !number.isNaN
        case .boolean(let holds): holds
        }
    }

    func text(_ document: XMLDocument, within budget: WorkBudget?) throws(SpentBudget) -> [UInt8] {
        switch self {
        case .nodes(let places):
            guard let place = places.first else { return [] }
            return try document.text(of: place, within: budget)
        case .text(let text): return text
        case .number(let number): return Self.text(of: number)
        case .boolean(let holds): return Array("\(holds)".utf8)
        }
    }

    func number(_ document: XMLDocument, within budget: WorkBudget?) throws(SpentBudget) -> Double {
        switch self {
        case .number(let number): return number
        case .boolean(let holds): return holds ? 1 : 0
        case .nodes, .text:
            let text = try text(document, within: budget)
            try budget?.spend(XMLDocument.stepCount(ofText: text))
            return Self.number(of: text)
        }
    }

    static func number(of text: [UInt8]) -> Double {
        let words = text.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        return words.count == 1 ? Double(xpath: words[0]) ?? .nan : .nan
    }

    /// §4.2.
    static func text(of number: Double) -> [UInt8] {
        if number.isNaN { return Array("NaN".utf8) }
        if number.isInfinite { return Array((number < 0 ? "-Infinity" : "Infinity").utf8) }
        if let whole = Int(exactly: number) { return Array(String(whole).utf8) }
        return Array("\(number)".utf8)
    }

    /// Characters are counted from 1, and both numbers are rounded (§4.2).
    static func part(of text: [UInt8], from start: Double, count: Double) -> [UInt8] {
        let first = (start + 0.5).rounded(.down)
        let end = first + (count + 0.5).rounded(.down)
        let characters = String(decoding: text, as: UTF8.self).unicodeScalars
        var part = String.UnicodeScalarView()
        for (index, character) in characters.enumerated() {
            let position = Double(index + 1)
            if position >= first, position < end { part.append(character) }
        }
        return Array(String(part).utf8)
    }

    static func translate(_ text: [UInt8], from: [UInt8], to: [UInt8]) -> [UInt8] {
        let others = Array(String(decoding: to, as: UTF8.self).unicodeScalars)
        var places: [Unicode.Scalar: Int] = [:]
        for (place, character) in String(decoding: from, as: UTF8.self).unicodeScalars.enumerated()
        where places[character] == nil {
            places[character] = place
        }
        var output = String.UnicodeScalarView()
        for character in String(decoding: text, as: UTF8.self).unicodeScalars {
            guard let place = places[character] else {
                output.append(character)
                continue
            }
            if place < others.count { output.append(others[place]) }
        }
        return Array(String(output).utf8)
    }

    // MARK: Comparing (§3.4)

    /// Whether the relation holds, of a set for one of its nodes at least; takes as long as to read both values.
    func compares(
        to other: XPathValue, by meaning: XPath.Operator, _ document: XMLDocument, _ budget: WorkBudget?
    ) throws(SpentBudget) -> Bool {
        let isEquality = meaning == .equal || meaning == .unequal
        if isBoolean || other.isBoolean {
            if isEquality { return (boolean == other.boolean) == (meaning == .equal) }
            let (mine, theirs) = (try number(document, within: budget), try other.number(document, within: budget))
            return Self.holds(meaning, [mine], [theirs])
        }
        guard isEquality, !isNumber, !other.isNumber else {
            return Self.holds(meaning, try numbers(document, budget), try other.numbers(document, budget))
        }
        let (mine, theirs) = (Set(try texts(document, budget)), Set(try other.texts(document, budget)))
        guard !mine.isEmpty, !theirs.isEmpty else { return false }
        return meaning == .equal ? !mine.isDisjoint(with: theirs) : mine.count > 1 || mine != theirs
    }

    private var isBoolean: Bool { if case .boolean = self { true } else { false } }
    private var isNumber: Bool { if case .number = self { true } else { false } }

    private func texts(_ document: XMLDocument, _ budget: WorkBudget?) throws(SpentBudget) -> [[UInt8]] {
        guard case .nodes(let places) = self else { return [try text(document, within: budget)] }
        var texts: [[UInt8]] = []
        for place in places { texts.append(try document.text(of: place, within: budget)) }
        return texts
    }

    private func numbers(_ document: XMLDocument, _ budget: WorkBudget?) throws(SpentBudget) -> [Double] {
        guard case .nodes = self else { return [try number(document, within: budget)] }
        return try texts(document, budget).map(Self.number)
    }

    /// Whether the operator holds for some number of each side; for equal and unequal, one side has one number.
    private static func holds(_ meaning: XPath.Operator, _ left: [Double], _ right: [Double]) -> Bool {
        // No order holds for what is no number.
        let (mine, theirs) = (left.filter { !$0.isNaN }, right.filter { !$0.isNaN })
        func holds(_ one: Double?, _ other: Double?, _ relation: (Double, Double) -> Bool) -> Bool {
            guard let one, let other else { return false }
            return relation(one, other)
        }
        switch meaning {
        case .equal: return left.contains { one in right.contains { $0 == one } }
        case .unequal: return left.contains { one in right.contains { $0 != one } }
        case .less: return holds(mine.min(), theirs.max(), <)
        case .atMost: return holds(mine.min(), theirs.max(), <=)
        case .greater: return holds(mine.max(), theirs.min(), >)
        case .atLeast: return holds(mine.max(), theirs.min(), >=)
        default: return false
        }
    }
}
