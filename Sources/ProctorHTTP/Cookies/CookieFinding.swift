/// What a comparison found, before anybody asked for it in words.
enum CookieFinding {
    case severalFields(Int)
    case malformed(CookieViolation)
    case twice(CookieField.Pair)
    /// It is kept, but not for this request.
    case elsewhere(Cookie)
    case gone(CookiePast.Entry, instead: Cookie?)
    case wrongValue(CookieField.Pair, Cookie)
    case unknown(CookieField.Pair, namesake: Cookie?)
    case missing(Cookie, hasField: Bool)
    case wrongOrder(Cookie, Cookie)

    /// How far a request is from right by it; the order counts least.
    var weight: Int { isOfOrder ? 1 : 2 }

    var isOfOrder: Bool {
        if case .wrongOrder = self { true } else { false }
    }
}

extension CookieWords {
    func difference(_ finding: CookieFinding) -> CookieDifference {
        switch finding {
        case .severalFields(let count): severalFields(count)
        case .malformed(let violation): malformed(violation)
        case .twice(let pair): twice(pair)
        case .elsewhere(let cookie): elsewhere(cookie)
        case .gone(let entry, let instead): gone(entry, instead: instead)
        case .wrongValue(let pair, let cookie): wrongValue(pair, cookie)
        case .unknown(let pair, let namesake): unknown(pair, namesake: namesake)
        case .missing(let cookie, let hasField): missing(cookie, hasField: hasField)
        case .wrongOrder(let first, let second): wrongOrder(first, second)
        }
    }
}
