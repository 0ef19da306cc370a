package import ProctorBase

/// The properties and faults of a certificate, as a file in `certs/` states them; never a key.
package struct CertificateProfile: Sendable, Equatable {
    /// The file's name without its extension: `wrong-host`.
    package let name: String
    /// Whether a server or a client uses it.
    package let role: Role
    /// One line.
    package let summary: String
    /// Where the profile begins in its file.
    package let location: SourceLocation
    /// The broken rule, for messages; nil when the certificate is correct.
    package var wrong: String?
    /// Hosts of badssl.com, without the domain, with the same fault.
    package var badssl: [String] = []

    package var key = KeyKind.ecc256
    /// The digest of the issuer's signature.
    package var digest = Digest.sha256
    package var subject = Subject()
    /// The names in the leaf.
    package var names = AlternativeNames()
    /// In days.
    package var validity = Validity.ordinary
    /// The key usage extension (RFC 5280 §4.2.1.3); nil leaves it out.
    package var usage: [KeyUsage]? = [.digitalSignature]
    package var extendedUsage: [ExtendedUsage]?
    /// From the leaf's issuer towards the root, without the root.
    package var issuers: [Issuer] = []
    /// What the chain ends in.
    package var anchor = Anchor.authority
    /// Which part of the chain is sent.
    package var sends = Sending.complete
    /// What CRL and OCSP responder say; nil: neither is named.
    package var revocation: Status?
    /// The staple; nil: none.
    package var staple: Staple?
    /// The TLS feature extension that asks for a staple (RFC 7633).
    package var mustStaple = false
    /// The serial of every certificate of the profile; nil: unique ones.
    package var serial: UInt32?
    /// Additional extensions.
    package var extensions: [Extra] = []

    /// The verdict of a client that trusts the authority.
    package var verdict = Verdict.accept
    /// OpenSSL's reason to refuse: `certificate has expired`.
    package var openssl: String?
    /// Programs with another verdict.
    package var exceptions: [Exception] = []
}

extension CertificateProfile {
    /// Which side of a connection uses the certificate.
    package enum Role: Sendable, Equatable {
        case server, client
    }

    package enum Verdict: String, Sendable, CaseIterable {
        case accept, refuse
    }

    /// Independent programs that check certificates.
    package enum Judge: String, Sendable, CaseIterable {
        /// `openssl verify`, which sees certificates but no connection.
        case opensslVerify = "openssl-verify"
        /// `openssl s_client` with `-verify_return_error`.
        case opensslClient = "openssl-s_client"
        case curl
        /// Python's `ssl` with its default context.
        case python
    }

    /// A program with another verdict than the rules.
    package struct Exception: Sendable, Equatable {
        package let judge: Judge
        /// Its own.
        package let verdict: Verdict
        /// The reason, for a person.
        package let why: String
    }

    /// The expected verdict of that program.
    package func verdict(of judge: Judge) -> Verdict {
        exceptions.first { $0.judge == judge }?.verdict ?? verdict
    }
}

extension CertificateProfile {
    /// Numbers are bits.
    package enum KeyKind: String, Sendable, CaseIterable {
        case rsa512, rsa1024, rsa2048, rsa3072, rsa4096, rsa8192, ecc256, ecc384, ecc521, ed25519
    }

    /// The digest of signatures; Ed25519 ignores it.
    package enum Digest: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha384, sha512
    }

    package struct Subject: Sendable, Equatable {
        /// `{{name}}` is the server's first name, `{{profile}}` the profile's; nil: none.
        package var commonName: String? = "{{name}}"
        package var organization: String? = "Proctor"

        package init() {}
    }

    /// The subject alternative name extension (RFC 5280 §4.2.1.6).
    package struct AlternativeNames: Sendable, Equatable {
        /// The names of one kind.
        package enum Source: Sendable, Equatable {
            case own
            /// The server's names with `*` as the first label of those with three or more.
            case wildcard
            case list([String])
        }
        package var hosts = Source.own
        package var addresses = Source.own
        /// Additional names `n.filler.example.org`.
        package var fillerCount = 0

        package init() {}

        /// Whether the extension is left out.
        package var isNone: Bool { hosts == .list([]) && addresses == .list([]) && fillerCount == 0 }
    }

    /// Whole days from the day of minting, UTC.
    package struct Validity: Sendable, Equatable {
        package let from: Int
        package let until: Int

        /// From yesterday, for 398 days, the most that clients accept.
        package static let ordinary = Validity(from: -1, until: 397)
    }

    /// A bit of the key usage extension, by its number (RFC 5280 §4.2.1.3).
    package enum KeyUsage: String, Sendable, CaseIterable {
        case digitalSignature = "digital-signature"
        case nonRepudiation = "non-repudiation"
        case keyEncipherment = "key-encipherment"
        case dataEncipherment = "data-encipherment"
        case keyAgreement = "key-agreement"
        case keyCertSign = "key-cert-sign"
        case crlSign = "crl-sign"
    }

    /// A purpose (RFC 5280 §4.2.1.12).
    package enum ExtendedUsage: String, Sendable, CaseIterable {
        case serverAuth = "server-auth"
        case clientAuth = "client-auth"
        case codeSigning = "code-signing"
        case emailProtection = "email-protection"
    }

    /// A certificate between leaf and root.
    package struct Issuer: Sendable, Equatable {
        /// Part of its name, and the label of its key.
        package let name: String
        /// Made once for all profiles with that issuer name.
        package var key = KeyKind.rsa2048
        /// The digest of its own issuer's signature.
        package var digest = Digest.sha256
        package var validity = Validity(from: -1, until: 3_650)
        /// The basic constraints extension (RFC 5280 §4.2.1.9).
        package var isAuthority = true
        /// nil: no limit.
        package var pathLength: Int?

        package init(name: String) {
            self.name = name
        }
    }

    /// What a chain ends in.
    package enum Anchor: String, Sendable, CaseIterable {
        case authority
        /// A root that no client trusts.
        case untrusted = "stranger"
        /// Self-signed.
        case itself = "self"
    }

    /// Which part of the chain a server sends; the authority's certificate only with `withRoot`.
    package enum Sending: String, Sendable, CaseIterable {
        case complete
        case leaf
        /// The leaf, then its issuers from the top down.
        case reversed
        /// With the root, which need not be sent (RFC 8446 §4.4.2); some clients need it to check a staple.
        case withRoot = "with-root"
    }

    /// What CRL and OCSP responder say.
    package enum Status: String, Sendable, CaseIterable {
        case good, revoked
    }

    /// What a stapled OCSP response says.
    package enum Staple: String, Sendable, CaseIterable {
        case good, revoked
        /// With a nextUpdate in the past.
        case expired
        /// About another certificate.
        case wrongSerial = "wrong-serial"
    }

    /// An extension with raw content.
    package struct Extra: Sendable, Equatable {
        package let oid: String
        /// Clients must refuse an unknown critical extension (RFC 5280 §4.2).
        package let isCritical: Bool
        /// The extension's value, normally DER.
        package let value: [UInt8]
    }
}
