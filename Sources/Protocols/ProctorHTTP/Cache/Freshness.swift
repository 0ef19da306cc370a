import ProctorBase

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

/// The directives of all Cache-Control fields of a message (RFC 9111 §5.2).
package struct CacheDirectives: Sendable, Equatable {
    /// Arguments without quotes, nil for a directive without one; of several with the same name the first (§4.2.1).
    private var arguments: [String: [UInt8]?] = [:]

    package init(_ fields: [HTTPField]) {
        for element in fields.elements(of: "Cache-Control") {
            var cursor = FieldCursor(Array(element))
            let name = cursor.consume { $0 != UInt8(ascii: "=") && !$0.isBlank }
            cursor.skipBlanks()
            var argument: [UInt8]?
            if cursor.consume(UInt8(ascii: "=")) {
                cursor.skipBlanks()
                argument = cursor.takeQuotedString()?.content ?? Array(cursor.bytes[cursor.index...])
            }
            let key = FieldText.decode(name).lowercased()
            if arguments[key] == nil { arguments[key] = .some(argument) }
        }
    }

    /// `name` is in lower case.
    package func contains(_ name: String) -> Bool { arguments[name] != nil }

    /// `name` is in lower case; nil also for a directive without an argument.
    package func argument(of name: String) -> [UInt8]? { arguments[name] ?? nil }

    /// The argument in seconds; nil if the directive is missing.
    ///
    /// An unreadable or missing argument is 0 (§4.2.1); a value above 2^31 is 2^31 (§1.2.2).
    package func seconds(of name: String) -> Int? {
        guard contains(name) else { return nil }
        return argument(of: name).map(DeltaSeconds.read) ?? 0
    }
}

/// Numbers of seconds in fields (RFC 9111 §1.2.2).
enum DeltaSeconds {
    static let greatest = 1 << 31

    /// 0 for text that is no number.
    static func read(_ text: some Collection<UInt8>) -> Int { value(text) ?? 0 }

    /// nil for text that is no number.
    static func value(_ text: some Collection<UInt8>) -> Int? { text.saturatedNumber.map { min($0, greatest) } }

    static func between(_ earlier: Int, _ later: Int) -> Int {
        guard later > earlier else { return 0 }
        let (span, isOver) = later.subtractingReportingOverflow(earlier)
        return isOver ? greatest : min(span, greatest)
    }
}
