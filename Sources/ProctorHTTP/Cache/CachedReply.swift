import ProctorBase

/// A reply as a private cache keeps it, all but its content (RFC 9111 §3).
public struct CachedReply: Sendable, Equatable {
    /// The status of the reply that brought the content.
    public let status: Int
    /// The fields without those of the connection (§3.1).
    public private(set) var fields: [HTTPField]
    /// The request fields by which the reply was chosen.
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

    /// The moment that Date tells, or else when the reply came.
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

/// Under what a cache looks for replies: the URL as it is asked for (RFC 9111 §2).
///
/// The method is always GET, as `CacheStorage` has it. Among the replies of one key `CachedReply.select` chooses.
public struct CacheKey: Sendable, Hashable {
    /// Scheme, authority, path and query; neither userinfo nor fragment is ever sent.
    public let bytes: [UInt8]

    /// The key of a request for this URL.
    public init(_ url: ClientURL) {
        bytes = Array("\(url.origin.scheme.rawValue)://\(url.origin.authority)".utf8) + url.target
    }
}

extension CacheKey {
    /// Whose replies are no longer good when such a request was answered so (RFC 9111 §4.4).
    ///
    /// An unsafe method that succeeded changes what it was sent to, and what Location and Content-Location name where it
    /// has the same origin, lest one server empty the cache of another.
    public static func invalidated(
        by method: String, to url: ClientURL, status: Int, replyFields: [HTTPField]
    ) -> [CacheKey] {
        guard !IdempotentMethods.isSafe(method), (200...399).contains(status) else { return [] }
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

/// What of the first request must be the same in the next one, by the reply's Vary (RFC 9111 §4.1).
public struct CacheVariant: Sendable, Hashable {
    private let conditions: [Condition]

    private struct Condition: Hashable {
        /// In lower case.
        let name: String
        /// Of all lines of the request; nil where there was none, and there must be none again.
        let value: [UInt8]?
    }

    /// Nil for `Vary: *`, by which no other request is answered.
    public init?(replyFields: [HTTPField], requestFields: [HTTPField]) {
        guard !replyFields.lists("*", in: "Vary") else { return nil }
        let names = Set(replyFields.elements(of: "Vary").map { FieldText.decode($0).lowercased() })
        conditions = names.sorted().map { Condition(name: $0, value: Self.value(of: $0, in: requestFields)) }
    }

    /// Whether the reply answers a request with these fields too.
    public func selects(_ requestFields: [HTTPField]) -> Bool {
        conditions.allSatisfy { Self.value(of: $0.name, in: requestFields) == $0.value }
    }

    /// The lines as one; where they are known to be a list, spaces around its commas and empty elements mean nothing.
    private static func value(of name: String, in fields: [HTTPField]) -> [UInt8]? {
        let found = fields.all(named: name)
        guard !found.isEmpty else { return nil }
        let pieces = lists.contains(name) ? found.flatMap(\.elements) : found.map { $0.bytes[...] }
        return Array(pieces.joined(separator: Array(", ".utf8)))
    }

    private static let lists: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "prefer", "te",
    ]
}
