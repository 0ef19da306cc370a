import ProctorBase

/// One Set-Cookie field value, read as a user agent reads it (RFC 6265 §5.2, its revision §5.6).
///
/// Nothing is decoded: quotation marks and percent signs are part of a value. Attributes that no edition knows, such as
/// Version, Comment, CommentURL, Port and Discard of RFC 2109 and RFC 2965, are kept and mean nothing.
public struct SetCookie: Sendable, Equatable {
    /// Empty for a cookie without a name, which RFC 6265 ignores and its revision keeps.
    public let name: [UInt8]
    /// As it stands, quotation marks included.
    public let value: [UInt8]
    /// In their order, all that are not empty, those of the edition's too long ones as well.
    public let attributes: [Attribute]
    /// Whose rules the values below follow.
    public let edition: CookieEdition

    /// What stands between two semicolons behind the pair.
    public struct Attribute: Sendable, Equatable {
        /// In lower case.
        public let name: [UInt8]
        /// Empty where there is none.
        public let value: [UInt8]

        /// Whether it counts by the revision, which ignores longer values (§5.6).
        var isShort: Bool { value.count <= CookieLimits.attributeByteCount }
    }

    /// To which requests a cookie is limited (RFC 6265bis §5.6.7).
    public enum SameSite: String, Sendable, CaseIterable {
        case strict, lax, none
    }

    /// Nil where the field is ignored entirely; ``refusal(of:edition:)`` says why.
    public init?(parsing field: [UInt8], edition: CookieEdition) {
        guard Self.refusal(of: field, edition: edition) == nil else { return nil }
        let parts = field[...].cookieParts
        (name, value) = Self.pair(parts[0])
        attributes = parts.dropFirst().compactMap(Self.attribute)
        self.edition = edition
    }

    /// Why the field is ignored without regard to where it comes from; nil: it is not.
    public static func refusal(of field: [UInt8], edition: CookieEdition) -> CookieRefusal? {
        if edition == .rfc6265bis, field.hasCookieControl { return .controlCharacter }
        let text = field.prefix { $0 != UInt8(ascii: ";") }
        let (name, value) = pair(text)
        switch edition {
        case .rfc6265:
            if !text.contains(UInt8(ascii: "=")) { return .noEqualsSign }
            return name.isEmpty ? .emptyName : nil
        case .rfc6265bis:
            if name.count + value.count > CookieLimits.pairByteCount { return .tooLong }
            return name.isEmpty && value.isEmpty ? .empty : nil
        }
    }

    /// Without `=` all of it is the value of a cookie without a name.
    private static func pair(_ text: ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8]) {
        let halves = text.cookieHalves
        guard let value = halves.value else { return ([], Array(text.cookieTrimmed)) }
        return (Array(halves.name.cookieTrimmed), Array(value.cookieTrimmed))
    }

    private static func attribute(_ text: ArraySlice<UInt8>) -> Attribute? {
        let halves = text.cookieHalves
        let name = halves.name.cookieTrimmed.cookieLowercased
        let value = Array((halves.value ?? []).cookieTrimmed)
        return name.isEmpty && value.isEmpty ? nil : Attribute(name: name, value: value)
    }
}
