public import ProctorHTTP

/// What a load tells its client, in this order and nothing else; which of it is asked for an answer depends on its kind.
///
/// The shapes (session, connection, download, URLProtocol) turn notices into calls of their delegates.
public enum ClientNotice: Sendable, Equatable {
    /// The canonical form of the request, before it is sent (R7). A question: ``LoadEvent/canonicalAnswered(isAccepted:)``.
    case canonicalize(ClientRequest)
    /// A question: ``LoadEvent/redirectAnswered(_:)``.
    case redirect(to: ClientRequest, from: LoadResponse)
    /// A question: ``LoadEvent/challengeAnswered(_:)``.
    case challenge(LoadChallenge)
    /// The open challenge needs no answer any more (R11).
    case challengeCancelled(LoadChallenge)
    /// A question: ``LoadEvent/bodyStreamAnswered(_:)``.
    case needBodyStream
    /// Progress of one sending; `expected` is -1 for a stream of unknown length.
    case bodySent(n: Int, total: Int, expected: Int)
    /// A 1xx but 101 (R27).
    case informational(ReplyHead)
    /// A question: ``LoadEvent/responseAnswered(isAllowed:)``.
    case response(LoadResponse)
    /// Never empty (R30).
    case data([UInt8])
    /// A question: ``LoadEvent/cacheAnswered(isStored:)``.
    case willCache(LoadResponse)
    /// Exchanges that were begun for this load, also those that found no connection (R41).
    case metrics(exchangeCount: Int)
    /// The last one; nil for success (R39, R40).
    case complete(LoadError?)
}
