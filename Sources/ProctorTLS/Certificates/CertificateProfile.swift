public import ProctorBase

/// What is right or wrong with a certificate, as a file in `certs/` says it; never a key.
public struct CertificateProfile: Sendable, Equatable {
    /// The file's name without its extension: `wrong-host`.
    public let name: String
    /// Whose certificate it is.
    public let role: Role
    /// One line.
    public let summary: String
    /// Of the file.
    public let location: SourceLocation
    /// What breaks which rule, for a person; nil where nothing is wrong.
    public var wrong: String?
    /// Hosts of badssl.com, without the domain, that show the same.
    public var badssl: [String] = []

    /// Of the leaf.
    public var key = KeyKind.ecc256
    /// What the issuer of the leaf signs with.
    public var digest = Digest.sha256
    /// Of the leaf.
    public var subject = Subject()
    /// The names the leaf is good for.
    public var names = AlternativeNames()
    /// Of the leaf, in days.
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
