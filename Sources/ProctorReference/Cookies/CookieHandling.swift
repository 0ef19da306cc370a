internal import ProctorBase
internal import ProctorHTTP

/// What one load has to do with cookies: what it sends of them, and what it takes.
struct CookieHandling: Sendable {
    let store: ReferenceCookieStore
    var policy = CookiePolicy.always
    /// Of a client that is broken on purpose.
    var fault: CookieFault?

    /// With the Cookie field that belongs to it now; to be asked before every sending, also after a redirect.
    ///
    /// A Cookie field of the caller's own goes alone, as Foundation has it: it overrides all that is stored.
    func completed(_ request: ClientRequest, isRedirected: Bool) -> ClientRequest {
        guard policy != .never, request.handlesCookies, !request.fields.contains(named: "Cookie") else {
            return request
        }
        var place = request.url.cookiePlace
        if let fault { place = fault.misplace(place, isSending: true) }
        guard let value = store.field(for: place) else { return request }
        var request = request
        for value in fault?.miswrite(value, isRedirected: isRedirected) ?? [value] {
            request.fields.append(HTTPField(name: "Cookie", bytes: value))
        }
        return request
    }

    /// Takes what a final reply sets, whatever its status (RFC 6265 §3); each field by itself, and in order.
    ///
    /// Interim replies set nothing: a client may leave theirs aside, and this one does.
    func take(_ head: ReplyHead, of request: ClientRequest) {
        guard !head.isInterim, request.handlesCookies, accepts(from: request) else { return }
        var fields = head.fields.values(named: "Set-Cookie").map { Array($0) }
        guard !fields.isEmpty else { return }
        var place = request.url.cookiePlace
        if let fault {
            place = fault.misplace(place, isSending: false)
            fields = fault.misread(fields, status: head.status)
        }
        for field in fields { store.take(field, from: place) }
    }

    private func accepts(from request: ClientRequest) -> Bool {
        switch policy {
        case .always: true
        case .never: false
        case .mainDocument:
            request.mainDocument.map { Self.site(of: $0.origin.host) == Self.site(of: request.url.origin.host) } ?? true
        }
    }

    /// The last two labels of a name; an address, and a name of one label, is a site of its own.
    static func site(of host: String) -> String {
        let labels = host.split(separator: ".")
        let isAddress = host.contains(":") || labels.last?.allSatisfy(\.isNumber) ?? true
        return isAddress ? host : labels.suffix(2).joined(separator: ".")
    }
}

extension ClientURL {
    /// Where its cookies come from and go to.
    var cookiePlace: CookieURL {
        CookieURL(isSecure: origin.scheme == .https, host: origin.host, path: Array(reference.path))
    }
}

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
        default: fields
        }
    }

    /// Where the faulty client thinks that it is; `isSending` tells requests from replies.
    func misplace(_ place: CookieURL, isSending: Bool) -> CookieURL {
        var place = place
        switch self {
        case .sentToSiblings: place.host = CookieHandling.site(of: place.host)
        case .sentInTheClear: place.isSecure = place.isSecure || isSending
        case .sentToEveryPath: place.path = [UInt8(ascii: "/")]
        default: break
        }
        return place
    }

    /// The Cookie fields that the faulty client sends in place of one.
    func miswrite(_ field: [UInt8], isRedirected: Bool) -> [[UInt8]] {
        switch self {
        case .forgottenByRedirects: isRedirected ? [] : [field]
        case .orderReversed: [Array(Self.pairs(of: field).reversed().joined(separator: "; ".utf8))]
        case .oneFieldEach: Self.pairs(of: field)
        default: [field]
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

/// Which cookies a client takes, as NSHTTPCookieAcceptPolicy has it.
public enum CookiePolicy: Sendable, Hashable, CaseIterable {
    /// Every one that may be set where it comes from.
    case always
    /// No cookies; and none are sent, which Foundation leaves to another switch.
    case never
    /// Cookies from the site of ``ClientRequest/mainDocument``: Foundation's `onlyFromMainDocumentDomain`.
    ///
    /// A request that names no document is one of its own, so that everything is taken then. Two hosts are of one site
    /// when they are the same, or names with the same last two labels: no list of public suffixes is carried.
    case mainDocument
}
