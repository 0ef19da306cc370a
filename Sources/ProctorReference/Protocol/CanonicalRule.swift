/// One thing that the canonical form of a URL puts right, or leaves as it is, and why (R52).
///
/// The form is the key of a cache: equal URLs have to get equal ones, and different URLs different ones.
public struct CanonicalRule: Sendable {
    /// Stable, in words: `scheme-case`.
    public let id: String
    /// As somebody spells it.
    public let given: String
    /// In canonical form; the same as given: it stays.
    public let becomes: String
    /// Why, for a person whose client does otherwise.
    public let reason: String
    /// RFC and section, or the sample.
    public let source: String

    /// Schemes by which the row's URL calls `http`.
    let ownSchemes: Set<String>

    init(
        _ id: String, _ given: String, _ becomes: String? = nil, source: String, ownSchemes: Set<String> = [],
        because reason: String
    ) {
        self.id = id
        self.given = given
        self.becomes = becomes ?? given
        self.reason = reason
        self.source = source
        self.ownSchemes = ownSchemes
    }

    /// Whether this is a thing that stays.
    public var isKept: Bool { given == becomes }
}
