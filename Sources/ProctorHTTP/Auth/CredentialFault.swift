/// One thing that is wrong with a credential, told so that the author of a client can mend it.
public struct CredentialFault: Error, Sendable, Equatable {
    /// The stable name, for facts and tables.
    public let kind: Kind
    /// What was expected and what came; whole, for a person; never a secret of another account.
    public let sentence: String
    /// Where the rule stands: `RFC 7616 §3.4`.
    public let section: String

    /// A fault with its words.
    public init(_ kind: Kind, _ sentence: String, section: String) {
        self.kind = kind
        self.sentence = sentence
        self.section = section
    }

    /// The stable name of each fault.
    public enum Kind: String, Sendable, CaseIterable {
        // Any scheme.
        case malformedField = "malformed-field"
        case severalFields = "several-fields"
        case wrongScheme = "wrong-scheme"
        case unknownUser = "unknown-user"
        case wrongPassword = "wrong-password"
        // Basic.
        case malformedBase64 = "malformed-base64"
        case missingColon = "missing-colon"
        case controlCharacter = "control-character"
        case wrongCharset = "wrong-charset"
        // Bearer.
        case malformedToken = "malformed-token"
        case unknownToken = "unknown-token"
        case expiredToken = "expired-token"
        case insufficientScope = "insufficient-scope"
        case tokenSentTwice = "token-sent-twice"
        case tokenInQuery = "token-in-query"
        // No fault of a credential: what the server can't judge.
        case contentNotKept = "content-not-kept"
        case hashRefused = "hash-refused"
        // Digest: single parameters.
        case missingParameter = "missing-parameter"
        case duplicateParameter = "duplicate-parameter"
        case wrongQuoting = "wrong-quoting"
        case wrongRealm = "wrong-realm"
        case unknownNonce = "unknown-nonce"
        case staleNonce = "stale-nonce"
        case nonceOfAnotherRealm = "nonce-of-another-realm"
        case nonceOfAnotherAlgorithm = "nonce-of-another-algorithm"
        case wrongOpaque = "wrong-opaque"
        case wrongAlgorithm = "wrong-algorithm"
        case wrongQop = "wrong-qop"
        case unwantedParameter = "unwanted-parameter"
        case wrongURI = "wrong-uri"
        case malformedNonceCount = "malformed-nonce-count"
        case replayedNonceCount = "replayed-nonce-count"
        case skippedNonceCount = "skipped-nonce-count"
        case emptyClientNonce = "empty-client-nonce"
        case changedClientNonce = "changed-client-nonce"
        case malformedResponse = "malformed-response"
        case wrongUserhash = "wrong-userhash"
        case malformedExtendedUser = "malformed-extended-user"
        // Digest: the response, and what it was computed with in the place of the right thing.
        case wrongResponse = "wrong-response"
        case wrongMethod = "wrong-method"
        case wrongContentHash = "wrong-content-hash"
        // Schemes of a connection.
        case wrongConnection = "wrong-connection"
        // No fault of a credential: the guard's own reply lacks what it was to say.
        case proofLeftOut = "proof-left-out"
    }
}

extension CredentialFault: CustomStringConvertible {
    /// The sentence and its section in one line.
    public var description: String { "\(sentence) (\(section))" }
}
