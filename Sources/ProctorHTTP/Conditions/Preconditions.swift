/// Whether a request that has conditions is carried out (RFC 9110 §13).
public enum Preconditions {
    /// What becomes of the request.
    public enum Outcome: Sendable, Equatable {
        /// The request is carried out as if it had no condition; its Range may still count (§13.2.2, step 5).
        case proceed
        /// 304: the client has it already.
        case notModified
        /// 412: the client thinks of another state.
        case failed
    }

    /// In the order of §13.2.2; `validators` is nil where nothing is there, `now` is in Unix seconds.
    ///
    /// To be asked only where the answer would be a success without the conditions (§13.2.1). A date that can't be read
    /// or comes twice is ignored, a list of tags without a readable one matches nothing.
    public static func evaluate(
        method: String, fields: [HTTPField], validators: Validators?, now: Int
    ) -> Outcome {
        // §13.2.1: these choose no representation.
        guard !["CONNECT", "OPTIONS", "TRACE"].contains(method) else { return .proceed }
        if let list = EntityTagList(of: fields, named: "If-Match") {
            guard let validators, list.stronglyMatches(validators.entityTag) else { return .failed }
        } else if let date = fields.date(of: "If-Unmodified-Since", now: now), let change = validators?.lastModified,
            change > date
        {
            return .failed
        }
        let reads = method == "GET" || method == "HEAD"
        if let list = EntityTagList(of: fields, named: "If-None-Match") {
            guard let validators, list.weaklyMatches(validators.entityTag) else { return .proceed }
            return reads ? .notModified : .failed
        }
        if reads, let date = fields.date(of: "If-Modified-Since", now: now), let change = validators?.lastModified,
            change <= date
        {
            return .notModified
        }
        return .proceed
    }

    /// Whether a request has a condition of its own, so that its answer may be a 304 or 412 that is the caller's.
    public static func areAny(in fields: [HTTPField]) -> Bool {
        ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"].contains {
            fields.contains(named: $0)
        }
    }
}

/// By what a state of a resource can be told from others (RFC 9110 §8.8).
public struct Validators: Sendable, Equatable {
    /// Nil where the reply has none that can be read.
    public var entityTag: EntityTag?
    /// In Unix seconds.
    public var lastModified: Int?
    /// When the reply was made, in Unix seconds; nil where it does not say.
    public var date: Int?

    /// Times are in Unix seconds.
    public init(entityTag: EntityTag? = nil, lastModified: Int? = nil, date: Int? = nil) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.date = date
    }

    /// The validators of a reply: ETag, Last-Modified and Date, each as far as it comes once and can be read.
    public init(of fields: [HTTPField], now: Int) {
        if let value = try? fields.singleValue(of: "ETag") { entityTag = try? EntityTag(value) }
        lastModified = fields.date(of: "Last-Modified", now: now)
        date = fields.date(of: "Date", now: now)
    }

    /// Whether the date of change tells apart all states, so that parts of one can be asked for by it (§8.8.2.2).
    ///
    /// A second change in the same second would not show, so the reply must be a second younger than the change.
    /// A reply without Date is taken to be made `now`.
    public func hasStrongDate(now: Int) -> Bool { lastModified.map { $0 < date ?? now } ?? false }
}

/// Whether parts may be sent, or the whole because it is another state by now (RFC 9110 §13.1.5).
public enum IfRange {
    /// True without the field; `now` is in Unix seconds.
    ///
    /// A tag must match strongly. A date must be that of the last change, to the second, and tell apart all states. What
    /// is neither holds for nothing, so that the whole is sent.
    public static func holds(in fields: [HTTPField], for validators: Validators, now: Int) -> Bool {
        guard fields.contains(named: "If-Range") else { return true }
        guard let value = try? fields.singleValue(of: "If-Range") else { return false }
        if let tag = try? EntityTag(value) {
            return validators.entityTag.map { $0.stronglyMatches(tag) } ?? false
        }
        guard let date = try? HTTPDate.unixSeconds(of: value, now: now) else { return false }
        return date == validators.lastModified && validators.hasStrongDate(now: now)
    }
}

/// What of a 200 goes into the 304 in its place (RFC 9110 §15.4.5).
public enum NotModified {
    /// Must be in the 304 where they would be in the 200.
    public static let required = ["Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Vary"]

    /// The fields without those that describe content, which is not there.
    ///
    /// Last-Modified stays where there is no ETag: a cache then has nothing else to know the state by.
    public static func fields(from fields: [HTTPField]) -> [HTTPField] {
        let hasTag = fields.contains(named: "ETag")
        return fields.filter { field in
            !(describingContent.contains { field.isNamed($0) } || hasTag && field.isNamed("Last-Modified"))
        }
    }

    /// A list, since Content-Security-Policy and Content-Location are about the resource.
    private static let describingContent = [
        "Content-Digest", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length",
        "Content-MD5", "Content-Range", "Content-Type", "Digest", "Repr-Digest", "Trailer", "Transfer-Encoding",
    ]
}
