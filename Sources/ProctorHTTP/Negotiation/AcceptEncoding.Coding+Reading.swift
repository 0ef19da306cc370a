import ProctorBase

extension AcceptEncoding.Coding {
    /// `gzip`, `*;q=0` and their like; the only parameter there is `q`.
    init(_ element: ArraySlice<UInt8>) throws(FieldViolation) {
        var cursor = FieldCursor(Array(element))
        guard let name = cursor.takeToken() else {
            throw FieldViolation(.badCoding, at: element.startIndex, element)
        }
        cursor.skipBlanks()
        var weight = 1000
        if !cursor.isAtEnd {
            guard cursor.take(UInt8(ascii: ";")) else {
                throw FieldViolation(.badCoding, at: element.startIndex, element)
            }
            cursor.skipBlanks()
            guard cursor.take(UInt8(ascii: "q")) || cursor.take(UInt8(ascii: "Q")), cursor.take(UInt8(ascii: "="))
            else {
                throw FieldViolation(.badCoding, at: element.startIndex, element)
            }
            let text = cursor.bytes[cursor.index...]
            guard let number = Self.thousandths(text) else {
                throw FieldViolation(.badWeight, at: element.startIndex + cursor.index, text)
            }
            weight = number
        }
        self.init(name: Self.canonical(FieldText.decode(name).lowercased()), weight: weight)
    }

    /// §8.4.1.1 and §8.4.1.3: a recipient takes these two names for the ones without `x-`.
    static func canonical(_ name: String) -> String {
        switch name {
        case "x-gzip": "gzip"
        case "x-compress": "compress"
        default: name
        }
    }

    /// `qvalue` (§12.4.2): 0 or 1, and at most three digits behind a point, which may stand alone.
    private static func thousandths(_ text: ArraySlice<UInt8>) -> Int? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, whole.count == 1, let ones = whole.saturatedNumber, ones <= 1 else { return nil }
        guard parts.count == 2, !parts[1].isEmpty else { return ones * 1000 }
        guard parts[1].count <= 3, parts[1].allSatisfy(\.isASCIIDigit) else { return nil }
        let digits = Array(parts[1]) + [UInt8](repeating: UInt8(ascii: "0"), count: 3 - parts[1].count)
        let weight = ones * 1000 + (digits.saturatedNumber ?? 0)
        return weight <= 1000 ? weight : nil
    }
}
