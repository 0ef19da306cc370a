/// The Cookie fields of one request, and what is wrong with them whatever was expected.
struct SentCookies {
    /// Of all fields, in their order.
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
