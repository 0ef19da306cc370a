extension CertificateProfile {
    /// Kinds of keys; numbers are bits.
    public enum KeyKind: String, Sendable, CaseIterable {
        case rsa512, rsa1024, rsa2048, rsa3072, rsa4096, rsa8192, ecc256, ecc384, ecc521, ed25519
    }

    /// What is hashed before it is signed; Ed25519 has its own and ignores it.
    public enum Digest: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha384, sha512
    }

    /// The distinguished name.
    public struct Subject: Sendable, Equatable {
        /// `{{name}}` stands for the first name of the server, `{{profile}}` for the profile's own; nil: none.
        public var commonName: String? = "{{name}}"
        /// nil: none.
        public var organization: String? = "Proctor"

        /// What most have.
        public init() {}
    }

    /// The subject alternative name extension (RFC 5280 §4.2.1.6).
    public struct AlternativeNames: Sendable, Equatable {
        /// Those of one kind.
        public enum Source: Sendable, Equatable {
            /// What the server is called.
            case own
            /// The same with `*` for the first label of each name that has three or more.
            case wildcard
            case list([String])
        }
        /// DNS names.
        public var hosts = Source.own
        /// IP addresses.
        public var addresses = Source.own
        /// Further names `n.filler.example.org`, this many.
        public var fillerCount = 0

        /// The server's own.
        public init() {}

        /// True where the extension is left out.
        public var isNone: Bool { hosts == .list([]) && addresses == .list([]) && fillerCount == 0 }
    }

    /// Whole days from the day of minting, UTC.
    public struct Validity: Sendable, Equatable {
        /// notBefore.
        public let from: Int
        /// notAfter.
        public let until: Int

        /// Since yesterday, for the 398 days that clients take at most.
        public static let ordinary = Validity(from: -1, until: 397)
    }

    /// A bit of the key usage extension, by its number (RFC 5280 §4.2.1.3).
    public enum KeyUsage: String, Sendable, CaseIterable {
        case digitalSignature = "digital-signature"
        case nonRepudiation = "non-repudiation"
        case keyEncipherment = "key-encipherment"
        case dataEncipherment = "data-encipherment"
        case keyAgreement = "key-agreement"
        case keyCertSign = "key-cert-sign"
        case crlSign = "crl-sign"
    }

    /// A purpose (RFC 5280 §4.2.1.12).
    public enum ExtendedUsage: String, Sendable, CaseIterable {
        case serverAuth = "server-auth"
        case clientAuth = "client-auth"
        case codeSigning = "code-signing"
        case emailProtection = "email-protection"
    }

    /// A certificate between leaf and root.
    public struct Issuer: Sendable, Equatable {
        /// Part of its name, and what its key is kept under.
        public let name: String
        /// Made once for all profiles with an issuer of that name.
        public var key = KeyKind.rsa2048
        /// What its own issuer signs with.
        public var digest = Digest.sha256
        /// In days.
        public var validity = Validity(from: -1, until: 3_650)
        /// Of the basic constraints extension (RFC 5280 §4.2.1.9).
        public var isAuthority = true
        /// nil: no limit.
        public var pathLength: Int?

        /// One that is all right.
        public init(name: String) {
            self.name = name
        }
    }

    /// What a chain ends in.
    public enum Anchor: String, Sendable, CaseIterable {
        /// The private authority.
        case authority
        /// A root that nobody trusts.
        case stranger
        /// The leaf's own key signs it.
        case itself = "self"
    }

    /// What a server sends of the chain; never the authority's own certificate, which a client must have.
    public enum Sending: String, Sendable, CaseIterable {
        case complete
        /// The issuers are missing.
        case leaf
        /// The leaf, then its issuers from the top down.
        case reversed
        /// The root too, which need not be sent (RFC 8446 §4.4.2); some look for a staple's issuer nowhere else.
        case withRoot = "with-root"
    }

    /// What CRL and OCSP responder say.
    public enum Status: String, Sendable, CaseIterable {
        case good, revoked
    }

    /// What a stapled OCSP response says.
    public enum Staple: String, Sendable, CaseIterable {
        case good, revoked
        /// Its nextUpdate is over.
        case expired
        /// It speaks of another certificate.
        case wrongSerial = "wrong-serial"
    }

    /// An extension that is written as it is.
    public struct Extra: Sendable, Equatable {
        /// Dotted.
        public let oid: String
        /// Who does not understand it must refuse the certificate then (RFC 5280 §4.2).
        public let isCritical: Bool
        /// Of the extension's value; what is DER in sensible ones.
        public let value: [UInt8]
    }
}
