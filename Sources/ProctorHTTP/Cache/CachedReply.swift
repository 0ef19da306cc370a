/// A reply as a private cache keeps it, all but its content (RFC 9111 §3).
public struct CachedReply: Sendable, Equatable {
    /// Of the reply that brought the content.
    public let status: Int
    /// Without those of the connection (§3.1).
    public private(set) var fields: [HTTPField]
    /// By which requests it was chosen.
    public let variant: CacheVariant
    /// When the request was sent that brought the fields, in Unix seconds.
    public private(set) var requestedAt: Int
    /// When its reply came, in Unix seconds.
    public private(set) var receivedAt: Int

    /// Nil for a reply with `Vary: *`, which answers no other request (§4.1); whether it may be kept at all is asked of
    /// `CacheStorage`.
    public init?(
        status: Int, fields: [HTTPField], requestFields: [HTTPField], requestedAt: Int, receivedAt: Int
    ) {
        guard let variant = CacheVariant(replyFields: fields, requestFields: requestFields) else { return nil }
        self.status = status
        self.fields = StoredFields.keeping(fields)
        self.variant = variant
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
    }

    /// The fields as the reply answers another request at that moment, with its age (§5.1).
    public func fields(servedAt now: Int) -> [HTTPField] {
        var served = fields
        served.set("Age", to: String(Freshness(of: self).age(at: now)))
        return served
    }

    /// The index of the one, of replies to the same URL, that answers a request with these fields (§4.1).
    ///
    /// Of several it is the newest by its Date, and of the same Date the one that came last.
    public static func select(_ replies: [CachedReply], for requestFields: [HTTPField]) -> Int? {
        replies.indices.filter { replies[$0].variant.selects(requestFields) }.max { one, other in
            let (left, right) = (replies[one], replies[other])
            return (left.date, left.receivedAt) < (right.date, right.receivedAt)
        }
    }

    /// By its Date, or else when it came.
    var date: Int { fields.date(of: "Date", now: receivedAt) ?? receivedAt }
}

/// Asking the server whether the reply still stands (RFC 9111 §4.3).
extension CachedReply {
    /// What the request needs beside its own fields, copied from the reply; none where nothing can be asked (§4.3.1).
    public var validationFields: [HTTPField] {
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

    /// Whether a 304 in answer to `validationFields` is about this reply, and may refresh it (§4.3.4).
    ///
    /// Its validators must not contradict; one that has none is taken at its word, as browsers do, though §4.3.4 would
    /// have it refresh only what has none either: a 304 answers the question that was asked.
    public func isConfirmed(by notModified: [HTTPField]) -> Bool {
        let ours = Validators(of: fields, now: receivedAt)
        let theirs = Validators(of: notModified, now: receivedAt)
        if let tag = theirs.entityTag {
            return ours.entityTag.map { tag.isWeak ? tag.weaklyMatches($0) : tag.stronglyMatches($0) } ?? false
        }
        if let change = theirs.lastModified { return ours.lastModified == nil || ours.lastModified == change }
        return true
    }

    /// Takes over what the 304 says, and counts its age from now on (§3.2, §4.3.4).
    public mutating func refresh(by notModified: [HTTPField], requestedAt: Int, receivedAt: Int) {
        fields = StoredFields.updated(fields, by: notModified)
        // What was said of the age was said when the stored reply came.
        if !notModified.contains(named: "Age") { fields.removeAll(named: "Age") }
        if !notModified.contains(named: "Date") { fields.removeAll(named: "Date") }
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
    }
}
