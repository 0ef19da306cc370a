internal import ProctorAssignments
internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorHTTPClient
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// The cookies and the cache of the client, as the application uses them for one request.
struct ReferenceStores {
    let cookies: ReferenceCookieStore
    let cache: ReferenceCache?
    let request: ClientRequest
    /// A deliberate fault: deletes nothing.
    var deletesNothing = false

    func perform(_ acts: [ActByHand]) {
        for act in acts {
            if case .setCookie(let text) = act {
                cookies.set(text, for: request.url)
            } else if !deletesNothing {
                delete(act)
            }
        }
    }

    private func delete(_ act: ActByHand) {
        switch act {
        case .setCookie: break
        case .deleteCookie(let name): cookies.remove(named: name, for: request.url)
        case .deleteCookies: cookies.remove(named: nil, for: request.url)
        case .removeCached: cache?.remove(for: request)
        }
    }

    func facts(of stores: [StoreToRead]) -> EventFacts {
        var facts: EventFacts = []
        if stores.contains(.cookies) { facts.addCookies(cookies.cookies(for: request.url).map(ListedCookie.init)) }
        if stores.contains(.cached) { facts.addResponse(cache?.stored(for: request).map(CachedReplyFacts.init)) }
        return facts
    }
}

extension ListedCookie {
    init(_ cookie: Cookie) {
        self.init(
            name: String(decoding: cookie.name, as: UTF8.self), value: String(decoding: cookie.value, as: UTF8.self),
            domain: (cookie.isHostOnly ? "" : ".") + cookie.domain, path: String(decoding: cookie.path, as: UTF8.self),
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, isSessionOnly: cookie.expiry == nil)
    }
}

extension CachedReplyFacts {
    init(_ cached: CachedContent) {
        let storage =
            switch cached.storage {
            case .allowed: "allowed"
            case .allowedInMemoryOnly: "memory"
            case .notAllowed: "notAllowed"
            }
        self.init(status: cached.status, body: cached.content, storage: storage, notes: cached.notes)
    }
}
