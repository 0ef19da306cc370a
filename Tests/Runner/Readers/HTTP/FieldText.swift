import ProctorBase
import ProctorHTTP

extension ByteText {
    /// Bytes within a line: `-` for none, and `""` for an empty text.
    static func optional(_ bytes: (some Sequence<UInt8>)?) -> String {
        guard let bytes else { return "-" }
        let text = inLine(bytes)
        return text.isEmpty ? "\"\"" : text
    }

    static func optional(_ text: String?) -> String { optional(text.map { Array($0.utf8) }) }
}

/// Input of several parts in one line.
enum Parts {
    /// The parts between ` | `; none of an empty text.
    static func of(_ input: [UInt8], by separator: String = " | ") -> [[UInt8]] {
        input.isEmpty
            ? [] : input.split(separator: Array(separator.utf8), omittingEmptySubsequences: false).map(Array.init)
    }

    /// Parts such as `Vary: *`.
    static func fields(_ input: [UInt8]) -> [HTTPField] { of(input).map(field) }

    static func field(_ line: [UInt8]) -> HTTPField {
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == 0x20 { value = value.dropFirst() }
        return HTTPField(name: String(decoding: name, as: UTF8.self), bytes: Array(value))
    }

    /// As many parts as `count`, those at the end empty where they were left out.
    static func exactly(_ count: Int, _ input: [UInt8], by separator: String, _ block: Block) throws -> [[UInt8]] {
        let parts = of(input, by: separator)
        guard parts.count <= count else {
            throw RowError(block.line, "expected at most \(count) parts between \"\(separator)\"")
        }
        return parts + [[UInt8]](repeating: [], count: count - parts.count)
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

    static func number(_ bytes: some Sequence<UInt8>, _ block: Block) throws -> Int {
        guard let number = Int(text(bytes)) else {
            throw RowError(block.line, "expected a number, found \"\(text(bytes))\"")
        }
        return number
    }
}

/// Violations of a grammar as lines.
enum GrammarText {
    /// `bad-range at 6 (RFC 9110 §14.1.1)`; with the word `sentences` also what a person is told.
    static func place<Rule: GrammarRule & RawRepresentable>(
        _ violation: GrammarViolation<Rule>, _ block: Block
    ) -> String where Rule.RawValue == String {
        let place = "\(violation.kind.rawValue) at \(violation.offset) (\(violation.section))"
        return block.has("sentences") ? "\(place): \(violation.sentence)" : place
    }
}
