/// Why a user agent ignores a Set-Cookie field.
public enum CookieRefusal: String, Sendable, CaseIterable {
    /// No `=` in its pair.
    case noEqualsSign = "no-equals-sign"
    /// Nothing before the `=`.
    case emptyName = "empty-name"
    /// Neither name nor value.
    case empty
    /// A control character other than the tab.
    case controlCharacter = "control-character"
    /// Name and value are longer than 4096 bytes together.
    case tooLong = "too-long"
    /// A Domain with a byte beyond ASCII.
    case domainNotASCII = "domain-not-ascii"
    /// A Domain under which anyone may have a name.
    case publicSuffix = "public-suffix"
    /// A Domain that does not cover the host.
    case foreignDomain = "foreign-domain"
    /// Secure, over a connection that is not.
    case secureFromInsecure = "secure-from-insecure"
    /// The cookie would overlay a Secure one, over a connection that is not secure.
    case overlaysSecure = "overlays-secure"
    /// SameSite=None without Secure.
    case sameSiteNoneInsecure = "same-site-none-insecure"
    /// `__Secure-` without Secure.
    case securePrefix = "secure-prefix"
    /// `__Host-` without Secure, without Path=/ or with a Domain.
    case hostPrefix = "host-prefix"
    /// No name, and a value that looks like a prefix.
    case namelessPrefix = "nameless-prefix"

    /// For a person, as the end of "is ignored, for …".
    public var reason: String {
        switch self {
        case .noEqualsSign: "its pair has no \"=\"; write NAME=VALUE"
        case .emptyName: "nothing stands before its \"=\"; write a name"
        case .empty: "it has neither a name nor a value"
        case .controlCharacter: "it holds a control character other than the tab"
        case .tooLong: "its name and value are longer than \(CookieLimits.pairByteCount) bytes together"
        case .domainNotASCII: "its Domain holds a byte beyond ASCII; write an international name as its A-labels"
        case .publicSuffix:
            "its Domain is a public suffix, here every name of one label, and not the host itself"
        case .foreignDomain: "its Domain is neither the host that set it nor a domain above that"
        case .secureFromInsecure: "it is Secure and came over a connection that is not"
        case .overlaysSecure:
            "it came over a connection that is not secure and would overlay a Secure cookie of that name"
        case .sameSiteNoneInsecure: "it says SameSite=None without Secure"
        case .securePrefix: "its name begins with __Secure- and it is not Secure"
        case .hostPrefix: "its name begins with __Host-, which asks for Secure, for Path=/ and for no Domain"
        case .namelessPrefix: "it has no name, and its value begins like the prefix of one"
        }
    }

    /// Where the rule stands.
    public func section(_ edition: CookieEdition) -> String {
        switch self {
        case .noEqualsSign, .emptyName: "RFC 6265 §5.2"
        case .controlCharacter, .tooLong: "RFC 6265bis §5.6"
        case .publicSuffix, .foreignDomain: edition == .rfc6265 ? "RFC 6265 §5.3" : "RFC 6265bis §5.7"
        default: "RFC 6265bis §5.7"
        }
    }
}

/// What became of one Set-Cookie field in a store.
public struct SetCookieResult: Sendable, Equatable {
    /// In one word; an expired field with nothing to delete is ignored, without a refusal.
    public let outcome: SetCookieNote.Outcome
    /// Why it is ignored; nil where it was not refused.
    public let refusal: CookieRefusal?
    /// The cookie that came, even where it was refused; nil where the field could not be read.
    public let cookie: Cookie?
    /// The cookie whose place it took.
    public let old: Cookie?
    /// What had to go for it, since the store was full.
    public let evicted: [Cookie]

    init(
        _ outcome: SetCookieNote.Outcome, refusal: CookieRefusal? = nil, cookie: Cookie? = nil, old: Cookie? = nil,
        evicted: [Cookie] = []
    ) {
        self.outcome = outcome
        self.refusal = refusal
        self.cookie = cookie
        self.old = old
        self.evicted = evicted
    }
}
