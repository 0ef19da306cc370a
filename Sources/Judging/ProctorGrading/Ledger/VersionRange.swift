/// A range of client versions, as the key `versions` of a ledger's entry writes it: `2.28`, `<2.31`, `>=2.28 <2.31`.
///
/// A version without a sign means all versions that begin with it: `2.28` contains 2.28 and 2.28.1.
package struct VersionRange: Sendable, Equatable {
    package let text: String
    private let bounds: [Bound]

    private struct Bound: Equatable {
        let sign: Sign
        let numbers: [Int]
    }

    private enum Sign: String, CaseIterable {
        // Longer signs first, since the first match is read.
        case atLeast = ">="
        case atMost = "<="
        case above = ">"
        case below = "<"
        case beginsWith = ""
    }

    private static let mostBounds = 4
    private static let mostNumbers = 8

    /// nil when the text is no range with at most four bounds.
    package init?(parsing text: String) {
        let words = text.split(separator: " ")
        guard 1...Self.mostBounds ~= words.count else { return nil }
        var bounds: [Bound] = []
        for word in words {
            guard let sign = Sign.allCases.first(where: { word.hasPrefix($0.rawValue) }),
                let numbers = Self.numbers(word.dropFirst(sign.rawValue.count), isStrict: true)
            else { return nil }
            bounds.append(Bound(sign: sign, numbers: numbers))
        }
        (self.text, self.bounds) = (text, bounds)
    }

    /// Whether the version is in the range; true also for a version without a number.
    package func contains(_ version: String) -> Bool {
        guard let numbers = Self.numbers(version[...], isStrict: false) else { return true }
        return bounds.allSatisfy { bound in
            switch bound.sign {
            case .beginsWith: numbers.starts(with: bound.numbers)
            case .atLeast: !Self.precedes(numbers, bound.numbers)
            case .below: Self.precedes(numbers, bound.numbers)
            // A version that begins with the bound is equal to it: 2.28.1 is not above 2.28.
            case .above: !Self.precedes(numbers, bound.numbers) && !numbers.starts(with: bound.numbers)
            case .atMost: Self.precedes(numbers, bound.numbers) || numbers.starts(with: bound.numbers)
            }
        }
    }

    private static func precedes(_ first: [Int], _ second: [Int]) -> Bool { first.lexicographicallyPrecedes(second) }

    /// The numbers between dots; other text may follow in a client's version, as in `2.31rc1`, but not in a bound.
    private static func numbers(_ text: Substring, isStrict: Bool) -> [Int]? {
        var numbers: [Int] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false).prefix(mostNumbers) {
            let digits = part.prefix(while: \.isASCIIDigit)
            guard let number = Int(digits) else { return isStrict || numbers.isEmpty ? nil : numbers }
            numbers.append(number)
            guard digits.count < part.count else { continue }
            return isStrict ? nil : numbers
        }
        return numbers
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
