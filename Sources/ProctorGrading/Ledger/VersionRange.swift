import ProctorBase

/// Versions of a client, as the key `versions` of a ledger's entry writes them: `2.28`, `<2.31`, `>=2.28 <2.31`.
///
/// A version without a sign stands for all that begin with it: `2.28` holds 2.28 and 2.28.1.
package struct VersionRange: Sendable, Equatable {
    package let text: String
    private let bounds: [Bound]

    private struct Bound: Equatable {
        let sign: Sign
        let numbers: [Int]
    }

    private enum Sign: String, CaseIterable {
        // Longer ones first, as they are read.
        case atLeast = ">="
        case atMost = "<="
        case above = ">"
        case below = "<"
        case beginsWith = ""
    }

    private static let mostBounds = 4
    private static let mostNumbers = 8

    /// nil where the text is no range of up to four bounds.
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
        self.text = text
        self.bounds = bounds
    }

    /// True also for a version that has no number to compare.
    package func contains(_ version: String) -> Bool {
        guard let numbers = Self.numbers(version[...], isStrict: false) else { return true }
        return bounds.allSatisfy { bound in
            switch bound.sign {
            case .beginsWith: numbers.starts(with: bound.numbers)
            case .atLeast: !Self.precedes(numbers, bound.numbers)
            case .below: Self.precedes(numbers, bound.numbers)
            // What begins with the bound is the bound itself: 2.28.1 is not above 2.28.
            case .above: !Self.precedes(numbers, bound.numbers) && !numbers.starts(with: bound.numbers)
            case .atMost: Self.precedes(numbers, bound.numbers) || numbers.starts(with: bound.numbers)
            }
        }
    }

    private static func precedes(_ first: [Int], _ second: [Int]) -> Bool { first.lexicographicallyPrecedes(second) }

    /// The numbers between dots; a version of a client may go on with other text, as `2.31rc1` does, and a bound may not.
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
