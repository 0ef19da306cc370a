/// Under what a cache looks for replies: the URL as it is asked for (RFC 9111 §2).
///
/// The method is always GET, as `CacheStorage` has it. Among the replies of one key `CachedReply.select` chooses.
public struct CacheKey: Sendable, Hashable {
    /// Scheme, authority, path and query; neither userinfo nor fragment is ever sent.
    public let bytes: [UInt8]

    /// The key of a request for this URL.
    public init(_ url: ClientURL) {
        bytes = Array("\(url.origin.scheme.rawValue)://\(url.origin.authority)".utf8) + url.target
    }
}

extension CacheKey {
    /// Whose replies are no longer good when such a request was answered so (RFC 9111 §4.4).
    ///
    /// An unsafe method that succeeded changes what it was sent to, and what Location and Content-Location name where it
    /// has the same origin, lest one server empty the cache of another.
    public static func invalidated(
        by method: String, to url: ClientURL, status: Int, replyFields: [HTTPField]
    ) -> [CacheKey] {
        guard !IdempotentMethods.isSafe(method), (200...399).contains(status) else { return [] }
        let named = ["Location", "Content-Location"].compactMap { name -> ClientURL? in
            guard let field = replyFields.first(named: name) else { return nil }
            return try? url.resolving(location: field.bytes)
        }
        var keys: [CacheKey] = []
        for target in [url] + named where target.origin == url.origin {
            let key = CacheKey(target)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}
