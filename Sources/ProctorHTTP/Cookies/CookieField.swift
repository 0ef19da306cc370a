import ProctorBase

/// The value of a Cookie field, read as leniently as servers do.
public struct CookieField: Sendable, Equatable {
    /// In their order; parts with nothing in them are left out.
    public let pairs: [Pair]

    /// What stands between two semicolons.
    public struct Pair: Sendable, Equatable {
        /// Empty where there is no `=`, or nothing before it.
        public let name: [UInt8]
        /// As it stands, quotation marks included.
        public let value: [UInt8]
        /// Bytes from the start of the field's value.
        public let offset: Int
        /// All of it as it came, without the white space around it.
        public let raw: [UInt8]

        /// Name and value without white space around each; an `=` with nothing before it is left out.
        var text: [UInt8] { name.isEmpty ? value : name + [UInt8(ascii: "=")] + value }
    }

    /// Parts at semicolons, each without white space around it.
    public init(parsing field: [UInt8]) {
        pairs = field[...].cookieParts.compactMap { part in
            let text = part.cookieTrimmed
            guard !text.isEmpty else { return nil }
            let halves = text.cookieHalves
            let raw = Array(text)
            guard let value = halves.value else { return Pair(name: [], value: raw, offset: text.startIndex, raw: raw) }
            return Pair(
                name: Array(halves.name.cookieTrimmed), value: Array(value.cookieTrimmed), offset: text.startIndex,
                raw: raw)
        }
    }

    /// What departs from the grammar of RFC 6265 §4.2.1, in the order of the field; at most 64 are told.
    ///
    /// A client that was sent a cookie which breaks §4.1.1 sends it back as it is, and its field breaks this one.
    public static func violations(of field: [UInt8]) -> [CookieViolation] {
        var grammar = CookieGrammar(section: "RFC 6265 §4.2.1")
        for (index, part) in field[...].cookieParts.enumerated() {
            if index == 0 {
                let text = part.cookieTrimmed
                if text.count != part.count { grammar.report(.extraSpace, part) }
                if text.isEmpty { grammar.report(.emptyPart, text) } else { grammar.pair(text) }
            } else if let text = grammar.inside(part) {
                grammar.pair(text)
            }
        }
        return grammar.violations.sorted { $0.offset < $1.offset }
    }
}
