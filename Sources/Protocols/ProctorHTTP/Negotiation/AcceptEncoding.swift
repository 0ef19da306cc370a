import ProctorBase

/// Accept-Encoding (RFC 9110 §12.5.3).
package struct AcceptEncoding: Sendable, Equatable {
    /// In order; of several with the same name only the first.
    package let codings: [Coding]
    /// Malformed elements, which were skipped.
    package let violations: [FieldViolation]

    package static let limit = 100

    /// One element of the field.
    package struct Coding: Sendable, Equatable {
        /// In lower case and without `x-`: `gzip`, `identity`, `*`.
        package let name: String
        /// In thousandths, 0 to 1000; 0 forbids the coding.
        package let weight: Int
    }

    package enum Choice: Sendable, Equatable {
        /// The coding's name in the caller's spelling.
        case coding(String)
        /// No coding.
        case identity
        /// Neither a coding nor identity is acceptable; the answer is 406, or identity nevertheless.
        case nothing
    }

    /// Reads all fields of a request as one list.
    ///
    /// Without the field the RFC permits any coding; `choose(among:)` chooses identity then, as for an empty field.
    package init(_ fields: [HTTPField]) {
        var codings: [Coding] = []
        var violations: [FieldViolation] = []
        for field in fields.all(named: "Accept-Encoding") {
            for element in field.elements {
                guard codings.count + violations.count < Self.limit else {
                    violations.append(
                        FieldViolation(.tooManyCodings, at: element.startIndex, element, bound: Self.limit))
                    break
                }
                do throws(FieldViolation) {
                    codings.append(try Coding(element))
                } catch {
                    violations.append(error)
                }
            }
        }
        (self.codings, self.violations) = (codings, violations)
    }

    /// In thousandths, 0 if not acceptable; nil if the field does not say.
    ///
    /// `*` applies to every name that is not listed, also to identity.
    package func weight(of coding: String) -> Int? {
        let name = Coding.canonical(coding.lowercased())
        return (codings.first { $0.name == name } ?? codings.first { $0.name == "*" })?.weight
    }

    /// The coding with the greatest weight; of equal ones the first of `names`.
    ///
    /// Identity is chosen if no coding is acceptable or if it is listed with a greater weight. A weight of 0, its own
    /// or that of `*`, forbids it.
    package func choose(among names: [String]) -> Choice {
        var best: (name: String, weight: Int)?
        for name in names where name.lowercased() != "identity" {
            let weight = weight(of: name) ?? 0
            if weight > best?.weight ?? 0 { best = (name, weight) }
        }
        // `*` may forbid identity but does not request it.
        let named = codings.first { $0.name == "identity" }?.weight
        if let best, best.weight >= named ?? 0 { return .coding(best.name) }
        return weight(of: "identity") == 0 ? .nothing : .identity
    }
}

extension AcceptEncoding.Coding {
    /// One element such as `gzip` or `*;q=0`; `q` is the only parameter.
    init(_ element: ArraySlice<UInt8>) throws(FieldViolation) {
        var cursor = FieldCursor(Array(element))
        guard let name = cursor.takeToken() else {
            throw FieldViolation(.badCoding, at: element.startIndex, element)
        }
        cursor.skipBlanks()
        var weight = 1000
        if !cursor.isAtEnd {
            guard cursor.consume(UInt8(ascii: ";")) else {
                throw FieldViolation(.badCoding, at: element.startIndex, element)
            }
            cursor.skipBlanks()
            guard cursor.consume(UInt8(ascii: "q")) || cursor.consume(UInt8(ascii: "Q")),
                cursor.consume(UInt8(ascii: "="))
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

    /// Removes `x-` (§8.4.1.1, §8.4.1.3).
    static func canonical(_ name: String) -> String {
        switch name {
        case "x-gzip": "gzip"
        case "x-compress": "compress"
        default: name
        }
    }

    /// `qvalue` (§12.4.2): 0 or 1 and at most three digits after a point.
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
