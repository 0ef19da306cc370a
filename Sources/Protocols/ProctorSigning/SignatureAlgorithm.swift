/// An algorithm of signatures, by its name of JOSE (RFC 7518 §3.1, RFC 8037 §3.1).
///
/// RFC 9421 §3.3 has the same five with the same bytes: `rsa-v1_5-sha256`, `rsa-pss-sha512`, `ecdsa-p256-sha256`,
/// `ed25519` and `hmac-sha256`.
package enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    case hs256 = "HS256"
    case rs256 = "RS256"
    /// The salt has 64 bytes, as many as the hash.
    case ps512 = "PS512"
    /// A signature is r and s, 32 bytes each (RFC 7518 §3.4).
    case es256 = "ES256"
    /// With Ed25519 alone.
    case edDSA = "EdDSA"

    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// The kind of key, as JSON Web Keys say it (RFC 7517 §4.1).
    package var keyType: String {
        switch self {
        case .hs256: "oct"
        case .rs256, .ps512: "RSA"
        case .es256: "EC"
        case .edDSA: "OKP"
        }
    }

    /// The curve of the key; nil for keys without one.
    package var curve: String? {
        switch self {
        case .es256: "P-256"
        case .edDSA: "Ed25519"
        case .hs256, .rs256, .ps512: nil
        }
    }

    /// OpenSSL's name of the hash; nil where the algorithm has its own.
    var hash: String? {
        switch self {
        case .rs256, .es256, .hs256: "SHA256"
        case .ps512: "SHA512"
        case .edDSA: nil
        }
    }
}

/// Why a key is none, in a sentence.
package struct KeyRefusal: Error, Sendable, Equatable {
    package let sentence: String
}
