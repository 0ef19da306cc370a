/// What no cache may store, and what one may by default (RFC 9111 §3).
package enum CacheStorage {
    /// Why no cache may store a response, half a sentence.
    ///
    /// nil if a cache may, and if it depends on the cache (206, 304, a method other than GET).
    package static func prohibition(
        method: String, requestFields: [HTTPField], status: Int, replyFields: [HTTPField]
    ) -> String? {
        if CacheDirectives(replyFields).contains("no-store") {
            return "Cache-Control of the reply says no-store (RFC 9111 §5.2.2.5)"
        }
        if CacheDirectives(requestFields).contains("no-store") {
            return "Cache-Control of the request says no-store (RFC 9111 §5.2.1.5)"
        }
        guard method == "GET", (200...599).contains(status), status != 206, status != 304,
            !isStorableByDefault(status), !permitsExplicitly(replyFields)
        else { return nil }
        return
            "nothing in the reply permits it, and \(status) is not stored without a word about freshness (RFC 9111 §3)"
    }

    /// s-maxage does not apply to a private cache, but it makes the freshness of the response explicit.
    private static func permitsExplicitly(_ fields: [HTTPField]) -> Bool {
        let directives = CacheDirectives(fields)
        return ["public", "private", "max-age", "s-maxage"].contains { directives.contains($0) }
            || fields.contains(named: "Expires")
    }

    /// The statuses that are storable without explicit freshness (RFC 9110 §15.1).
    package static func isStorableByDefault(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
