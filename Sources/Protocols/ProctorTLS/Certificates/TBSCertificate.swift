internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A certificate before it is signed (RFC 5280 §4.1.2).
struct TBSCertificate {
    var serial: [UInt8]
    var issuer: [UInt8]
    var subject: [UInt8]
    var notBefore: Int64
    var notAfter: Int64
    /// DER of SubjectPublicKeyInfo.
    var publicKey: [UInt8]
    var extensions: [[UInt8]]

    func signed(by key: PrivateKey, _ digest: CertificateProfile.Digest) throws(CallFailure) -> [UInt8] {
        try Self.signed(by: key, digest) { algorithm in
            DER.sequence(
                DER.context(0, DER.integer(2)), DER.integer(serial), algorithm, issuer,
                DER.sequence(DER.time(notBefore), DER.time(notAfter)), subject, publicKey,
                extensions.isEmpty ? [] : DER.context(3, DER.sequence(of: extensions)))
        }
    }

    /// The SEQUENCE of content, algorithm and signature, common to certificates and CRLs.
    static func signed(
        by key: PrivateKey, _ digest: CertificateProfile.Digest, _ content: ([UInt8]) -> [UInt8]
    ) throws(CallFailure) -> [UInt8] {
        // The signed content includes the algorithm, so it must be known first.
        let algorithm = try key.algorithm(digest)
        let bytes = content(algorithm)
        return DER.sequence(bytes, algorithm, DER.bits(try key.signature(of: bytes, digest: digest)))
    }
}

/// DER of certificate extensions (RFC 5280 §4.2).
enum CertificateExtension {
    static func make(_ oid: String, isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        DER.sequence(DER.oid(oid), isCritical ? DER.boolean(true) : [], DER.octets(value))
    }

    /// §4.2.1.9.
    static func basicConstraints(isAuthority: Bool, pathLength: Int? = nil) -> [UInt8] {
        let limit = pathLength.map { DER.integer(UInt64(max(0, $0))) } ?? []
        return make(
            "2.5.29.19", isCritical: true, isAuthority ? DER.sequence(DER.boolean(true), limit) : DER.sequence())
    }

    /// §4.2.1.3.
    static func keyUsage(_ usage: [CertificateProfile.KeyUsage]) -> [UInt8] {
        make("2.5.29.15", isCritical: true, DER.namedBits(usage.map(\.number)))
    }

    /// §4.2.1.12.
    static func extendedKeyUsage(_ usage: [CertificateProfile.ExtendedUsage]) -> [UInt8] {
        make("2.5.29.37", DER.sequence(of: usage.map { DER.oid($0.oid) }))
    }

    /// §4.2.1.2.
    static func subjectKey(_ identifier: [UInt8]) -> [UInt8] { make("2.5.29.14", DER.octets(identifier)) }

    /// §4.2.1.1.
    static func authorityKey(_ identifier: [UInt8]) -> [UInt8] {
        make("2.5.29.35", DER.sequence(DER.primitive(0, identifier)))
    }

    /// §4.2.1.6; critical where the subject is empty.
    static func alternativeNames(hosts: [String], addresses: [String], isCritical: Bool) -> [UInt8] {
        let names =
            hosts.map { DER.primitive(2, Array($0.utf8)) }
            + addresses.compactMap { IPAddressBytes.parse($0) }.map { DER.primitive(7, $0) }
        return make("2.5.29.17", isCritical: isCritical, DER.sequence(of: names))
    }

    /// §4.2.1.10.
    static func nameConstraints(
        permitted: CertificateProfile.Subtrees, excluded: CertificateProfile.Subtrees = CertificateProfile.Subtrees()
    ) -> [UInt8] {
        func list(_ number: UInt8, _ subtrees: CertificateProfile.Subtrees) -> [UInt8] {
            let bases =
                subtrees.hosts.map { DER.primitive(2, Array($0.utf8)) }
                + subtrees.networks.map { DER.primitive(7, $0) }
            return bases.isEmpty ? [] : DER.context(number, bases.flatMap { DER.sequence($0) })
        }
        return make("2.5.29.30", isCritical: true, DER.sequence(list(0, permitted), list(1, excluded)))
    }

    /// §4.2.1.13 and §4.2.2.1.
    static func revocation(_ place: RevocationURLs) -> [[UInt8]] {
        let list = DER.context(0, DER.context(0, DER.primitive(6, Array(place.revocationList.utf8))))
        let responder = DER.sequence(DER.oid("1.3.6.1.5.5.7.48.1"), DER.primitive(6, Array(place.responder.utf8)))
        return [
            make("2.5.29.31", DER.sequence(DER.sequence(list))), make("1.3.6.1.5.5.7.1.1", DER.sequence(responder)),
        ]
    }

    /// RFC 7633: the server must send status_request (5), so a handshake without a staple is an error.
    static let mustStaple = make("1.3.6.1.5.5.7.1.24", DER.sequence(DER.integer(5)))
}

extension CertificateProfile.KeyUsage {
    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension CertificateProfile.ExtendedUsage {
    fileprivate var oid: String {
        switch self {
        case .serverAuth: "1.3.6.1.5.5.7.3.1"
        case .clientAuth: "1.3.6.1.5.5.7.3.2"
        case .codeSigning: "1.3.6.1.5.5.7.3.3"
        case .emailProtection: "1.3.6.1.5.5.7.3.4"
        }
    }
}

/// DER of a Name (RFC 5280 §4.1.2.4).
enum DistinguishedName {
    /// The longest text of these attributes (X.520); longer texts are cut.
    static let limit = 64

    static func make(organization: String?, unit: String? = nil, commonName: String?) -> [UInt8] {
        let parts = [("2.5.4.10", organization), ("2.5.4.11", unit), ("2.5.4.3", commonName)]
        return DER.sequence(
            of: parts.compactMap { oid, text in
                text.map { DER.set(DER.sequence(DER.oid(oid), DER.text(String($0.prefix(limit))))) }
            })
    }
}

/// Addresses as certificates hold them: 4 or 16 bytes (RFC 5280 §4.2.1.6).
enum IPAddressBytes {
    static func parse(_ text: String) -> [UInt8]? {
        var four = in_addr()
        if unsafe inet_pton(AF_INET, text, &four) == 1 {
            return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
        }
        var sixteen = in6_addr()
        if unsafe inet_pton(AF_INET6, text, &sixteen) == 1 {
            return unsafe withUnsafeBytes(of: &sixteen) { unsafe Array($0) }
        }
        return nil
    }
}
