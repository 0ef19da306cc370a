import ProctorBase

/// How a Digest credential is computed (RFC 7616 §3.4.2, §6.1); the raw values are the registered names.
package enum DigestAlgorithm: String, Sendable, CaseIterable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case sha512t256 = "SHA-512-256"
    case sha512t256Session = "SHA-512-256-sess"

    /// The hash function of every part.
    package var hash: HashFunction {
        switch self {
        case .md5, .md5Session: .md5
        case .sha256, .sha256Session: .sha256
        case .sha512t256, .sha512t256Session: .sha512t256
        }
    }

    /// Whether nonce and cnonce are hashed into the secret (A1), which then holds for a session (RFC 7616 §3.4.2).
    package var isSession: Bool {
        switch self {
        case .md5Session, .sha256Session, .sha512t256Session: true
        case .md5, .sha256, .sha512t256: false
        }
    }

    package init?(named name: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = known
    }
}

/// The hash functions of Digest; the raw values are the registered names of their algorithms.
package enum HashFunction: String, Sendable, CaseIterable {
    /// 16 bytes (RFC 1321).
    case md5 = "MD5"
    /// 32 bytes (FIPS 180-4).
    case sha256 = "SHA-256"
    /// 32 bytes, with its own initial values: not a truncated SHA-512 (FIPS 180-4 §5.3.6).
    case sha512t256 = "SHA-512-256"

    /// The name in sentences, as FIPS 180-4 writes it.
    var title: String { self == .sha512t256 ? "SHA-512/256" : rawValue }

    package var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha256, .sha512t256: 32
        }
    }
}

/// Hashes for Digest; the caller supplies them, since this module links no hash library.
package protocol DigestHasher: Sendable {
    /// Appends `function.byteCount` raw bytes, or nothing if the function is unavailable.
    func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8])
}

extension DigestHasher {
    /// Whether the function is available; false for example for MD5 on a system in FIPS mode.
    package func computes(_ function: HashFunction) -> Bool {
        DigestText.hash(function, of: [], by: self).count == function.byteCount * 2
    }
}

/// What a Digest credential protects (RFC 7616 §3.3); the raw values are those of `qop`.
package enum QualityOfProtection: String, Sendable, CaseIterable {
    case authentication = "auth"
    case integrity = "auth-int"
}

/// The hash of user, realm and password (A1 of RFC 7616 §3.4.2); in that realm it is as secret as the password.
package struct DigestSecret: Sendable, Equatable {
    package let function: HashFunction
    /// In hexadecimal digits; must not be logged.
    package let digits: [UInt8]

    /// The secret of a `-sess` algorithm, from the nonces of the first request that answered the challenge.
    package func session(nonce: [UInt8], clientNonce: [UInt8], by hasher: some DigestHasher) -> Self {
        Self(function: function, digits: DigestText.hash(function, ofParts: [digits, nonce, clientNonce], by: hasher))
    }
}

extension DigestSecret {
    /// Texts are encoded as UTF-8 (RFC 7616 §4).
    package init(
        user: some Sequence<UInt8>, realm: some Sequence<UInt8>, password: some Sequence<UInt8>, function: HashFunction,
        by hasher: some DigestHasher
    ) {
        self.function = function
        digits = DigestText.hash(function, ofParts: [Array(user), Array(realm), Array(password)], by: hasher)
    }
}

extension DigestSecret: CustomStringConvertible {
    /// Shows only the number of digits.
    package var description: String { "a secret of \(digits.count) digits" }
}

package enum DigestText {
    /// LHEX (RFC 7616 §3.4): lower-case digits, two for each byte.
    static func appendHexadecimal(_ bytes: [UInt8], to output: inout [UInt8]) {
        for byte in bytes {
            output.append(digit(byte >> 4))
            output.append(digit(byte & 0x0F))
        }
    }

    package static func hash(_ function: HashFunction, of bytes: [UInt8], by hasher: some DigestHasher) -> [UInt8] {
        var raw: [UInt8] = []
        raw.reserveCapacity(function.byteCount)
        hasher.appendHash(function, of: bytes.span, to: &raw)
        var digits: [UInt8] = []
        digits.reserveCapacity(raw.count * 2)
        appendHexadecimal(raw, to: &digits)
        return digits
    }

    /// The hash of the parts, joined by colons.
    package static func hash(_ function: HashFunction, ofParts parts: [[UInt8]], by hasher: some DigestHasher)
        -> [UInt8]
    {
        hash(function, of: Array(parts.joined(separator: [UInt8(ascii: ":")])), by: hasher)
    }

    /// Eight digits of LHEX (RFC 7616 §3.4).
    package static func nonceCount(_ count: UInt32) -> [UInt8] {
        var digits: [UInt8] = []
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            appendHexadecimal([UInt8(truncatingIfNeeded: count >> shift)], to: &digits)
        }
        return digits
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension UInt8 {
    /// LHEX: a hexadecimal digit, no capital.
    var isLowerHexadecimal: Bool { isASCIIDigit || 0x61...0x66 ~= self }
}
