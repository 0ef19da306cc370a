internal import COpenSSL
internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Authority {
    /// Makes it on the first use of the place, and reads it afterwards; processes that start at once agree on one.
    ///
    /// `environment` is the process's own where it is nil; `now` gives seconds since 1970.
    public static func open(
        _ place: AuthorityStorage, catalog: CertificateCatalog, environment: [String: String]? = nil,
        now: @escaping @Sendable () -> Int64 = Authority.systemTime
    ) throws(AuthorityError) -> Authority {
        switch place {
        case .userData:
            let folder = try AuthorityFolder(environment).path()
            try PrivateFiles.makeFolder(folder, withParents: true)
            return try open(folder: folder, catalog: catalog, environment, now)
        case .folder(let folder):
            guard !folder.isEmpty else {
                throw AuthorityError(.place, "the folder of the private authority has no name")
            }
            try PrivateFiles.makeFolder(folder)
            return try open(folder: folder, catalog: catalog, environment, now)
        case .ephemeral(let seed):
            return try ephemeral(seed: seed, catalog: catalog, now)
        }
    }

    /// The system's clock, in seconds since 1970.
    public static let systemTime: @Sendable () -> Int64 = { Int64(time(nil)) }

    private static func open(
        folder: String, catalog: CertificateCatalog, _ environment: [String: String]?,
        _ now: @escaping @Sendable () -> Int64
    ) throws(AuthorityError) -> Authority {
        let path = "\(folder)/authority.pem"
        let seed = try randomSeed()
        let root: CertificateIssuer
        if let found = try read(path, now()) {
            root = found
        } else {
            let made = try makeRoot(
                seed: seed, whose: AuthorityFolder(environment).owner, now: now())
            if try PrivateFiles.create(path, Array(RootCertificate.file(made.certificate, made.key).utf8)) {
                root = made
            } else if let other = try read(path, now()) {
                // Another process was faster.
                root = other
            } else {
                throw AuthorityError(.place, "\(path) came and went while it was looked at; try again")
            }
        }
        try PrivateFiles.makeFolder("\(folder)/keys")
        try PrivateFiles.makeFolder("\(folder)/clients")
        let authority = Authority(
            catalog: catalog, folder: folder, isEphemeral: false, root: root,
            keys: KeyStore(seed: nil, folder: "\(folder)/keys"), serialSeed: seed, now: now)
        authority.noteClients()
        try authority.export()
        return authority
    }

    private static func ephemeral(
        seed number: UInt64?, catalog: CertificateCatalog, _ now: @escaping @Sendable () -> Int64
    ) throws(AuthorityError) -> Authority {
        let seed: [UInt8]
        if let number {
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            seed = HashedBytes.sha256(Array("proctor authority".utf8) + bytes)
        } else {
            seed = try randomSeed()
        }
        let root = try makeRoot(seed: seed, whose: "one run", now: now())
        let folder = try PrivateFiles.makeTemporaryFolder()
        let authority = Authority(
            catalog: catalog, folder: folder, isEphemeral: true, root: root, keys: KeyStore(seed: seed, folder: nil),
            serialSeed: seed, now: now)
        try PrivateFiles.makeFolder("\(folder)/clients")
        try authority.export()
        return authority
    }

    private static func randomSeed() throws(AuthorityError) -> [UInt8] {
        if let seed = KeyStream.randomSeed() { return seed }
        throw AuthorityError(.notOffered, "the system's OpenSSL gives no random bytes, so no key can be made")
    }

    private static func makeRoot(seed: [UInt8], whose: String, now: Int64) throws(AuthorityError) -> CertificateIssuer {
        do throws(CallFailure) {
            let key = try KeyGenerator.key(.rsa2048, from: KeyStream(seed: seed, label: "authority"))
            var serial = Array(HashedBytes.sha256(seed + Array("root serial".utf8)).prefix(16))
            if let first = serial.first { serial[0] = first & 0x3F | 0x40 }
            let certificate = try RootCertificate.make(key: key, whose: whose, serial: serial, now: now)
            guard let facts = X509Facts(certificate) else { throw OpenSSLErrors.failure("d2i_X509") }
            return CertificateIssuer(name: facts.subject, key: key, certificate: certificate)
        } catch {
            throw AuthorityError(.notOffered, "no authority can be made: the system's OpenSSL says: \(error)")
        }
    }

    private static func read(_ path: String, _ now: Int64) throws(AuthorityError) -> CertificateIssuer? {
        guard let bytes = try PrivateFiles.read(path) else { return nil }
        if let root = RootCertificate.read(String(decoding: bytes, as: UTF8.self), now: now) { return root }
        throw AuthorityError(
            .place,
            "\(path) holds no certificate that is valid now with its private key; remove the file to have a new "
                + "authority made, which clients must then be told to trust")
    }

    /// What clients are given: the certificate alone, as they like to read it.
    private func export() throws(AuthorityError) {
        let files = [("ca.pem", Array(certificatePEM.utf8)), ("ca.der", certificateDER)]
        for (name, bytes) in files where !PrivateFiles.holds("\(folder)/\(name)", bytes) {
            try PrivateFiles.replace("\(folder)/\(name)", bytes, mode: 0o644)
        }
    }
}

