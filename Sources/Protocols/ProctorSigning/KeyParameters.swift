internal import ProctorBase

/// The numbers of a key as a JSON Web Key names them (RFC 7518 §6, RFC 8037 §2), decoded from base64url.
///
/// A public key has `n` and `e`, or `x` and `y`, or `x`; a private one the others as well; a secret has `k` alone.
package typealias KeyParameters = [String: [UInt8]]

extension SignatureAlgorithm {
    /// The bounds of the modulus, in bytes; a larger one takes long to verify.
    package static let modulusByteCounts = 128...512
    /// The most bytes of a secret.
    package static let secretByteLimit = 4096

    /// The names that a public key must have, in the order of RFC 7638 §3.2.
    var publicNames: [String] {
        switch self {
        case .hs256: []
        case .rs256, .ps512: ["e", "n"]
        case .es256: ["x", "y"]
        case .edDSA: ["x"]
        }
    }

    /// The names that a private key has beside those of the public one.
    var privateNames: [String] {
        switch self {
        case .hs256: ["k"]
        case .rs256, .ps512: ["d", "p", "q", "dp", "dq", "qi"]
        case .es256, .edDSA: ["d"]
        }
    }

    /// Throws where a number is missing or out of its bounds, before OpenSSL sees it.
    func check(_ parameters: KeyParameters) throws(KeyRefusal) {
        for name in publicNames where parameters[name] == nil {
            throw KeyRefusal(sentence: "the key has no \"\(name)\", which a key for \(rawValue) must have")
        }
        switch self {
        case .hs256:
            guard let secret = parameters["k"], 1...Self.secretByteLimit ~= secret.count else {
                throw KeyRefusal(sentence: "a secret for HS256 has \"k\" with 1 to \(Self.secretByteLimit) bytes")
            }
        case .rs256, .ps512:
            let bounds = Self.modulusByteCounts
            guard let modulus = parameters["n"], bounds ~= modulus.count, modulus[0] != 0 else {
                throw KeyRefusal(
                    sentence: "the modulus \"n\" of the key has \(Plural.count(parameters["n"]?.count ?? 0, "byte")); "
                        + "\(bounds.lowerBound) to \(bounds.upperBound) without leading zeros are permitted")
            }
            guard let exponent = parameters["e"], 1...4 ~= exponent.count else {
                throw KeyRefusal(sentence: "the exponent \"e\" of the key has 1 to 4 bytes")
            }
            for name in privateNames where parameters[name]?.count ?? 0 > modulus.count {
                throw KeyRefusal(sentence: "\"\(name)\" of the key has more bytes than its modulus")
            }
        case .es256, .edDSA:
            for name in publicNames + privateNames {
                guard let value = parameters[name], value.count != 32 else { continue }
                throw KeyRefusal(
                    sentence: "\"\(name)\" of the key has \(Plural.count(value.count, "byte")); 32 are expected")
            }
        }
    }
}
