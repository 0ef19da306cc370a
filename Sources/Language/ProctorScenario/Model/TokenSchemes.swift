package import ProctorHTTP

/// The facts of NTLM and Negotiate, as their module hands them over.
package struct TokenSchemes: Sendable {
    package static let slot = PartSlot<TokenSchemes>("the part for NTLM and Negotiate")

    /// The value of a fact such as `ntlm-user`; nil: the credential has no message that can be read, or no such field.
    package let fact: @Sendable (_ name: String, _ credentials: Credentials) -> String?

    package init(fact: @escaping @Sendable (_ name: String, _ credentials: Credentials) -> String?) {
        self.fact = fact
    }
}
