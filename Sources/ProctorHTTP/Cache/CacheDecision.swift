/// What a private cache does with a request (RFC 9111 §4).
public enum CacheDecision: Sendable, Equatable {
    /// The kept reply answers it, with `CachedReply.fields(servedAt:)`.
    case serve
    /// The server is asked whether the kept reply still stands, with these fields beside the request's own.
    case validate([HTTPField])
    /// The request goes to the server as it is.
    case load
    /// 504: the request wants nothing but what is kept, and that does not do (§5.2.1.7).
    case refuse

    /// `reply` is the one that `CachedReply.select` chose, nil where none was; `now` is in Unix seconds.
    ///
    /// A request with conditions or a Range of its own is the caller's business and is not answered from here: a 304 or
    /// a part would be news to nobody but the caller. Of another method than GET nothing is kept.
    public init(method: String, requestFields: [HTTPField], reply: CachedReply?, now: Int) {
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

    /// §4, last bullet: fresh, or allowed to be stale; the strictest of what both sides say counts (§4.2.1).
    private static func mayServe(_ reply: CachedReply, _ wanted: RequestDirectives, at now: Int) -> Bool {
        let directives = CacheDirectives(reply.fields)
        // The form with field names is read as the one without, as §5.2.2.4 lets a cache.
        guard !wanted.noCache, !directives.contains("no-cache") else { return false }
        let freshness = Freshness(of: reply)
        let age = freshness.age(at: now)
        if let needed = wanted.minFresh, freshness.lifetime - age < needed { return false }
        // A request's max-age permits that age and no more (§5.2.1.1), so its first stale second is the next one.
        let lifetime = min(freshness.lifetime, wanted.maxAge.map { $0 + 1 } ?? freshness.lifetime)
        if age < lifetime { return true }
        if freshness.lifetime <= age, directives.contains("must-revalidate") { return false }
        switch wanted.maxStale {
        case .never: return false
        case .always: return true
        case .upTo(let seconds): return age - lifetime <= seconds
        }
    }

    /// What a request says about its answer's age (§5.2.1).
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
            // §5.4: Pragma is heard only from a client that does not know Cache-Control.
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
