internal import ProctorHTTP

/// What one load has to do with cookies: what it sends of them, and what it takes.
struct CookieCourse: Sendable {
    let store: ReferenceCookieStore
    var policy = CookiePolicy.always
    /// Of a client that is broken on purpose.
    var fault: CookieFault?

    /// With the Cookie field that belongs to it now; to be asked before every sending, also after a redirect.
    ///
    /// One that the caller has written itself stays alone, as Foundation has it: it overrides all that is stored.
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
    var cookiePlace: CookiePlace {
        CookiePlace(isSecure: origin.scheme == .https, host: origin.host, path: Array(reference.path))
    }
}
