/// What the application does itself with the stores of its session before a step, for the step's URL.
public enum ActByHand: Sendable, Equatable {
    /// Sets a cookie; the value of a Set-Cookie field (RFC 6265 §4.1.1).
    case setCookie(String)
    /// Deletes the cookies of that name.
    case deleteCookie(String)
    /// Deletes all cookies that would be sent to the URL.
    case deleteCookies
    /// Removes the cached response to the step's request.
    case removeCached

    /// Reads an act from its word and text; nil for an unknown word, or when the text that the act needs is missing.
    package init?(word: String, text: String? = nil) {
        switch (word, text) {
        case ("set-cookie", let text?): self = .setCookie(text)
        case ("delete-cookie", let text?): self = .deleteCookie(text)
        case ("delete-cookies", nil): self = .deleteCookies
        case ("remove-cached", nil): self = .removeCached
        default: return nil
        }
    }

    /// The name of the act in fixtures and assignments.
    package var word: String {
        switch self {
        case .setCookie: "set-cookie"
        case .deleteCookie: "delete-cookie"
        case .deleteCookies: "delete-cookies"
        case .removeCached: "remove-cached"
        }
    }

    /// The Set-Cookie value or the cookie's name; nil for acts without a text.
    package var text: String? {
        switch self {
        case .setCookie(let text), .deleteCookie(let text): text
        case .deleteCookies, .removeCached: nil
        }
    }
}

/// A store of the session that is read when a step is over.
public enum StoreToRead: String, Sendable, CaseIterable, AssignmentWord {
    /// The cookies for the step's URL.
    case cookies
    /// The cached response to the step's request.
    case cached
}
