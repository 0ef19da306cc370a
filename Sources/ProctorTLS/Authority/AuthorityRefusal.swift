/// Why there is no authority, or no certificate of the wanted kind.
public struct AuthorityRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// What callers tell apart.
    public enum Reason: Sendable, Equatable {
        /// The folder can't be made, read or written.
        case place
        /// Somebody else could read or change the keys; nothing is used before that is mended.
        case permissions
        /// The system's OpenSSL does not do what the profile asks for.
        case notOffered
        /// No profile, or no client identity, has that name.
        case unknownName
        /// The authority is constrained to names of this machine and of documentation.
        case nameNotPermitted
    }

    /// The kind.
    public let reason: Reason
    /// For a person: what, where, what was expected and what to do.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
