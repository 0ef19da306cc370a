/// What a stored response may do for a request, in place of the server; the cases are those of NSURLRequest.
public enum CachePolicy: Sendable, Hashable {
    /// A fresh one answers and a stale one is asked about (RFC 9111 §4.2, §4.3): `useProtocolCachePolicy`.
    case byProtocol
    /// None is looked for, and what comes may take its place: `reloadIgnoringLocalCacheData`.
    case reload
    /// Any one answers, fresh or not; without one the server is asked: `returnCacheDataElseLoad`.
    case cacheElseLoad
    /// Any one answers; without one the load fails with `resourceUnavailable`: `returnCacheDataDontLoad`.
    case cacheOnly
}
