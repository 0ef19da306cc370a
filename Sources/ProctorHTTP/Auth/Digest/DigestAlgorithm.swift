/// How a Digest credential is computed (RFC 7616 §3.4.2, §6.1); the raw values are the registered names.
public enum DigestAlgorithm: String, Sendable, CaseIterable {
    case md5 = "MD5"
    case md5Session = "MD5-sess"
    case sha256 = "SHA-256"
    case sha256Session = "SHA-256-sess"
    case sha512t256 = "SHA-512-256"
    case sha512t256Session = "SHA-512-256-sess"

    /// What every part is hashed with.
    public var hash: HashFunction {
        switch self {
        case .md5, .md5Session: .md5
        case .sha256, .sha256Session: .sha256
        case .sha512t256, .sha512t256Session: .sha512t256
        }
    }

    /// Whether nonce and cnonce are hashed into the secret (A1), which then holds for a session (RFC 7616 §3.4.2).
    public var isSession: Bool {
        switch self {
        case .md5Session, .sha256Session, .sha512t256Session: true
        case .md5, .sha256, .sha512t256: false
        }
    }

    /// By its registered name, ASCII case aside; nil for one that is not known.
    public init?(named name: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            return nil
        }
        self = known
    }
}

/// The hash functions of Digest; the raw values are the registered names of their algorithms.
public enum HashFunction: String, Sendable, CaseIterable {
    /// 16 bytes (RFC 1321).
    case md5 = "MD5"
    /// 32 bytes (FIPS 180-4).
    case sha256 = "SHA-256"
    /// 32 bytes, with initial values of its own: not SHA-512 cut short (FIPS 180-4 §5.3.6).
    case sha512t256 = "SHA-512-256"

    /// For sentences, as FIPS 180-4 writes it.
    var title: String { self == .sha512t256 ? "SHA-512/256" : rawValue }

    /// Bytes of the raw hash.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha256, .sha512t256: 32
        }
    }
}

/// Hashes for Digest; what does it is given from outside, since this module has no library of hashes.
public protocol DigestHasher: Sendable {
    /// Appends the raw bytes of the hash, `function.byteCount` of them; nothing where the function can't be computed.
    func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8])
}

extension DigestHasher {
    /// Whether hashes come out at all: a system in FIPS mode has no MD5.
    public func computes(_ function: HashFunction) -> Bool {
        DigestText.hash(function, of: [], by: self).count == function.byteCount * 2
    }
}

/// What a Digest credential protects (RFC 7616 §3.3); the raw values are those of `qop`.
public enum QualityOfProtection: String, Sendable, CaseIterable {
    /// Method and target.
    case authentication = "auth"
    /// Content too.
    case integrity = "auth-int"
}
