/// Where a private cache may keep a response; the words are those of Foundation's storage policy.
public enum CacheStoragePolicy: String, Sendable, CaseIterable {
    /// In memory and on disk.
    case allowed
    /// Not on a disk, where others may read it.
    case allowedInMemoryOnly
    /// Nowhere.
    case notAllowed
}

/// Whether a cache may store a response (RFC 9111 §3) that serves one user and understands GET and whole replies.
///
/// Freshness is not asked: what is stale at once is still good for asking again.
public enum CacheStorage {
    /// What came over TLS stays in memory, as Apple's loader has it; the RFC itself makes no difference.
    public static func policy(
        scheme: HTTPScheme, method: String, requestFields: [HTTPField], status: Int, replyFields: [HTTPField]
    ) -> CacheStoragePolicy {
        guard
            mayStore(method: method, requestFields: requestFields, status: status, replyFields: replyFields)
        else { return .notAllowed }
        return scheme == .https ? .allowedInMemoryOnly : .allowed
    }

    /// §3, bullet by bullet; `private` and a request's Authorization stop only shared caches (§3.5, §5.2.2.7).
    public static func mayStore(
        method: String, requestFields: [HTTPField], status: Int, replyFields: [HTTPField]
    ) -> Bool {
        // A cache may choose what methods it understands; answers to others than GET are hardly ever of use.
        guard method == "GET" else { return false }
        // Neither interim replies, nor parts, which nothing here could put together, nor what only updates another.
        guard (200...599).contains(status), status != 206, status != 304 else { return false }
        let ours = CacheDirectives(requestFields)
        let theirs = CacheDirectives(replyFields)
        // Obeyed even beside must-understand, where §5.2.2.3 would let it be overlooked.
        guard !ours.contains("no-store"), !theirs.contains("no-store") else { return false }
        if theirs.contains("must-understand"), !isStorableByDefault(status) { return false }
        // §4.1: such a response never answers another request.
        guard !variesByEverything(replyFields) else { return false }
        return isStorableByDefault(status) || theirs.contains("public") || theirs.contains("private")
            || theirs.contains("max-age") || replyFields.contains(named: "Expires")
    }

    /// The statuses that may be kept without a word about freshness (RFC 9110 §15.1).
    public static func isStorableByDefault(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    private static func variesByEverything(_ fields: [HTTPField]) -> Bool {
        fields.lists("*", in: "Vary")
    }
}

/// Which fields of a reply a cache keeps, and which of them a newer reply replaces (RFC 9111 §3.1, §3.2).
enum StoredFields {
    /// Without those of the connection and of proxies.
    static func keeping(_ fields: [HTTPField]) -> [HTTPField] {
        let nominated = fields.elements(of: "Connection").map { FieldText.decode($0) }
        return fields.filter { field in
            !ofOneHop.contains { field.isNamed($0) } && !nominated.contains { field.isNamed($0) }
        }
    }

    /// Every field that comes with the newer reply takes the place of all of its name.
    ///
    /// But not those that say how the content has been read: it was not sent again, and would be read otherwise.
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
