public import ProctorHTTP

/// A question for a credential (R10–R17).
public struct LoadChallenge: Sendable, Equatable {
    /// What is protected, and how.
    public var space: ProtectionSpace
    /// Credentials that were refused for this space in this load.
    public var previousFailureCount: Int
    /// The one that was refused last.
    public var proposedCredential: LoadCredential?
    /// The reply that asks.
    public var response: LoadResponse

    /// The parts as they are.
    package init(
        space: ProtectionSpace, previousFailureCount: Int, proposedCredential: LoadCredential? = nil,
        response: LoadResponse
    ) {
        self.space = space
        self.previousFailureCount = previousFailureCount
        self.proposedCredential = proposedCredential
        self.response = response
    }

    /// What the credential is for (RFC 9110 §11.5).
    public struct ProtectionSpace: Sendable, Hashable {
        /// The short name of traces; `basic` is what this client can answer so far.
        public var kind: String
        /// Whose it is.
        public var origin: Origin
        /// As the server spells it; empty when it names none.
        public var realm: String

        /// The parts as they are.
        public init(kind: String, origin: Origin, realm: String) {
            self.kind = kind
            self.origin = origin
            self.realm = realm
        }
    }
}

/// A name and a password.
public struct LoadCredential: Sendable, Equatable {
    /// Sent as UTF-8 (RFC 7617 §2.1).
    public var user: String
    /// Sent as UTF-8.
    public var password: String

    /// Nothing is checked here; a colon in the name is refused when it is sent.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}
