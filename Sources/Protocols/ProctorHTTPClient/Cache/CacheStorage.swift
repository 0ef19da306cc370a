package import ProctorHTTP

/// Where a private cache may keep a response; the names are those of Foundation's storage policy.
package enum CacheStoragePolicy: String, Sendable, CaseIterable {
    /// In memory and on disk.
    case allowed
    /// Not on disk, where other programs could read it.
    case allowedInMemoryOnly
    /// Nowhere.
    case notAllowed
}

/// Whether a private cache for GET and whole replies may store a response (RFC 9111 §3).
///
/// Freshness is not checked: a stale reply can still be validated.
extension CacheStorage {
    /// Replies over TLS stay in memory, as in Apple's loader; RFC 9111 has no such rule.
    package static func policy(
        scheme: HTTPScheme, method: String, requestFields: [HTTPField], status: Int, replyFields: [HTTPField]
    ) -> CacheStoragePolicy {
        guard
            mayStore(method: method, requestFields: requestFields, status: status, replyFields: replyFields)
        else { return .notAllowed }
        return scheme == .https ? .allowedInMemoryOnly : .allowed
    }

    /// The conditions of §3 in their order; `private` and a request's Authorization restrict only shared caches (§3.5,
    /// §5.2.2.7).
    package static func mayStore(
        method: String, requestFields: [HTTPField], status: Int, replyFields: [HTTPField]
    ) -> Bool {
        // A cache may choose its methods; replies to other methods are rarely useful.
        guard method == "GET" else { return false }
        // No interim replies, no partial content (this cache cannot combine it), and no 304, which only updates another
        // reply.
        guard (200...599).contains(status), status != 206, status != 304 else { return false }
        let ours = CacheDirectives(requestFields)
        let theirs = CacheDirectives(replyFields)
        // no-store has precedence even over must-understand, which would permit storing (§5.2.2.3).
        guard !ours.contains("no-store"), !theirs.contains("no-store") else { return false }
        if theirs.contains("must-understand"), !isStorableByDefault(status) { return false }
        // §4.1: such a response never answers another request.
        guard !variesByEverything(replyFields) else { return false }
        return isStorableByDefault(status) || theirs.contains("public") || theirs.contains("private")
            || theirs.contains("max-age") || replyFields.contains(named: "Expires")
    }

    private static func variesByEverything(_ fields: [HTTPField]) -> Bool {
        fields.lists("*", in: "Vary")
    }
}

/// Which fields of a reply a cache stores, and which of them a newer reply replaces (RFC 9111 §3.1, §3.2).
enum StoredFields {
    /// Returns the fields without those of the connection and of proxies.
    static func keeping(_ fields: [HTTPField]) -> [HTTPField] {
        let nominated = fields.elements(of: "Connection").map { FieldText.decode($0) }
        return fields.filter { field in
            !ofOneHop.contains { field.isNamed($0) } && !nominated.contains { field.isNamed($0) }
        }
    }

    /// Replaces all fields of a name by those of the newer reply.
    ///
    /// Fields that say how the stored content is encoded stay: the content was not sent again.
    static func updated(_ stored: [HTTPField], by newer: [HTTPField]) -> [HTTPField] {
        let newer = keeping(newer).filter { field in !ofTheContent.contains { field.isNamed($0) } }
        return stored.filter { field in !newer.contains(named: field.name) } + newer
    }

    private static let ofOneHop = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
    ]

    private static let ofTheContent = ["Content-Encoding", "Content-Length", "Content-Range", "Content-Type"]
}
