/// The parts of a request that a credential of Digest is compared with.
public struct DigestRequest: Sendable {
    /// As it came.
    public var method: [UInt8]
    /// The whole request-target, byte for byte as it came.
    public var target: [UInt8]
    /// Without its codings of transfer; nil where it was not kept, so that auth-int can't be checked.
    public var content: [UInt8]?
    /// As many bytes of content are kept at most; nil where nobody says.
    public var contentLimit: Int?

    /// The parts as they are.
    public init(method: [UInt8], target: [UInt8], content: [UInt8]?, contentLimit: Int? = nil) {
        self.method = method
        self.target = target
        self.content = content
        self.contentLimit = contentLimit
    }
}

/// What a credential of Digest is worth.
public struct DigestJudgement: Sendable {
    /// The account's name, or the one that came where there is no such account; nil where none can be read.
    public internal(set) var user: String?
    /// Of the accounts that were given.
    public internal(set) var accountIndex: Int?
    /// nil where there is none that can be read.
    public internal(set) var nonceCount: UInt32?
    /// Why it is refused, part by part in a fixed order, the nonce last; empty: it is admitted.
    public internal(set) var faults: [CredentialFault] = []
    /// What is odd and refused by no rule.
    public internal(set) var remarks: [CredentialFault] = []
    /// What the reply can say of itself; nil where the response could not be computed or was wrong.
    public internal(set) var proof: DigestProof?

    init() {}

    /// Whether nothing is wrong with it.
    public var isAdmitted: Bool { faults.isEmpty }

    /// Whether nothing is wrong but the age of the nonce, so that `stale=true` is due (RFC 7616 §3.3).
    public var isStale: Bool { !faults.isEmpty && faults.allSatisfy { $0.kind == .staleNonce } }

    mutating func refuse(_ kind: CredentialFault.Kind, _ sentence: String, _ section: String = "RFC 7616 §3.4") {
        faults.append(CredentialFault(kind, sentence, section: section))
    }

    mutating func remark(_ kind: CredentialFault.Kind, _ sentence: String, _ section: String = "RFC 7616 §3.4") {
        remarks.append(CredentialFault(kind, sentence, section: section))
    }
}

/// What a server proves in Authentication-Info once a credential was right (RFC 7616 §3.5).
public struct DigestProof: Sendable {
    let input: DigestInput
    let quality: QualityOfProtection?

    /// Of the client, which the reply says again; nil in the form of RFC 2069.
    public var clientNonce: [UInt8]? { input.protection?.clientNonce }

    /// `rspauth` for a reply with this content, in hexadecimal digits; the content counts for auth-int only.
    public func responseAuthentication(content: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        input.proof(ofContent: content, by: hasher)
    }

    /// The proof with all that has to stand beside it.
    public func info(content: [UInt8], nextNonce: [UInt8]? = nil, by hasher: some DigestHasher) -> AuthenticationInfo {
        AuthenticationInfo(
            nextNonce: nextNonce, rspauth: responseAuthentication(content: content, by: hasher), quality: quality,
            clientNonce: clientNonce, nonceCount: input.protection?.nonceCount)
    }
}
