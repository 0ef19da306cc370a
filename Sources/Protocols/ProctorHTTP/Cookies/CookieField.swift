import ProctorBase

/// The value of a Cookie field, read as leniently as servers read it.
package struct CookieField: Sendable, Equatable {
    /// In order, without empty ones.
    package let pairs: [Pair]

    /// The text between two semicolons.
    package struct Pair: Sendable, Equatable {
        /// Empty if there is no `=`, or nothing before it.
        package let name: [UInt8]
        /// The received bytes, with any quotation marks.
        package let value: [UInt8]
        package let offset: Int
        /// The whole pair as it was received, without whitespace around it.
        package let raw: [UInt8]

        /// Name and value without whitespace around them; a leading `=` is left out.
        var text: [UInt8] { name.isEmpty ? value : name + [UInt8(ascii: "=")] + value }
    }

    /// Splits at semicolons and removes whitespace around each part.
    package init(parsing field: [UInt8]) {
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

    /// The value with unchanged pairs and only `; ` between them.
    package static func joined(_ value: [UInt8]) -> [UInt8] {
        let pairs = CookieField(parsing: value).pairs
        return pairs.isEmpty ? value : Array(pairs.map(\.raw).joined(separator: "; ".utf8))
    }

    /// Violations of RFC 6265 §4.2.1, in the order of the field; at most 64.
    ///
    /// If the server violated §4.1.1 when it set a cookie, the client's field violates the grammar too.
    package static func violations(of field: [UInt8]) -> [CookieViolation] {
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

/// The Cookie fields of one request, and the faults in them that do not depend on the expected cookies.
struct SentCookies {
    let pairs: [CookieField.Pair]
    let faults: [Fault]
    let fieldCount: Int

    static let pairLimit = 1024

    struct Fault {
        let violation: CookieViolation
        /// The pair that contains the fault, since the cookie may have been set so; nil for a fault between pairs.
        let pair: [UInt8]?
    }

    init(_ fields: [[UInt8]]) {
        pairs = Array(fields.flatMap { CookieField(parsing: $0).pairs }.prefix(Self.pairLimit))
        fieldCount = fields.count
        faults = fields.flatMap(Self.faults)
    }

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
