internal import Foundation
internal import ProctorBase
package import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A cookie in a client's store, for the fact `storedCookies`.
package struct ListedCookie: Sendable {
    package var name: String
    package var value: String
    /// The domain, with a leading dot when the cookie is also sent to subdomains.
    package var domain: String
    package var path: String
    package var isSecure: Bool
    package var isHTTPOnly: Bool
    package var isSessionOnly: Bool

    package init(
        name: String, value: String, domain: String, path: String, isSecure: Bool, isHTTPOnly: Bool,
        isSessionOnly: Bool
    ) {
        (self.name, self.value, self.domain, self.path, self.isSecure) = (name, value, domain, path, isSecure)
        (self.isHTTPOnly, self.isSessionOnly) = (isHTTPOnly, isSessionOnly)
    }

    fileprivate var line: String {
        "\(name)=\(value); Domain=\(domain); Path=\(path)" + (isSecure ? "; Secure" : "")
            + (isHTTPOnly ? "; HttpOnly" : "") + (isSessionOnly ? "; Session" : "")
    }
}

/// A response in a client's cache, for the fact `cachedStatus` and related facts.
package struct CachedReplyFacts: Sendable {
    package var status: Int
    package var body: [UInt8]
    /// `allowed`, `memory` or `notAllowed`.
    package var storage: String
    package var notes: [String: String]

    package init(status: Int, body: [UInt8], storage: String, notes: [String: String]) {
        (self.status, self.body, self.storage, self.notes) = (status, body, storage, notes)
    }
}

extension EventFacts {
    /// The most bytes of a cached response's body that are recorded.
    private static let cachedBodyLimit = 64 << 10

    /// Adds cookies sorted by name, since no store specifies an order.
    package mutating func addCookies(_ cookies: [ListedCookie]) {
        let sorted = cookies.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
        add(.storedCookies, sorted.map(\.line).joined(separator: "\n"))
    }

    /// Adds the cached response; nil: the cache has none.
    package mutating func addResponse(_ response: CachedReplyFacts?) {
        guard let response else { return add(.cachedStatus, "none") }
        add(.cachedStatus, response.status)
        add(.cachedStorage, response.storage)
        if response.body.count <= Self.cachedBodyLimit {
            add(.cachedBody, String(validUTF8: response.body))
        }
        addNames(
            .cachedNotes, fields: response.notes.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) })
    }
}

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
        for cookie in ownCookies where isGone(cookie) { cookies?.deleteCookie(cookie) }
    }

    private var ownCookies: [HTTPCookie] { request.url.flatMap { cookies?.cookies(for: $0) } ?? [] }

    func facts(of stores: [StoreToRead]) -> EventFacts {
        var facts: EventFacts = []
        if stores.contains(.cookies) { facts.addCookies(ownCookies.map(ListedCookie.init)) }
        if stores.contains(.cached) {
            facts.addResponse(cache?.cachedResponse(for: request).map(CachedReplyFacts.init))
        }
        return facts
    }
}

extension ListedCookie {
    init(_ cookie: HTTPCookie) {
        self.init(
            name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, isSessionOnly: cookie.isSessionOnly)
    }
}

extension CachedReplyFacts {
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
