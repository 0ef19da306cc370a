/// The Cookie fields of one request, and what is wrong with them whatever was expected.
struct SentCookies {
    /// Of all fields, in their order.
    let pairs: [CookieField.Pair]
    /// Nothing of the value is said here: what was set is sent back as it was set.
    let form: [CookieViolation]
    let fieldCount: Int

    /// More pairs are not looked at.
    static let pairLimit = 1024

    init(_ fields: [[UInt8]]) {
        pairs = Array(fields.flatMap { CookieField(parsing: $0).pairs }.prefix(Self.pairLimit))
        fieldCount = fields.count
        form = fields.flatMap(Self.form)
    }

    /// How parts follow one another.
    private static func form(of field: [UInt8]) -> [CookieViolation] {
        var grammar = CookieGrammar(section: "")
        for (index, part) in field[...].cookieParts.enumerated() {
            var text: ArraySlice<UInt8>? = part.cookieTrimmed
            if index > 0 {
                text = grammar.inside(part)
            } else if part.cookieTrimmed.isEmpty {
                grammar.report(.emptyPart, part)
            } else if part.cookieTrimmed.count != part.count {
                grammar.report(.extraSpace, part)
            }
            guard let text, !text.isEmpty else { continue }
            let halves = text.cookieHalves
            if halves.name.isEmpty { grammar.report(.emptyName, text) }
            if let value = halves.value,
                halves.name.cookieTrimmed.count != halves.name.count || value.cookieTrimmed.count != value.count
            {
                grammar.report(.extraSpace, text)
            }
        }
        return grammar.violations
    }
}
