internal import ProctorTLS

/// Why TLS can't be spoken as a scenario, or a port, wants it; everything that needs no TLS goes on.
public struct SecurityRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// What callers tell apart.
    public enum Reason: Sendable, Equatable {
        /// There is no private authority: its folder can't be had, or others could read its keys.
        case authority
        /// A certificate, or a client identity, has no description of that name.
        case unknownName
        /// The system's OpenSSL does not do what is asked for; no client is to be blamed.
        case notOffered
        /// Too much of it is under way; later it may be to be had.
        case busy
        /// The settings contradict one another, or are none.
        case badSetup
    }

    /// The kind.
    public let reason: Reason
    /// One sentence for a person, with what to do.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    init(_ refusal: AuthorityRefusal) {
        let reason: Reason =
            switch refusal.reason {
            case .place, .permissions: .authority
            case .unknownName: .unknownName
            case .notOffered: .notOffered
            case .nameNotPermitted: .badSetup
            }
        self.init(reason, refusal.description)
    }

    init(_ refusal: TLSRefusal) {
        let isOffered = !refusal.description.hasPrefix("not offered")
        self.init(isOffered ? .badSetup : .notOffered, refusal.description)
    }
}
