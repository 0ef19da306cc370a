package import ProctorBase

/// The properties and faults of a certificate, as a file in `certs/` gives them; never a key.
package struct CertificateProfile: Sendable, Equatable {
    /// The file's name without its extension: `wrong-host`.
    package let name: String
    /// Whether a server or a client uses it.
    package let role: Role
    /// One line.
    package let summary: String
    /// The position of the profile in its file.
    package let location: SourceLocation
    /// The rule that the certificate violates, for messages; nil if it is correct.
    package var wrong: String?
    /// Hosts of badssl.com, without the domain, with the same fault.
    package var badssl: [String] = []

    package var key = KeyKind.ecc256
    /// The digest of the issuer's signature on the leaf.
    package var digest = Digest.sha256
    package var subject = Subject()
    /// The names in the leaf.
    package var names = AlternativeNames()
    /// The validity of the leaf, in days.
    package var validity = Validity.ordinary
    /// The key usage extension (RFC 5280 §4.2.1.3); nil to leave it out.
    package var usage: [KeyUsage]? = [.digitalSignature]
    package var extendedUsage: [ExtendedUsage]?
    /// The issuers from that of the leaf up to the root, without the root.
    package var issuers: [Issuer] = []
    /// Further certificates that are sent: of issuers once more, by other signers, or of none in the path.
    package var others: [Other] = []
    /// What the chain ends in.
    package var anchor = Anchor.authority
    /// Which certificates of the chain are sent.
    package var sends = Sending.complete
    /// The status in the CRL and of the OCSP responder; nil to name neither.
    package var revocation: Status?
    /// The stapled OCSP response; nil for none.
    package var staple: Staple?
    /// Whether the leaf has the TLS feature extension, which requires a staple (RFC 7633).
    package var mustStaple = false
    /// The serial number of every certificate of the profile; nil for unique ones.
    package var serial: UInt32?
    /// Additional extensions.
    package var extensions: [Extra] = []

    /// The expected verdict of a client that trusts the authority.
    package var verdict = Verdict.accept
    /// OpenSSL's reason for refusing the certificate: `certificate has expired`.
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
        /// `openssl verify`, which reads certificates without a connection.
        case opensslVerify = "openssl-verify"
        /// `openssl s_client` with `-verify_return_error`.
        case opensslClient = "openssl-s_client"
        case curl
        /// Python's `ssl` with its default context.
        case python
    }

    /// A program whose verdict differs from the rules.
    package struct Exception: Sendable, Equatable {
        package let judge: Judge
        /// The verdict of the program.
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
    /// The kind of a key; numbers are bits.
    package enum KeyKind: String, Sendable, CaseIterable {
        case rsa512, rsa1024, rsa2048, rsa3072, rsa4096, rsa8192, ecc256, ecc384, ecc521, ed25519
    }

    /// The digest of signatures; Ed25519 ignores it.
    package enum Digest: String, Sendable, CaseIterable {
        case md5, sha1, sha256, sha384, sha512
    }

    package struct Subject: Sendable, Equatable {
        /// `{{name}}` is the server's first name, `{{profile}}` the profile's; nil for none.
        package var commonName: String? = "{{name}}"
        package var organization: String? = "Proctor"

        package init() {}
    }

    /// The subject alternative name extension (RFC 5280 §4.2.1.6).
    package struct AlternativeNames: Sendable, Equatable {
        /// The names of one kind.
        package enum Source: Sendable, Equatable {
            case own
            /// The server's names with `*` in place of the first label, if they have three or more labels.
            case wildcard
            case list([String])
        }
        package var hosts = Source.own
        package var addresses = Source.own
        /// The number of additional names `n.filler.example.org`.
        package var fillerCount = 0

        package init() {}

        /// Whether the extension is left out.
        package var isNone: Bool { hosts == .list([]) && addresses == .list([]) && fillerCount == 0 }
    }

    /// In whole days from the day of minting, UTC.
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

    /// A certificate between the leaf and the root.
    package struct Issuer: Sendable, Equatable {
        /// A part of the issuer's name, and the label of its key.
        package let name: String
        /// The kind of the key, which is made once for all profiles with that issuer name.
        package var key = KeyKind.rsa2048
        /// The digest of the signature on this certificate.
        package var digest = Digest.sha256
        package var validity = Validity(from: -1, until: 3_650)
        /// Whether the basic constraints extension says CA (RFC 5280 §4.2.1.9); nil to leave it out.
        package var isAuthority: Bool? = true
        /// nil for no limit.
        package var pathLength: Int?
        /// The key usage extension (RFC 5280 §4.2.1.3); nil to leave it out.
        package var usage: [KeyUsage]? = [.keyCertSign, .crlSign]
        /// The extended key usage extension (RFC 5280 §4.2.1.12); nil to leave it out.
        package var extendedUsage: [ExtendedUsage]?
        /// Hosts and networks of the name constraints extension (RFC 5280 §4.2.1.10); empty lists to leave it out.
        package var permitted = Subtrees()
        package var excluded = Subtrees()
        /// Additional extensions.
        package var extensions: [Extra] = []

        package init(name: String) {
            self.name = name
        }
    }

    /// Names that a name constraint covers.
    package struct Subtrees: Sendable, Equatable {
        /// A host covers the names below it too.
        package var hosts: [String]
        /// Addresses with their masks, 8 or 32 bytes.
        package var networks: [[UInt8]]

        package init(hosts: [String] = [], networks: [[UInt8]] = []) {
            (self.hosts, self.networks) = (hosts, networks)
        }

        package var isEmpty: Bool { hosts.isEmpty && networks.isEmpty }
    }

    /// A certificate beside those of the path.
    ///
    /// With the name of one of `issuers` it has the name and key of that issuer.
    package struct Other: Sendable, Equatable {
        package var issuer: Issuer
        package var signer = Signer.authority
        /// Whether it is sent before the issuers of the path, and not behind them.
        package var isFirst = false

        package enum Signer: Sendable, Equatable {
            case authority, untrusted
            /// One of `issuers`, by its name.
            case issuer(String)
        }
    }

    /// The end of a chain.
    package enum Anchor: String, Sendable, CaseIterable {
        case authority
        /// A root that no client trusts.
        case untrusted = "stranger"
        /// The leaf itself: it is self-signed.
        case itself = "self"
    }

    /// Which certificates of the chain a server sends; that of the authority only with `withRoot`.
    package enum Sending: String, Sendable, CaseIterable {
        case complete
        case leaf
        /// The leaf, then its issuers from the top down.
        case reversed
        /// Also the root, which need not be sent (RFC 8446 §4.4.2); some clients need it to check a staple.
        case withRoot = "with-root"
    }

    /// The status in the CRL and of the OCSP responder.
    package enum Status: String, Sendable, CaseIterable {
        case good, revoked
    }

    /// The kind of a stapled OCSP response.
    package enum Staple: String, Sendable, CaseIterable {
        case good, revoked
        /// A response whose nextUpdate is in the past.
        case expired
        /// A response about another certificate.
        case wrongSerial = "wrong-serial"
    }

    /// An extension with arbitrary content.
    package struct Extra: Sendable, Equatable {
        package let oid: String
        /// Clients must refuse an unknown critical extension (RFC 5280 §4.2).
        package let isCritical: Bool
        /// The extension's value, normally DER.
        package let value: [UInt8]
    }
}
