import ProctorBase

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
        /// Neither fields nor a heuristic give a time.
        case nothing
    }

    /// Computes the freshness of a reply with the fields that it has now.
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

/// The directives of all Cache-Control fields of a message (RFC 9111 §5.2).
public struct CacheDirectives: Sendable, Equatable {
    /// Arguments without quotes, nil where there is none; the first of a name counts (§4.2.1).
    private var arguments: [String: [UInt8]?] = [:]

    /// Reads the fields of a request or of a reply; what is no directive is passed over.
    public init(_ fields: [HTTPField]) {
        for element in fields.elements(of: "Cache-Control") {
            var cursor = FieldCursor(Array(element))
            let name = cursor.take { $0 != UInt8(ascii: "=") && !$0.isBlank }
            cursor.skipBlanks()
            var argument: [UInt8]?
            if cursor.take(UInt8(ascii: "=")) {
                cursor.skipBlanks()
                argument = cursor.takeQuotedString()?.content ?? Array(cursor.bytes[cursor.index...])
            }
            let key = FieldText.decode(name).lowercased()
            if arguments[key] == nil { arguments[key] = .some(argument) }
        }
    }

    /// Whether there is a directive of that name, which is in lower case.
    public func contains(_ name: String) -> Bool { arguments[name] != nil }

    /// By a name in lower case; nil also where the directive stands without an argument.
    public func argument(of name: String) -> [UInt8]? { arguments[name] ?? nil }

    /// An argument that is a number of seconds; nil where the directive is missing.
    ///
    /// What is no such number, or is missing behind the name, is 0, since freshness nobody can read had better be none
    /// (§4.2.1). More than 2^31 is 2^31 (§1.2.2).
    public func seconds(of name: String) -> Int? {
        guard contains(name) else { return nil }
        return argument(of: name).map(DeltaSeconds.read) ?? 0
    }
}

/// Numbers of seconds in fields of caches (RFC 9111 §1.2.2).
enum DeltaSeconds {
    /// What a number that is too large counts for.
    static let greatest = 1 << 31

    /// 0 for what is no number.
    static func read(_ text: some Collection<UInt8>) -> Int { min(text.saturatedNumber ?? 0, greatest) }

    /// How much later one moment is, 0 where it is not later, and at most `greatest`.
    static func between(_ earlier: Int, _ later: Int) -> Int {
        guard later > earlier else { return 0 }
        let (span, isOver) = later.subtractingReportingOverflow(earlier)
        return isOver ? greatest : min(span, greatest)
    }
}