/// Where the user's own authority lives, and what it is called.
struct AuthorityFolder {
    private let environment: [String: String]?

    /// The process's own environment where there is none.
    init(_ environment: [String: String]?) {
        self.environment = environment
    }

    /// `PROCTOR_CA_DIR`, or a folder of the user's data.
    func path() throws(AuthorityError) -> String {
        if let folder = value("PROCTOR_CA_DIR") { return folder }
        #if !canImport(Darwin)
            // The specification has relative paths ignored.
            if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/proctor/ca" }
        #endif
        guard let home = value("HOME"), home.hasPrefix("/") else {
            throw AuthorityError(
                .place,
                "there is no HOME, so the private authority has no place; name one with --ca-dir or PROCTOR_CA_DIR, or "
                    + "do without one with --ephemeral-ca")
        }
        #if canImport(Darwin)
            return "\(home)/Library/Application Support/Proctor/CA"
        #else
            return "\(home)/.local/share/proctor/ca"
        #endif
    }

    /// `ann@laptop`, as far as that is known.
    var owner: String {
        var name = [CChar](repeating: 0, count: 256)
        let isKnown = unsafe gethostname(&name, name.count - 1) == 0
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let user = value("USER") ?? value("LOGNAME") ?? "user \(geteuid())"
        return isKnown && !host.isEmpty ? "\(user)@\(host.prefix { $0 != "." })" : user
    }

    /// The value of a variable that is set and not empty.
    private func value(_ name: String) -> String? {
        let value: String?
        if let environment {
            value = environment[name]
        } else {
            value = unsafe getenv(name).map { unsafe String(cString: $0) }
        }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// The root of an authority: made once, ten years valid, constrained, and loud in its name.
enum RootCertificate {
    private static let dayCount: Int64 = 3_650
    private static let warning = "FOR TESTS ONLY - trust it on no machine that matters"

    /// `whose` says whose machine it belongs to: `ann@laptop`.
    static func make(key: PrivateKey, whose: String, serial: [UInt8], now: Int64) throws(CallFailure) -> [UInt8] {
        let today = now / DER.day * DER.day
        let name = DistinguishedName.make(
            organization: "Proctor", unit: warning, commonName: "Proctor LOCAL TEST authority of \(whose)")
        return try TBSCertificate(
            serial: serial, issuer: name, subject: name, notBefore: today - DER.day,
            notAfter: today + dayCount * DER.day, publicKey: key.publicDER,
            extensions: [
                CertificateExtension.basicConstraints(isAuthority: true),
                CertificateExtension.keyUsage([.keyCertSign, .crlSign]),
                CertificateExtension.subjectKey(key.identifier),
                CertificateExtension.nameConstraints(hosts: NameConstraints.hosts, networks: NameConstraints.networks),
            ]
        ).signed(by: key, .sha256)
    }

    /// A root that no client is told to trust, without constraints.
    static func stranger(key: PrivateKey, serial: [UInt8], now: Int64) throws(CallFailure) -> [UInt8] {
        let today = now / DER.day * DER.day
        let name = DistinguishedName.make(
            organization: "Proctor", unit: warning, commonName: "Proctor LOCAL TEST stranger")
        return try TBSCertificate(
            serial: serial, issuer: name, subject: name, notBefore: today - DER.day,
            notAfter: today + dayCount * DER.day, publicKey: key.publicDER,
            extensions: [
                CertificateExtension.basicConstraints(isAuthority: true),
                CertificateExtension.keyUsage([.keyCertSign, .crlSign]),
                CertificateExtension.subjectKey(key.identifier),
            ]
        ).signed(by: key, .sha256)
    }

    /// Certificate and key from the text of ``file(_:_:)``; nil when it holds something else, or an expired one.
    static func read(_ text: String, now: Int64) -> CertificateIssuer? {
        guard let certificate = PEMText.block("CERTIFICATE", in: text),
            let secret = PEMText.block("PRIVATE KEY", in: text), let key = try? PrivateKey(der: secret),
            let facts = X509Facts(certificate), facts.publicKey == key.publicDER, facts.isValid(at: now)
        else { return nil }
        return CertificateIssuer(name: facts.subject, key: key, certificate: certificate)
    }

    /// Both in one file, so that no other process sees one without the other.
    static func file(_ certificate: [UInt8], _ key: PrivateKey) -> String {
        PEMText.text("CERTIFICATE", certificate) + PEMText.text("PRIVATE KEY", key.der)
    }
}
