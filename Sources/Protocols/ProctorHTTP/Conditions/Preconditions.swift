/// Conditional requests (RFC 9110 §13).
package enum Preconditions {
    package enum Outcome: Sendable, Equatable {
        /// The request is performed as if it had no conditions; its Range may still have an effect (§13.2.2, step 5).
        case proceed
        /// The answer is 304.
        case notModified
        /// The answer is 412.
        case failed
    }

    /// Evaluates in the order of §13.2.2; `validators` is nil if the target does not exist, `now` is in Unix seconds.
    ///
    /// Call it only if the answer without conditions would be a success (§13.2.1). An unreadable or repeated date is
    /// ignored; a tag list without a readable tag matches nothing.
    package static func evaluate(method: String, fields: [HTTPField], validators: Validators?, now: Int) -> Outcome {
        // §13.2.1: these methods select no representation.
        guard !["CONNECT", "OPTIONS", "TRACE"].contains(method) else { return .proceed }
        if let list = EntityTagList(of: fields, named: "If-Match") {
            guard let validators, list.stronglyMatches(validators.entityTag) else { return .failed }
        } else if let date = fields.date(of: "If-Unmodified-Since", now: now), let change = validators?.lastModified,
            change > date
        {
            return .failed
        }
        let reads = RegisteredMethods.reads(method)
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

    /// Whether the request has conditions of its own, so that a 304 or 412 answers its caller.
    package static func areAny(in fields: [HTTPField]) -> Bool {
        ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range"].contains {
            fields.contains(named: $0)
        }
    }
}

/// The validators of one representation (RFC 9110 §8.8).
package struct Validators: Sendable, Equatable {
    /// nil if it is missing or unreadable.
    package var entityTag: EntityTag?
    /// In Unix seconds.
    package var lastModified: Int?
    /// The reply's Date in Unix seconds; nil if it is missing.
    package var date: Int?

    package init(entityTag: EntityTag? = nil, lastModified: Int? = nil, date: Int? = nil) {
        (self.entityTag, self.lastModified, self.date) = (entityTag, lastModified, date)
    }

    /// Reads ETag, Last-Modified and Date; a repeated or unreadable field counts as missing.
    package init(of fields: [HTTPField], now: Int) {
        if let value = try? fields.singleValue(of: "ETag") { entityTag = try? EntityTag(value) }
        lastModified = fields.date(of: "Last-Modified", now: now)
        date = fields.date(of: "Date", now: now)
    }

    /// Whether Last-Modified is a strong validator (§8.8.2.2): at least one second before the reply.
    ///
    /// The date does not show a second change in the same second.
    ///
    /// A reply without Date counts as made at `now`.
    package func hasStrongDate(now: Int) -> Bool { lastModified.map { $0 < date ?? now } ?? false }
}

/// If-Range (RFC 9110 §13.1.5).
package enum IfRange {
    /// Whether the condition holds, true without the field; `now` is in Unix seconds.
    ///
    /// A tag must match strongly; a date must equal Last-Modified and be a strong validator. A malformed value is
    /// false, so that the whole representation is sent.
    package static func holds(in fields: [HTTPField], for validators: Validators, now: Int) -> Bool {
        guard fields.contains(named: "If-Range") else { return true }
        guard let value = try? fields.singleValue(of: "If-Range") else { return false }
        if let tag = try? EntityTag(value) {
            return validators.entityTag.map { $0.stronglyMatches(tag) } ?? false
        }
        guard let date = try? HTTPDate.unixSeconds(of: value, now: now) else { return false }
        return date == validators.lastModified && validators.hasStrongDate(now: now)
    }
}

/// The fields of a 304 (RFC 9110 §15.4.5).
package enum NotModified {
    /// Fields that a 304 must have if the 200 would have them.
    package static let required = ["Cache-Control", "Content-Location", "Date", "ETag", "Expires", "Vary"]

    /// The fields without those that describe the content.
    ///
    /// Last-Modified stays if there is no ETag: it is then the only validator.
    package static func fields(from fields: [HTTPField]) -> [HTTPField] {
        let hasTag = fields.contains(named: "ETag")
        return fields.filter { field in
            !(describingContent.contains { field.isNamed($0) } || hasTag && field.isNamed("Last-Modified"))
        }
    }

    /// A list of names, since Content-Security-Policy and Content-Location do not describe the content.
    private static let describingContent = [
        "Content-Digest", "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Length",
        "Content-MD5", "Content-Range", "Content-Type", "Digest", "Repr-Digest", "Trailer", "Transfer-Encoding",
    ]
}
