/// How long a kept reply is as good as new, and how old it is (RFC 9111 §4.2); all times are in Unix seconds.
public struct Freshness: Sendable, Equatable {
    /// Seconds of age up to which the reply is fresh; 0 where it is stale at once.
    public let lifetime: Int
    /// What the lifetime was taken from.
    public let source: Source
    /// `corrected_initial_age` of §4.2.3: how old the reply was when it came.
    public let initialAge: Int
    private let receivedAt: Int

    /// What says how long a reply is fresh, the first of them that there is (§4.2.1).
    public enum Source: Sendable, Equatable {
        /// Cache-Control: max-age; s-maxage is for shared caches.
        case maxAge
        /// The time from Date to Expires; none for an Expires that is no date, like "0" (§5.3).
        case expires
        /// A tenth of the time from Last-Modified to Date, where the status lets one guess (§4.2.2).
        case heuristic
        /// Nobody has said anything.
        case nothing
    }

    /// Of a reply with the fields that it has now.
    public init(of reply: CachedReply) {
        let directives = CacheDirectives(reply.fields)
        let date = reply.date
        if let seconds = directives.seconds(of: "max-age") {
            (lifetime, source) = (seconds, .maxAge)
        } else if reply.fields.contains(named: "Expires") {
            let end = reply.fields.date(of: "Expires", now: reply.receivedAt)
            (lifetime, source) = (end.map { DeltaSeconds.between(date, $0) } ?? 0, .expires)
        } else if let change = reply.fields.date(of: "Last-Modified", now: reply.receivedAt),
            CacheStorage.isStorableByDefault(reply.status) || directives.contains("public")
        {
            (lifetime, source) = (DeltaSeconds.between(change, date) / 10, .heuristic)
        } else {
            (lifetime, source) = (0, .nothing)
        }
        let apparentAge = DeltaSeconds.between(date, reply.receivedAt)
        // §5.1: of a list the first counts, and what is no number is ignored.
        let ageValue = reply.fields.elements(of: "Age").first.map(DeltaSeconds.read) ?? 0
        let correctedAge = ageValue + DeltaSeconds.between(reply.requestedAt, reply.receivedAt)
        initialAge = min(max(apparentAge, correctedAge), DeltaSeconds.greatest)
        receivedAt = reply.receivedAt
    }

    /// Seconds since the server made or last confirmed the reply, as far as can be told (§4.2.3).
    public func age(at now: Int) -> Int {
        min(initialAge + DeltaSeconds.between(receivedAt, now), DeltaSeconds.greatest)
    }

    /// Whether it may be used without asking, unless the request or the reply demands more.
    public func isFresh(at now: Int) -> Bool { lifetime > age(at: now) }
}
