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

/// The Cookie fields of one request, and what is wrong with them whatever was expected.
struct SentCookies {
    /// The pairs of all fields, in their order.
    let pairs: [CookieField.Pair]
    /// Nothing of the value is said here: what was set is sent back as it was set.
    let faults: [Fault]
    let fieldCount: Int

    /// More pairs are not looked at.
    static let pairLimit = 1024

    /// A departure from the form.
    struct Fault {
        let violation: CookieViolation
        /// The pair inside which it stands, for a cookie may have been set so; nil: between pairs.
        let pair: [UInt8]?
    }

    init(_ fields: [[UInt8]]) {
        pairs = Array(fields.flatMap { CookieField(parsing: $0).pairs }.prefix(Self.pairLimit))
        fieldCount = fields.count
        faults = fields.flatMap(Self.faults)
    }

    /// How parts follow one another.
    private static func faults(of field: [UInt8]) -> [Fault] {
        var grammar = CookieGrammar(section: "")
        var pairs: [[UInt8]?] = []
        for (index, part) in field[...].cookieParts.enumerated() {
            var text: ArraySlice<UInt8>? = part.cookieTrimmed
            if index > 0 {
                text = grammar.inside(part)
            } else if part.cookieTrimmed.isEmpty {
                grammar.report(.emptyPart, part)
            } else if part.cookieTrimmed.count != part.count {
                grammar.report(.extraSpace, part)
            }
            pairs += Array(repeating: nil, count: grammar.violations.count - pairs.count)
            guard let text, !text.isEmpty else { continue }
            let halves = text.cookieHalves
            if halves.name.isEmpty { grammar.report(.emptyName, text) }
            if let value = halves.value,
                halves.name.cookieTrimmed.count != halves.name.count || value.cookieTrimmed.count != value.count
            {
                grammar.report(.extraSpace, text)
            }
            pairs += Array(repeating: Array(text), count: grammar.violations.count - pairs.count)
        }
        return zip(grammar.violations, pairs).map { Fault(violation: $0, pair: $1) }
    }
}
