internal import ProctorHTTP

package struct Freshness: Sendable, Equatable {
    /// The age in seconds up to which the reply is fresh; 0 means stale at once.
    package let lifetime: Int
    package let source: Source
    /// `corrected_initial_age` of §4.2.3, in seconds.
    package let initialAge: Int
    private let receivedAt: Int

    /// Where the lifetime comes from, in order of precedence (§4.2.1).
    package enum Source: Sendable, Equatable {
        /// max-age of Cache-Control; s-maxage is for shared caches only.
        case maxAge
        /// Expires minus Date; 0 if Expires is no date, such as "0" (§5.3).
        case expires
        /// A tenth of the time from Last-Modified to Date, for statuses that allow it (§4.2.2).
        case heuristic
        /// Neither a field nor the heuristic gives a lifetime.
        case nothing
    }

    package init(of reply: CachedReply) {
        let directives = CacheDirectives(reply.fields)
        let date = reply.date
        if let seconds = directives.seconds(of: "max-age") {
            (lifetime, source) = (seconds, .maxAge)
        } else if reply.fields.contains(named: "Expires") {
            let end = reply.fields.dateInAnyCase(of: "Expires", now: reply.receivedAt)
            (lifetime, source) = (end.map { DeltaSeconds.between(date, $0) } ?? 0, .expires)
        } else if let change = reply.fields.dateInAnyCase(of: "Last-Modified", now: reply.receivedAt),
            CacheStorage.isStorableByDefault(reply.status) || directives.contains("public")
        {
            (lifetime, source) = (DeltaSeconds.between(change, date) / 10, .heuristic)
        } else {
            (lifetime, source) = (0, .nothing)
        }
        let apparentAge = DeltaSeconds.between(date, reply.receivedAt)
        // §5.1: the first element of a list has an effect; one that is no number is ignored.
        let ageValue = reply.fields.elements(of: "Age").first.map(DeltaSeconds.read) ?? 0
        let correctedAge = ageValue + DeltaSeconds.between(reply.requestedAt, reply.receivedAt)
        initialAge = min(max(apparentAge, correctedAge), DeltaSeconds.greatest)
        receivedAt = reply.receivedAt
    }

    /// Seconds since the server made or last validated the reply (§4.2.3).
    package func age(at now: Int) -> Int {
        min(initialAge + DeltaSeconds.between(receivedAt, now), DeltaSeconds.greatest)
    }

    package func isFresh(at now: Int) -> Bool { lifetime > age(at: now) }
}
