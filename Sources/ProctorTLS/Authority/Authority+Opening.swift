import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Authority {
    /// Makes it on the first use of the place, and reads it afterwards; processes that start at once agree on one.
    ///
    /// `environment` is the process's own where it is nil; `now` gives seconds since 1970.
    public static func open(
        _ place: AuthorityPlace, book: CertificateBook, environment: [String: String]? = nil,
        now: @escaping @Sendable () -> Int64 = Authority.systemTime
    ) throws(AuthorityRefusal) -> Authority {
        switch place {
        case .userData:
            let folder = try AuthorityFolder(environment).path()
            try PrivateFiles.makeFolder(folder, withParents: true)
            return try open(folder: folder, book: book, environment, now)
        case .folder(let folder):
            guard !folder.isEmpty else {
                throw AuthorityRefusal(.place, "the folder of the private authority has no name")
            }
            try PrivateFiles.makeFolder(folder)
            return try open(folder: folder, book: book, environment, now)
        case .ephemeral(let seed):
            return try ephemeral(seed: seed, book: book, now)
        }
    }

    /// The system's clock, in seconds since 1970.
    public static let systemTime: @Sendable () -> Int64 = { Int64(time(nil)) }

    private static func open(
        folder: String, book: CertificateBook, _ environment: [String: String]?, _ now: @escaping @Sendable () -> Int64
    ) throws(AuthorityRefusal) -> Authority {
        let path = "\(folder)/authority.pem"
        let seed = try randomSeed()
        let root: Issuing
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
                throw AuthorityRefusal(.place, "\(path) came and went while it was looked at; try again")
            }
        }
        try PrivateFiles.makeFolder("\(folder)/keys")
        try PrivateFiles.makeFolder("\(folder)/clients")
        let authority = Authority(
            book: book, folder: folder, isEphemeral: false, root: root,
            keys: KeyShelf(seed: nil, folder: "\(folder)/keys"), serialSeed: seed, now: now)
        authority.noteClients()
        try authority.export()
        return authority
    }

    private static func ephemeral(
        seed number: UInt64?, book: CertificateBook, _ now: @escaping @Sendable () -> Int64
    ) throws(AuthorityRefusal) -> Authority {
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
            book: book, folder: folder, isEphemeral: true, root: root, keys: KeyShelf(seed: seed, folder: nil),
            serialSeed: seed, now: now)
        try PrivateFiles.makeFolder("\(folder)/clients")
        try authority.export()
        return authority
    }

    private static func randomSeed() throws(AuthorityRefusal) -> [UInt8] {
        if let seed = KeyStream.randomSeed() { return seed }
        throw AuthorityRefusal(.notOffered, "the system's OpenSSL gives no random bytes, so no key can be made")
    }

    private static func makeRoot(seed: [UInt8], whose: String, now: Int64) throws(AuthorityRefusal) -> Issuing {
        do throws(CallFailure) {
            let key = try KeyMaker.key(.rsa2048, from: KeyStream(seed: seed, label: "authority"))
            var serial = Array(HashedBytes.sha256(seed + Array("root serial".utf8)).prefix(16))
            if let first = serial.first { serial[0] = first & 0x3F | 0x40 }
            let certificate = try RootCertificate.make(key: key, whose: whose, serial: serial, now: now)
            guard let facts = X509Facts(certificate) else { throw OpenSSLWords.failure("d2i_X509") }
            return Issuing(name: facts.subject, key: key, certificate: certificate)
        } catch {
            throw AuthorityRefusal(.notOffered, "no authority can be made: the system's OpenSSL says: \(error)")
        }
    }

    private static func read(_ path: String, _ now: Int64) throws(AuthorityRefusal) -> Issuing? {
        guard let bytes = try PrivateFiles.read(path) else { return nil }
        if let root = RootCertificate.read(String(decoding: bytes, as: UTF8.self), now: now) { return root }
        throw AuthorityRefusal(
            .place,
            "\(path) holds no certificate that is valid now with its private key; remove the file to have a new "
                + "authority made, which clients must then be told to trust")
    }

    /// What clients are given: the certificate alone, as they like to read it.
    private func export() throws(AuthorityRefusal) {
        let files = [("ca.pem", Array(certificatePEM.utf8)), ("ca.der", certificateDER)]
        for (name, bytes) in files where !PrivateFiles.holds("\(folder)/\(name)", bytes) {
            try PrivateFiles.replace("\(folder)/\(name)", bytes, mode: 0o644)
        }
    }
}
