internal import ProctorHTTP

/// A token as the Bearer scheme sends it (RFC 6750 §2.1).
package struct BearerCredential: Sendable, Equatable {
    /// A b64token.
    package let token: String

    package init(token: String) throws(BearerCredentialError) {
        guard BearerText.isToken(token.utf8) else { throw .noToken }
        self.token = token
    }

    package var fieldValue: String { "Bearer \(token)" }
}

package enum BearerCredentialError: String, Error, Sendable, CustomStringConvertible {
    case noToken =
        "this is no token; expected letters, digits and -._~+/ with any number of = at the end (RFC 6750 §2.1)"

    package var description: String { rawValue }
}
