package import ProctorHTTP

package enum CacheDecision: Sendable, Equatable {
    /// Answer with the cached reply and `CachedReply.fields(servedAt:)`.
    case serve
    /// Ask the server whether the cached reply is still valid, with these fields added to the request.
    case validate([HTTPField])
    /// Send the request unchanged.
    case load
    /// Answer with 504: the request has only-if-cached, and no cached reply is suitable (§5.2.1.7).
    case refuse

    /// `reply` is the result of `CachedReply.select`, nil for none; `now` is in Unix seconds.
    ///
    /// A request with its own conditions or Range is never answered from the cache: a 304 or 206 must answer the
    /// caller's condition. Only replies to GET are cached.
    package init(method: String, requestFields: [HTTPField], reply: CachedReply?, now: Int) {
        let wanted = RequestDirectives(requestFields)
        let onlyCached = wanted.onlyIfCached
        guard method == "GET", let reply, !requestFields.contains(named: "Range"),
            !Preconditions.areAny(in: requestFields)
        else {
            self = onlyCached ? .refuse : .load
            return
        }
        if Self.mayServe(reply, wanted, at: now) {
            self = .serve
        } else if onlyCached {
            self = .refuse
        } else {
            let fields = reply.validationFields
            self = fields.isEmpty ? .load : .validate(fields)
        }
    }

    /// §4, last bullet: the reply is fresh, or may be stale; the stricter of request and reply decides (§4.2.1).
    private static func mayServe(_ reply: CachedReply, _ wanted: RequestDirectives, at now: Int) -> Bool {
        let directives = CacheDirectives(reply.fields)
        // no-cache with field names has the effect of no-cache without them, as §5.2.2.4 permits.
        guard !wanted.noCache, !directives.contains("no-cache") else { return false }
        let freshness = Freshness(of: reply)
        let age = freshness.age(at: now)
        if let needed = wanted.minFresh, freshness.lifetime - age < needed { return false }
        // A request's max-age still permits an age of exactly that (§5.2.1.1), so the reply is stale one second later.
        let lifetime = min(freshness.lifetime, wanted.maxAge.map { $0 + 1 } ?? freshness.lifetime)
        if age < lifetime { return true }
        if freshness.lifetime <= age, directives.contains("must-revalidate") { return false }
        switch wanted.maxStale {
        case .never: return false
        case .always: return true
        case .upTo(let seconds): return age - lifetime <= seconds
        }
    }

    /// What a request says about the age of its answer (§5.2.1).
    private struct RequestDirectives {
        let noCache: Bool
        let onlyIfCached: Bool
        let maxAge: Int?
        let minFresh: Int?
        let maxStale: MaxStale

        enum MaxStale {
            case never, always
            case upTo(Int)
        }

        init(_ fields: [HTTPField]) {
            let directives = CacheDirectives(fields)
            // §5.4: Pragma has an effect only without Cache-Control.
            let pragma = !fields.contains(named: "Cache-Control") && fields.lists("no-cache", in: "Pragma")
            noCache = directives.contains("no-cache") || pragma
            onlyIfCached = directives.contains("only-if-cached")
            maxAge = directives.seconds(of: "max-age")
            minFresh = directives.seconds(of: "min-fresh")
            if !directives.contains("max-stale") {
                maxStale = .never
            } else if directives.argument(of: "max-stale") == nil {
                maxStale = .always
            } else {
                maxStale = .upTo(directives.seconds(of: "max-stale") ?? 0)
            }
        }
    }
}
