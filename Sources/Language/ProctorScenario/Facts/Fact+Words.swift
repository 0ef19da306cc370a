internal import ProctorHTTP

extension Fact {
    /// The claim as a sentence without its full stop: `the number of requests is 2`.
    package var inWords: String { "\(name.words) \(expected.words)" }
}

extension Fact.Expectation {
    /// The predicate of the sentence: `is 2`.
    private static func value(_ template: Template) -> String {
        template.literalBytes == [] ? "empty" : template.shown
    }

    fileprivate var words: String {
        switch self {
        case .absent: return "is absent"
        case .text(let text): return "is \(Self.value(text))"
        case .list(let values) where values.isEmpty: return "is an empty list"
        case .list(let values): return "is, in this order: \(values.map(Self.value).joined(separator: ", "))"
        case .same(let other): return "is the same as \(other.words)"
        case .not(nil): return "has a value"
        case .not(let text?): return "is not \(Self.value(text))"
        case .range(nil, nil): return "is a number"
        case .range(let minimum?, nil): return "is \(Self.number(minimum)) or more"
        case .range(nil, let maximum?): return "is \(Self.number(maximum)) or less"
        case .range(let minimum?, let maximum?): return "is from \(Self.number(minimum)) to \(Self.number(maximum))"
        }
    }

    private static func number(_ number: Double) -> String {
        // A whole number is written without a fraction.
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension Case.CookieDemand {
    /// The demand as a sentence without its full stop.
    package var inWords: String {
        let standard =
            switch edition {
            case .rfc6265: "RFC 6265"
            case .rfc6265bis: "the revision of RFC 6265"
            case nil: "RFC 6265 or its revision, one of them throughout"
            }
        let rest =
            switch order {
            case .required: ", in its order"
            case .recommended: "; another order is a remark"
            case .any: ", in any order"
            }
        return "the cookies of every request are those of \(standard)\(rest)"
    }
}
