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

    func text(_ document: XMLDocument) -> [UInt8] {
        switch self {
        case .nodes(let places): places.first.map(document.text) ?? []
        case .text(let text): text
        case .number(let number): Self.text(of: number)
        case .boolean(let holds): Array("\(holds)".utf8)
        }
    }

    func number(_ document: XMLDocument) -> Double {
        switch self {
        case .number(let number): number
        case .boolean(let holds): holds ? 1 : 0
        case .nodes, .text: Self.number(of: text(document))
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
        let (wanted, other) = (
            Array(String(decoding: from, as: UTF8.self).unicodeScalars),
            Array(String(decoding: to, as: UTF8.self).unicodeScalars)
        )
        var output = String.UnicodeScalarView()
        for character in String(decoding: text, as: UTF8.self).unicodeScalars {
            guard let index = wanted.firstIndex(of: character) else {
                output.append(character)
                continue
            }
            if index < other.count { output.append(other[index]) }
        }
        return Array(String(output).utf8)
    }

    // MARK: Comparing (§3.4)

    func compares(
        to other: XPathValue, by meaning: XPath.Operator, _ document: XMLDocument, _ budget: WorkBudget?
    ) throws(SpentBudget) -> Bool {
        switch (self, other) {
        case (.nodes(let mine), .nodes(let theirs)):
            try budget?.spend(mine.count * theirs.count)
            return mine.contains { one in
                theirs.contains {
                    Self.holds(.text(document.text(of: one)), .text(document.text(of: $0)), meaning, document)
                }
            }
        case (.nodes(let places), .number), (.nodes(let places), .text):
            return places.contains { Self.holds(.text(document.text(of: $0)), other, meaning, document) }
        case (.number, .nodes(let places)), (.text, .nodes(let places)):
            return places.contains { Self.holds(self, .text(document.text(of: $0)), meaning, document) }
        default: return Self.holds(self, other, meaning, document)
        }
    }

    private static func holds(
        _ left: XPathValue, _ right: XPathValue, _ meaning: XPath.Operator, _ document: XMLDocument
    ) -> Bool {
        switch meaning {
        case .equal, .unequal:
            let isEqual =
                switch (left, right) {
                case (.boolean, _), (_, .boolean): left.boolean == right.boolean
                case (.number, _), (_, .number): left.number(document) == right.number(document)
                default: left.text(document) == right.text(document)
                }
            return isEqual == (meaning == .equal)
        case .less: return left.number(document) < right.number(document)
        case .atMost: return left.number(document) <= right.number(document)
        case .greater: return left.number(document) > right.number(document)
        case .atLeast: return left.number(document) >= right.number(document)
        default: return false
        }
    }
}
