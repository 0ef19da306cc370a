package import ProctorHTTP

/// NTLM and Negotiate, which authenticate a connection by several tokens, as their module hands them over.
package struct TokenSchemes: Sendable {
    package static let slot = PartSlot<TokenSchemes>("the part for NTLM and Negotiate")

    package let ntlm: @Sendable (Guard.NTLMOffer, [CredentialAccount]) -> any TokenJudge
    package let negotiate: @Sendable (Guard.NegotiateOffer, [CredentialAccount]) -> any TokenJudge
    /// The value of a fact such as `ntlm-user`; nil: the credential has no message that can be read, or no such field.
    package let fact: @Sendable (_ name: String, _ credentials: Credentials) -> String?

    package init(
        ntlm: @escaping @Sendable (Guard.NTLMOffer, [CredentialAccount]) -> any TokenJudge,
        negotiate: @escaping @Sendable (Guard.NegotiateOffer, [CredentialAccount]) -> any TokenJudge,
        fact: @escaping @Sendable (_ name: String, _ credentials: Credentials) -> String?
    ) {
        (self.ntlm, self.negotiate, self.fact) = (ntlm, negotiate, fact)
    }
}

/// Judges the tokens of one scheme of a guard, and answers them.
package protocol TokenJudge: Sendable {
    /// The scheme's name, as sentences have it.
    var scheme: String { get }
    /// The scheme's name as the guard writes it.
    var spelling: String { get }
    /// What a fault calls a token, and the section by which one follows the scheme's name.
    var noun: String { get }
    var section: String { get }

    /// `earlier` is the ``TokenJudgement/exchange`` of the token before it on its connection; nil for the first one.
    func judge(_ token: [UInt8], after earlier: (any Sendable)?) -> TokenJudgement
}

/// The result for one token.
package struct TokenJudgement: Sendable {
    package var user: String?
    package var faults: [CredentialFault] = []
    package var remarks: [CredentialFault] = []
    /// The fields of the token in one line, for the journal; nil: it can't be read.
    package var text: String?
    /// The guard's next token, where one more of the client is due.
    package var reply: [UInt8]?
    /// What the next token of the connection is judged by.
    package var exchange: (any Sendable)?
    /// The guard's last token, which goes with the reply that admits the client (RFC 4559 §5).
    package var closing: [UInt8]?
    /// Whether the client is admitted by this token.
    package var isAdmitted = false

    package init() {}
}
