import ProctorBase

/// Which content codings a client can read (RFC 9110 §12.5.3).
public struct AcceptEncoding: Sendable, Equatable {
    /// In their order; the first of a name counts.
    public let codings: [Coding]
    /// What was passed over, as if it had not been there.
    public let violations: [FieldViolation]

    /// More are not read.
    public static let limit = 100

    /// One element of the field.
    public struct Coding: Sendable, Equatable {
        /// In lower case and without `x-`: `gzip`, `identity`, `*`.
        public let name: String
        /// In thousandths, 0 to 1000; 0 forbids it.
        public let weight: Int
    }

    /// What to send.
    public enum Choice: Sendable, Equatable {
        /// This one, as the caller spelt it.
        case coding(String)
        /// The content as it is.
        case identity
        /// Nothing that there is: 406, or the content as it is after all.
        case nothing
    }

    /// Reads all Accept-Encoding fields of a request as one list.
    ///
    /// Without the field any coding is acceptable to the letter of the RFC, but nobody has said to know one: like an
    /// empty field, it makes `choose(among:)` choose identity.
    public init(_ fields: [HTTPField]) {
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
        self.codings = codings
        self.violations = violations
    }

    /// In thousandths, 0 where it is not acceptable; nil where nothing is said about it.
    ///
    /// `*` speaks for every name that is not there, identity among them.
    public func weight(of coding: String) -> Int? {
        let name = Coding.canonical(coding.lowercased())
        return (codings.first { $0.name == name } ?? codings.first { $0.name == "*" })?.weight
    }

    /// The one that is liked best, in the order of `names` where several are liked the same.
    ///
    /// Identity is sent where no coding is acceptable, and where it was named with a greater weight than them. It is
    /// acceptable unless a weight of 0 forbids it, its own or that of `*`.
    public func choose(among names: [String]) -> Choice {
        var best: (name: String, weight: Int)?
        for name in names where name.lowercased() != "identity" {
            let weight = weight(of: name) ?? 0
            if weight > best?.weight ?? 0 { best = (name, weight) }
        }
        // `*` may forbid identity, but does not ask for it.
        let named = codings.first { $0.name == "identity" }?.weight
        if let best, best.weight >= named ?? 0 { return .coding(best.name) }
        return weight(of: "identity") == 0 ? .nothing : .identity
    }
}

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
