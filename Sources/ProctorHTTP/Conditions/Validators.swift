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

    /// Those of a reply: ETag, Last-Modified and Date, each as far as it comes once and can be read.
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
