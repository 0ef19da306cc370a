internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The private authority: mints certificates by profiles, for names of this machine and for documentation only.
///
/// Safe from any thread. Calls that are not named `cached…` block; a key of 8192 bits takes seconds.
package final class Authority: Sendable {
    package let catalog: CertificateCatalog
    /// The folder that holds the files of this authority.
    package let folder: String
    /// Whether `close()` removes the folder.
    package let isEphemeral: Bool

    let root: CertificateIssuer
    let keys: KeyStore
    /// The source of serials; random unless the authority has a seed.
    let serialSeed: [UInt8]
    /// Seconds since 1970.
    let now: @Sendable () -> Int64
    let state = Locked(AuthorityState())

    init(
        catalog: CertificateCatalog, folder: String, isEphemeral: Bool, root: CertificateIssuer, keys: KeyStore,
        serialSeed: [UInt8],
        now: @escaping @Sendable () -> Int64
    ) {
        (self.catalog, self.folder, self.isEphemeral, self.root, self.keys) = (catalog, folder, isEphemeral, root, keys)
        (self.serialSeed, self.now) = (serialSeed, now)
    }

    deinit { close() }

    /// DER of the root, which clients must trust.
    package var certificateDER: [UInt8] { root.certificate }
    /// The root as PEM.
    package var certificatePEM: String { PEMText.text("CERTIFICATE", certificateDER) }
    /// The root as a PEM file, for clients that take a file.
    package var certificatePath: String { "\(folder)/ca.pem" }

    /// The root's SHA-256 as `AB:CD:…`.
    package var certificateFingerprint: String {
        HashedBytes.sha256(certificateDER).map { $0.hexadecimal(uppercase: true) }.joined(separator: ":")
    }

    /// Removes the folder of an ephemeral authority only.
    package func close() {
        if isEphemeral { PrivateFiles.removeFolder(folder) }
    }

    package static func permits(host: String) -> Bool { NameConstraints.permits(host) }

    /// A root that no client trusts; minted once.
    func untrustedRoot() throws(AuthorityError) -> CertificateIssuer {
        if let root = state.withLock({ $0.untrustedRoot }) { return root }
        let key = try keys.key("stranger", .rsa2048)
        let root = try AuthorityError.notOffered("a root that no client trusts can't be minted") {
            () throws(CallFailure) in
            try RootCertificate.make(
                "stranger", key: key, serial: serial("stranger"), now: now(), constraints: .none)
        }
        return state.withLock { state in
            if let other = state.untrustedRoot { return other }
            state.untrustedRoot = root
            return root
        }
    }

    func serial(_ label: String) -> [UInt8] { Self.serial(label, of: serialSeed) }

    /// 16 bytes, positive, without a leading zero (RFC 5280 §4.1.2.2 permits 20).
    private static func serial(_ label: String, of seed: [UInt8]) -> [UInt8] {
        var bytes = Array(HashedBytes.sha256(seed + Array(label.utf8)).prefix(16))
        if let first = bytes.first { bytes[0] = first & 0x3F | 0x40 }
        return bytes
    }

    /// Midnight, UTC, in seconds since 1970.
    var today: Int64 { now() / DER.day * DER.day }
}

extension Authority {
    /// Creates the authority on the first use of the storage, and reads it afterwards; concurrent processes use the
    /// same one.
    ///
    /// nil for `environment` means that of the process; `now` returns seconds since 1970.
    package static func open(
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
    package static let systemTime: @Sendable () -> Int64 = { Int64(time(nil)) }

    private static func open(
        folder: String, catalog: CertificateCatalog, _ environment: [String: String]?,
        _ now: @escaping @Sendable () -> Int64
    ) throws(AuthorityError) -> Authority {
        let path = "\(folder)/authority.pem"
        let seed = try KeyStream.seed()
        let root: CertificateIssuer
        if let stored = try read(path, now()) {
            root = stored
        } else {
            let made = try makeRoot(
                seed: seed, whose: AuthorityFolder(environment).owner, now: now(), constraints: .hostsAndNetworks)
            if try PrivateFiles.create(path, Array(RootCertificate.file(made).utf8)) {
                root = made
            } else if let other = try read(path, now()) {
                // Another process created it first.
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
            seed = HashedBytes.sha256(Array("proctor authority".utf8) + number.bigEndianBytes.reversed())
        } else {
            seed = try KeyStream.seed()
        }
        // Its key never leaves the process, so that it may do without the constraints that clients on BoringSSL refuse.
        let root = try makeRoot(seed: seed, whose: "one run", now: now(), constraints: .hosts)
        let folder = try PrivateFiles.makeTemporaryFolder()
        let authority = Authority(
            catalog: catalog, folder: folder, isEphemeral: true, root: root, keys: KeyStore(seed: seed, folder: nil),
            serialSeed: seed, now: now)
        try PrivateFiles.makeFolder("\(folder)/clients")
        try authority.export()
        return authority
    }

    private static func makeRoot(
        seed: [UInt8], whose: String, now: Int64, constraints: RootCertificate.Constraints
    ) throws(AuthorityError) -> CertificateIssuer {
        try AuthorityError.notOffered("no authority can be made: the system's OpenSSL says") {
            () throws(CallFailure) in
            let key = try KeyGenerator.key(.rsa2048, from: KeyStream(seed: seed, label: "authority"))
            return try RootCertificate.make(
                "authority of \(whose)", key: key, serial: serial("root serial", of: seed), now: now,
                constraints: constraints)
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

    /// Writes the root's certificate in the formats that clients read.
    private func export() throws(AuthorityError) {
        let files = [("ca.pem", Array(certificatePEM.utf8)), ("ca.der", certificateDER)]
        for (name, bytes) in files where !PrivateFiles.holds("\(folder)/\(name)", bytes) {
            try PrivateFiles.replace("\(folder)/\(name)", bytes, mode: 0o644)
        }
    }
}
