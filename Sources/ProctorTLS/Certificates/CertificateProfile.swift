public import ProctorBase

/// What is right or wrong with a certificate, as a file in `certs/` says it; never a key.
public struct CertificateProfile: Sendable, Equatable {
    /// The file's name without its extension: `wrong-host`.
    public let name: String
    /// Whether a server or a client shows the certificate.
    public let role: Role
    /// One line.
    public let summary: String
    /// Where the profile begins in its file.
    public let location: SourceLocation
    /// What breaks which rule, for a person; nil where nothing is wrong.
    public var wrong: String?
    /// Hosts of badssl.com, without the domain, that show the same.
    public var badssl: [String] = []

    /// The kind of the leaf's key.
    public var key = KeyKind.ecc256
    /// What the issuer of the leaf signs with.
    public var digest = Digest.sha256
    /// The leaf's subject.
    public var subject = Subject()
    /// The names the leaf is good for.
    public var names = AlternativeNames()
    /// When the leaf is valid, in days.
    public var validity = Validity.ordinary
    /// The key usage extension (RFC 5280 §4.2.1.3); nil leaves it out.
    public var usage: [KeyUsage]? = [.digitalSignature]
    /// The extended key usage extension (RFC 5280 §4.2.1.12); nil leaves it out.
    public var extendedUsage: [ExtendedUsage]?
    /// From the leaf's issuer towards the root, without the root.
    public var issuers: [Issuer] = []
    /// What the chain ends in.
    public var anchor = Anchor.authority
    /// What is sent of the chain.
    public var sends = Sending.complete
    /// Whether CRL and OCSP responder are named, and what they say.
    public var revocation: Status?
    /// What is stapled.
    public var staple: Staple?
    /// The TLS feature extension that asks for a staple (RFC 7633).
    public var mustStaple = false
    /// The same number for every certificate of the profile; nil: one of its own for each.
    public var serial: UInt32?
    /// Beyond the usual.
    public var extensions: [Extra] = []

    /// What a client that knows the authority is to make of it.
    public var verdict = Verdict.accept
    /// What OpenSSL's verification says when it refuses: `certificate has expired`.
    public var openssl: String?
    /// Programs that come to another verdict, and why.
    public var exceptions: [Exception] = []
}

extension CertificateProfile {
    /// Which side of a connection shows the certificate.
    public enum Role: Sendable, Equatable {
        case server, client
    }

    /// Accept it or not.
    public enum Verdict: String, Sendable, CaseIterable {
        case accept, refuse
    }

    /// Programs of others that are asked.
    public enum Judge: String, Sendable, CaseIterable {
        /// `openssl verify`, which sees certificates but no connection.
        case opensslVerify = "openssl-verify"
        /// `openssl s_client` with `-verify_return_error`.
        case opensslClient = "openssl-s_client"
        case curl
        /// Python's `ssl` with its default context.
        case python
    }

    /// A program that comes to another verdict than the rules.
    public struct Exception: Sendable, Equatable {
        /// Which one.
        public let judge: Judge
        /// Its own.
        public let verdict: Verdict
        /// The reason, for a person.
        public let why: String
    }

    /// The verdict that a program is known to give.
    public func verdict(of judge: Judge) -> Verdict {
        exceptions.first { $0.judge == judge }?.verdict ?? verdict
    }
}

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
        /// The basic constraints extension (RFC 5280 §4.2.1.9).
        public var isAuthority = true
        /// nil: no limit.
        public var pathLength: Int?

        /// A valid response.
        public init(name: String) {
            self.name = name
        }
    }

    /// What a chain ends in.
    public enum Anchor: String, Sendable, CaseIterable {
        /// The private authority.
        case authority
        /// A root that no client is told to trust.
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
        /// The response is about another certificate.
        case wrongSerial = "wrong-serial"
    }

    /// An extension that is written as it is.
    public struct Extra: Sendable, Equatable {
        /// Dotted.
        public let oid: String
        /// A client that does not understand a critical extension must refuse the certificate (RFC 5280 §4.2).
        public let isCritical: Bool
        /// The extension's value; DER in sensible extensions.
        public let value: [UInt8]
    }
}
