internal import ProctorHTTP

/// What a scheme makes of one credential, before its guard counts it.
struct Finding {
    /// As it was written.
    var scheme: String?
    var user: String?
    var nonceCount: UInt32?
    var faults: [CredentialFault] = []
    var remarks: [CredentialFault] = []
    /// Nothing is wrong but that the nonce is too old.
    var isStale = false
    /// What the challenge says of a token that was not taken.
    var error: ChallengeText.TokenError?
    /// The guard's answer to a message that is not the last one.
    var message: [UInt8]?
    /// How the request used its nonce, where it is right.
    var use: NonceUse?

    /// What an admitted request does to its nonce, and what can be said of it in turn.
    struct NonceUse {
        let nonce: [UInt8]
        let grant: NonceBook.Grant
        /// Of its session as it was judged; nil for an algorithm without sessions.
        let clientNonce: [UInt8]?
        /// nil where the guard doesn't prove itself.
        let proof: DigestProof?
        let isProvedWrong: Bool
        let provesContent: Bool
    }

    /// Whether the guard could not judge it at all, so that it counts as no attempt and no failure.
    var isUndecided: Bool {
        !faults.isEmpty && faults.allSatisfy { $0.kind == .contentNotKept || $0.kind == .hashRefused }
    }
}
