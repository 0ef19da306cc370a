import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The private authority: mints what profiles describe, for names of this machine and of documentation alone.
///
/// From any thread. Whatever is not called cached blocks: for seconds, where a key of 8192 bits has to be made.
public final class Authority: Sendable {
    /// What is minted.
    public let book: CertificateBook
    /// The folder that holds the files of this authority.
    public let folder: String
    /// Whether the folder goes with this object.
    public let isEphemeral: Bool

    let root: Issuing
    let keys: KeyShelf
    /// What serials are made of; random, unless the authority has a seed.
    let serialSeed: [UInt8]
    /// Seconds since 1970.
    let now: @Sendable () -> Int64
    let state = Locked(AuthorityState())

    init(
        book: CertificateBook, folder: String, isEphemeral: Bool, root: Issuing, keys: KeyShelf, serialSeed: [UInt8],
        now: @escaping @Sendable () -> Int64
    ) {
        self.book = book
        self.folder = folder
        self.isEphemeral = isEphemeral
        self.root = root
        self.keys = keys
        self.serialSeed = serialSeed
        self.now = now
    }

    deinit { close() }

    /// DER of the root, what clients are to trust.
    public var certificateDER: [UInt8] { root.certificate }
    /// The root as PEM.
    public var certificatePEM: String { PEMText.text("CERTIFICATE", certificateDER) }
    /// The root as a PEM file, for clients that take a file.
    public var certificatePath: String { "\(folder)/ca.pem" }

    /// Of the root: SHA-256 as systems show it, `AB:CD:…`.
    public var certificateFingerprint: String {
        HashedBytes.sha256(certificateDER).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined(separator: ":")
    }

    /// Removes the folder of an ephemeral authority; others stay as they are.
    public func close() {
        if isEphemeral { PrivateFiles.removeFolder(folder) }
    }

    /// Whether a host is one of those that the authority is constrained to; addresses stand without brackets.
    public static func permits(host: String) -> Bool { AuthorityNames.permits(host) }

    /// A root that nobody trusts; minted once.
    func stranger() throws(AuthorityRefusal) -> Issuing {
        if let stranger = state.withLock({ $0.stranger }) { return stranger }
        let key = try keys.key("stranger", .rsa2048)
        do throws(CallFailure) {
            let certificate = try RootCertificate.stranger(key: key, serial: serial("stranger"), now: now())
            guard let facts = X509Facts(certificate) else { throw OpenSSLWords.failure("d2i_X509") }
            let stranger = Issuing(name: facts.subject, key: key, certificate: certificate)
            return state.withLock { state in
                if let other = state.stranger { return other }
                state.stranger = stranger
                return stranger
            }
        } catch {
            throw AuthorityRefusal(.notOffered, "a root that nobody trusts can't be minted: \(error)")
        }
    }

    /// 16 bytes, positive, without a leading zero (RFC 5280 §4.1.2.2 permits 20).
    func serial(_ label: String) -> [UInt8] {
        var bytes = Array(HashedBytes.sha256(serialSeed + Array(label.utf8)).prefix(16))
        if let first = bytes.first { bytes[0] = first & 0x3F | 0x40 }
        return bytes
    }

    /// Midnight, UTC, in seconds since 1970.
    var today: Int64 { now() / DER.day * DER.day }
}
