/// What a server knows of the nonce in a credential; the issuer of nonces keeps it.
public enum NonceFinding: Sendable, Equatable {
    /// Never given, or forgotten.
    case unknown
    /// Given by a guard of this realm.
    case ofAnotherRealm(String)
    /// Given with a challenge of that algorithm.
    case ofAnotherAlgorithm(DigestAlgorithm)
    /// Given with this challenge.
    case known(KnownNonce)
}

/// The state of a nonce at the moment of a request, this request not counted.
public struct KnownNonce: Sendable, Equatable {
    /// Index of the realm it was given with.
    public var realm: Int
    /// Whether it may still be used.
    public var age: Age
    /// What the nonce count of the request is worth.
    public var count: Count
    /// Of the algorithms of a session: the nonce of the challenge that began it; nil: the nonce itself.
    ///
    /// Another one where the nonce was given as `nextnonce`, which is no challenge (RFC 7616 §3.4.2 and §3.6).
    public var sessionNonce: [UInt8]?
    /// Of the algorithms of a session: the client nonce of its first request; nil: this is the first.
    public var sessionClientNonce: [UInt8]?

    /// Whether a nonce may still be used.
    public enum Age: Sendable, Equatable {
        case fresh
        /// The nonce has served as many requests as it may.
        case usedUp(uses: Int)
        /// More time has passed since its challenge.
        case tooOld(lifetime: Duration)
    }

    /// What a nonce count is worth.
    public enum Count: Sendable, Equatable {
        /// Not seen yet; also for a credential that has none.
        case fresh
        /// Seen before with this nonce.
        case seen
        /// So far below the highest count that the server no longer remembers it.
        case tooLow(highest: UInt32)
        /// There is a gap before it.
        case skipped(expected: UInt32, isRefused: Bool)
    }

    /// The parts as they are.
    public init(
        realm: Int = 0, age: Age = .fresh, count: Count = .fresh, sessionNonce: [UInt8]? = nil,
        sessionClientNonce: [UInt8]? = nil
    ) {
        self.realm = realm
        self.age = age
        self.count = count
        self.sessionNonce = sessionNonce
        self.sessionClientNonce = sessionClientNonce
    }
}
