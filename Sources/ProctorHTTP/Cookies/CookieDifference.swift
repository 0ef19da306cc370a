/// One thing by which a request's cookies differ from what the algorithm sends, told so that a client can be mended.
public struct CookieDifference: Sendable, Equatable {
    /// The stable name.
    public let kind: Kind
    /// Of the cookie; empty for what concerns the field as a whole.
    public let name: [UInt8]
    /// What was expected, what came and, where it can be told, why; whole, for a person.
    public let sentence: String
    /// Where the rule stands: `RFC 6265 §5.4`.
    public let section: String

    /// A difference with its words.
    public init(_ kind: Kind, _ name: [UInt8], _ sentence: String, section: String) {
        self.kind = kind
        self.name = name
        self.sentence = sentence
        self.section = section
    }

    /// The stable name of each difference.
    public enum Kind: String, Sendable, CaseIterable {
        /// A cookie that is kept and fits was not sent.
        case missing
        /// A cookie that nobody set was sent.
        case unknown
        /// It was set with another value.
        case wrongValue = "wrong-value"
        /// It was replaced since, and this is its old value.
        case oldValue = "old-value"
        /// It was deleted.
        case deleted
        /// Its time is over.
        case expired
        /// It belongs to another host.
        case wrongHost = "wrong-host"
        /// It belongs below another path.
        case wrongPath = "wrong-path"
        /// It is for secure connections alone.
        case wrongScheme = "wrong-scheme"
        /// The Set-Cookie field that brought it was to be ignored.
        case refused
        /// It came more than once.
        case twice
        /// The cookies are the right ones in another order.
        case wrongOrder = "wrong-order"
        /// More than one Cookie field.
        case severalFields = "several-fields"
        /// Pairs are not parted by a semicolon and one space, or carry what is no pair.
        case malformed
        /// The program forbids cookies.
        case forbidden
    }
}
