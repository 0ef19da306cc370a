internal import Foundation
internal import ProctorEvents
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The cookies and the cache of a session, as the application uses them.
struct URLSessionStores {
    let cookies: HTTPCookieStorage?
    let cache: URLCache?
    let request: URLRequest

    init(_ configuration: URLSessionConfiguration, for request: URLRequest) {
        cookies = configuration.httpCookieStorage
        cache = configuration.urlCache
        self.request = request
    }

    func perform(_ acts: [ActByHand]) {
        guard let url = request.url else { return }
        for act in acts {
            switch act {
            case .setCookie(let text):
                for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": text], for: url) {
                    cookies?.setCookie(cookie)
                }
            case .deleteCookie(let name): delete { $0.name == name }
            case .deleteCookies: delete { _ in true }
            case .removeCached: cache?.removeCachedResponse(for: request)
            }
        }
    }

    private func delete(where isGone: (HTTPCookie) -> Bool) {
        for cookie in found where isGone(cookie) { cookies?.deleteCookie(cookie) }
    }

    private var found: [HTTPCookie] { request.url.flatMap { cookies?.cookies(for: $0) } ?? [] }

    func facts(of stores: [StoreToRead]) -> EventFacts {
        var facts: EventFacts = []
        if stores.contains(.cookies) { facts.addCookies(found.map(FoundCookie.init)) }
        if stores.contains(.cached) { facts.addResponse(cache?.cachedResponse(for: request).map(FoundResponse.init)) }
        return facts
    }
}

extension FoundCookie {
    init(_ cookie: HTTPCookie) {
        self.init(
            name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, isSessionOnly: cookie.isSessionOnly)
    }
}

extension FoundResponse {
    init(_ cached: CachedURLResponse) {
        var notes: [String: String] = [:]
        for (name, text) in cached.userInfo ?? [:] {
            if let name = name.base as? String, let text = text as? String { notes[name] = text }
        }
        self.init(
            status: (cached.response as? HTTPURLResponse)?.statusCode ?? 200, body: Array(cached.data),
            storage: CacheStorageName.name(of: cached.storagePolicy), notes: notes)
    }
}
