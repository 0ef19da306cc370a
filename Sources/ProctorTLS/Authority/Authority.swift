internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The private authority: mints what profiles describe, for names of this machine and of documentation alone.
///
/// From any thread. Whatever is not called cached blocks: for seconds, where a key of 8192 bits has to be made.
public final class Authority: Sendable {
    /// What is minted.
    public let catalog: CertificateCatalog
    /// The folder that holds the files of this authority.
    public let folder: String
    /// Whether the folder goes with this object.
    public let isEphemeral: Bool

    let root: CertificateIssuer
    let keys: KeyStore
    /// What serials are made of; random, unless the authority has a seed.
    let serialSeed: [UInt8]
    /// Seconds since 1970.
    let now: @Sendable () -> Int64
    let state = Locked(AuthorityState())

    init(
        catalog: CertificateCatalog, folder: String, isEphemeral: Bool, root: CertificateIssuer, keys: KeyStore,
        serialSeed: [UInt8],
        now: @escaping @Sendable () -> Int64
    ) {
        self.catalog = catalog
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

    /// The root's SHA-256 as systems show it, `AB:CD:…`.
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
    public static func permits(host: String) -> Bool { NameConstraints.permits(host) }

    /// A root that no client is told to trust; minted once.
    func untrustedRoot() throws(AuthorityError) -> CertificateIssuer {
        if let stranger = state.withLock({ $0.stranger }) { return stranger }
        let key = try keys.key("stranger", .rsa2048)
        do throws(CallFailure) {
            let certificate = try RootCertificate.stranger(key: key, serial: serial("stranger"), now: now())
            guard let facts = X509Facts(certificate) else { throw OpenSSLErrors.failure("d2i_X509") }
            let stranger = CertificateIssuer(name: facts.subject, key: key, certificate: certificate)
            return state.withLock { state in
                if let other = state.stranger { return other }
                state.stranger = stranger
                return stranger
            }
        } catch {
            throw AuthorityError(.notOffered, "a root that nobody trusts can't be minted: \(error)")
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

/// Where the private authority lives.
public enum AuthorityStorage: Sendable, Hashable {
    /// `PROCTOR_CA_DIR`, or the user's data directory: `$XDG_DATA_HOME/proctor/ca`, `~/.local/share/proctor/ca`, on
    /// Darwin `~/Library/Application Support/Proctor/CA`.
    case userData
    /// A folder that is made where it is missing; its parent must be there.
    case folder(String)
    /// In memory; what clients must read goes to a temporary folder that is removed with the authority.
    ///
    /// The same seed gives the same keys and, on one day, the same certificates; without one they are random.
    case ephemeral(seed: UInt64?)
}

/// Why there is no authority, or no certificate of the wanted kind.
public struct AuthorityError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What callers tell apart.
    public enum Reason: Sendable, Equatable {
        /// The folder can't be made, read or written.
        case place
        /// Another user could read or change the keys; nothing is used before that is mended.
        case permissions
        /// The system's OpenSSL does not do what the profile asks for.
        case notOffered
        /// No profile, or no client identity, has that name.
        case unknownName
        /// The authority is constrained to names of this machine and of documentation.
        case nameNotPermitted
    }

    /// The kind.
    public let reason: Reason
    /// For a person: what, where, what was expected and what to do.
    public let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

/// What signs certificates: a name and a key.
struct CertificateIssuer: Sendable {
    /// DER of the Name.
    let name: [UInt8]
    let key: PrivateKey
    /// DER of its own certificate.
    let certificate: [UInt8]
}
