internal import ProctorBase
internal import ProctorHTTP

/// One thing that is done wrong with cookies, by clients that are broken on purpose.
package enum CookieFault: Sendable, Hashable, CaseIterable {
    /// A request that follows a redirect has none.
    case forgottenByRedirects
    /// Every cookie is for the whole site, also one without Domain.
    case sentToSiblings
    /// Expires and Max-Age are left aside, so that nothing is ever over or deleted.
    case neverExpires
    /// Secure is left aside when cookies are sent.
    case sentInTheClear
    /// A cookie goes to every path of its host.
    case sentToEveryPath
    /// The last comes first.
    case orderReversed
    /// Several Set-Cookie fields are taken for one, with commas between them (RFC 6265 §3 forbids it).
    case foldedByCommas
    /// Each cookie has a field of its own (RFC 6265 §5.4 wants one field).
    case oneFieldEach
    /// What comes with a redirect, or a 401, is not taken.
    case takenFromSuccessAlone

    /// The Set-Cookie fields as the faulty client reads them.
    func misread(_ fields: [[UInt8]], status: Int) -> [[UInt8]] {
        switch self {
        case .foldedByCommas: fields.isEmpty ? [] : [Array(fields.joined(separator: ", ".utf8))]
        case .takenFromSuccessAlone: (200..<300).contains(status) ? fields : []
        case .neverExpires: fields.map { Self.without(["expires", "max-age"], $0) }
        case .sentToEveryPath: fields.map { Self.without(["path"], $0) }
        case .forgottenByRedirects, .sentToSiblings, .sentInTheClear, .orderReversed, .oneFieldEach: fields
        }
    }

    /// Where the faulty client thinks that it is; `isSending` tells requests from replies.
    func misplace(_ place: CookiePlace, isSending: Bool) -> CookiePlace {
        var place = place
        switch self {
        case .sentToSiblings: place.host = CookieCourse.site(of: place.host)
        case .sentInTheClear: place.isSecure = place.isSecure || isSending
        case .sentToEveryPath: place.path = [UInt8(ascii: "/")]
        case .forgottenByRedirects, .neverExpires, .orderReversed, .foldedByCommas, .oneFieldEach,
            .takenFromSuccessAlone:
            break
        }
        return place
    }

    /// The Cookie fields that the faulty client sends in place of one.
    func miswrite(_ field: [UInt8], isRedirected: Bool) -> [[UInt8]] {
        switch self {
        case .forgottenByRedirects: isRedirected ? [] : [field]
        case .orderReversed: [Array(Self.pairs(of: field).reversed().joined(separator: "; ".utf8))]
        case .oneFieldEach: Self.pairs(of: field)
        case .sentToSiblings, .neverExpires, .sentInTheClear, .sentToEveryPath, .foldedByCommas,
            .takenFromSuccessAlone:
            [field]
        }
    }

    private static func pairs(of field: [UInt8]) -> [[UInt8]] {
        field.split(separator: UInt8(ascii: ";")).map { Array($0.drop { $0 == UInt8(ascii: " ") }) }
    }

    private static func without(_ names: Set<String>, _ field: [UInt8]) -> [UInt8] {
        let parts = field.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let kept = parts.enumerated().filter { index, part in
            let name = part.prefix { $0 != UInt8(ascii: "=") }.filter { $0 != UInt8(ascii: " ") }
            return index == 0 || !names.contains(String(decoding: name.map(\.asciiLowercased), as: UTF8.self))
        }
        return Array(kept.map(\.element).joined(separator: [UInt8(ascii: ";")]))
    }
}
