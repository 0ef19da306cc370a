package import ProctorHTTP

/// A reply as a private cache stores it, without its content (RFC 9111 §3).
package struct CachedReply: Sendable, Equatable {
    package let status: Int
    /// Without the fields of the connection (§3.1).
    package private(set) var fields: [HTTPField]
    /// The request fields by which the reply was chosen.
    package let variant: CacheVariant
    /// When the request for these fields was sent, in Unix seconds.
    package private(set) var requestedAt: Int
    /// When the reply was received, in Unix seconds.
    package private(set) var receivedAt: Int

    /// nil for `Vary: *`, which matches no other request (§4.1); `CacheStorage` decides whether to store the reply.
    package init?(status: Int, fields: [HTTPField], requestFields: [HTTPField], requestedAt: Int, receivedAt: Int) {
        guard let variant = CacheVariant(replyFields: fields, requestFields: requestFields) else { return nil }
        self.status = status
        self.fields = StoredFields.keeping(fields)
        (self.variant, self.requestedAt, self.receivedAt) = (variant, requestedAt, receivedAt)
    }

    /// The fields for another request at time `now`, with Age (§5.1).
    package func fields(servedAt now: Int) -> [HTTPField] {
        var served = fields
        served.set("Age", to: String(Freshness(of: self).age(at: now)))
        return served
    }

    /// The index of the reply that answers a request with these fields (§4.1); all are replies to one URL.
    ///
    /// Of several replies it chooses the latest Date, and of equal dates the last reply.
    package static func select(_ replies: [CachedReply], for requestFields: [HTTPField]) -> Int? {
        replies.indices.filter { replies[$0].variant.selects(requestFields) }.max { one, other in
            let (left, right) = (replies[one], replies[other])
            return (left.date, left.receivedAt) < (right.date, right.receivedAt)
        }
    }

    /// The value of Date, else the time when the reply was received.
    var date: Int { fields.dateInAnyCase(of: "Date", now: receivedAt) ?? receivedAt }
}

/// Validation (RFC 9111 §4.3).
extension CachedReply {
    /// The conditional fields to add to the request; empty if the reply has no validator (§4.3.1).
    package var validationFields: [HTTPField] {
        var asking: [HTTPField] = []
        if let tag = try? fields.singleValue(of: "ETag"), (try? EntityTag(tag)) != nil {
            asking.append(HTTPField(name: "If-None-Match", bytes: tag))
        }
        if let change = try? fields.singleValue(of: "Last-Modified"),
            fields.date(of: "Last-Modified", now: receivedAt) != nil
        {
            asking.append(HTTPField(name: "If-Modified-Since", bytes: change))
        }
        return asking
    }

    /// Whether a 304 in answer to `validationFields` may refresh this reply (§4.3.4).
    ///
    /// Its validators must not contradict those of the reply. A 304 without validators is accepted, as in browsers;
    /// §4.3.4 would accept it only for a reply without any.
    package func isConfirmed(by notModified: [HTTPField]) -> Bool {
        let ours = Validators(of: fields, now: receivedAt)
        let theirs = Validators(of: notModified, now: receivedAt)
        if let tag = theirs.entityTag {
            return ours.entityTag.map { tag.isWeak ? tag.weaklyMatches($0) : tag.stronglyMatches($0) } ?? false
        }
        if let change = theirs.lastModified { return ours.lastModified == nil || ours.lastModified == change }
        return true
    }

    /// Removes Content-Length: it is wrong for content that replaces the stored content.
    package mutating func forgetLength() { fields.removeAll(named: "Content-Length") }

    /// Replaces fields by those of the 304, and counts the age from now (§3.2, §4.3.4).
    package mutating func refresh(by notModified: [HTTPField], requestedAt: Int, receivedAt: Int) {
        fields = StoredFields.updated(fields, by: notModified)
        // The stored Age is that of the first reply.
        if !notModified.contains(named: "Age") { fields.removeAll(named: "Age") }
        if !notModified.contains(named: "Date") { fields.removeAll(named: "Date") }
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
    }
}

/// The key of a cache: the URL of the request (RFC 9111 §2); the method is always GET.
package struct CacheKey: Sendable, Hashable {
    /// Scheme, authority, path and query, without userinfo and fragment.
    package let bytes: [UInt8]

    package init(_ url: ClientURL) {
        bytes = Array("\(url.origin.scheme.rawValue)://\(url.origin.authority)".utf8) + url.target
    }
}

extension CacheKey {
    /// The keys whose replies a request with this answer invalidates (RFC 9111 §4.4).
    ///
    /// An unsafe method that succeeded invalidates its target, and the URLs of Location and Content-Location with the
    /// same origin; so no server can invalidate replies of another one.
    package static func invalidated(
        by method: String, to url: ClientURL, status: Int, replyFields: [HTTPField]
    ) -> [CacheKey] {
        guard !RegisteredMethods.isSafe(method), (200...399).contains(status) else { return [] }
        let named = ["Location", "Content-Location"].compactMap { name -> ClientURL? in
            guard let field = replyFields.first(named: name) else { return nil }
            return try? url.resolving(location: field.bytes)
        }
        var keys: [CacheKey] = []
        for target in [url] + named where target.origin == url.origin {
            let key = CacheKey(target)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}

/// The request fields that Vary requires to be equal (RFC 9111 §4.1).
package struct CacheVariant: Sendable, Hashable {
    package let conditions: [Condition]

    package struct Condition: Hashable, Sendable {
        /// In lower case.
        package let name: String
        /// The value of all lines of the request; nil means that the field was absent and must be absent again.
        package let value: [UInt8]?
    }

    /// nil for `Vary: *`, which matches no other request.
    package init?(replyFields: [HTTPField], requestFields: [HTTPField]) {
        guard !replyFields.lists("*", in: "Vary") else { return nil }
        let names = Set(replyFields.elements(of: "Vary").map { FieldText.decode($0).lowercased() })
        conditions = names.sorted().map { Condition(name: $0, value: Self.value(of: $0, in: requestFields)) }
    }

    package func selects(_ requestFields: [HTTPField]) -> Bool {
        conditions.allSatisfy { Self.value(of: $0.name, in: requestFields) == $0.value }
    }

    /// All lines as one value; for known lists, without spaces around commas and without empty elements.
    private static func value(of name: String, in fields: [HTTPField]) -> [UInt8]? {
        let lines = fields.all(named: name)
        guard !lines.isEmpty else { return nil }
        let pieces = lists.contains(name) ? lines.flatMap(\.elements) : lines.map { $0.bytes[...] }
        return Array(pieces.joined(separator: Array(", ".utf8)))
    }

    private static let lists: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "prefer", "te",
    ]
}
