internal import ProctorBase

final class KeyStore: Sendable {
    /// The seed from which missing keys are derived; nil for random keys.
    private let seed: [UInt8]?
    /// The folder of the key files; nil to keep keys in memory only.
    private let folder: String?
    /// Keys by label and kind; each has its own lock, so that one caller makes the key and the others wait.
    private let slots = Locked<[String: Locked<PrivateKey?>]>([:])
    /// The names of the slots whose key exists.
    private let filled = Locked<Set<String>>([])

    /// With a seed all keys are reproducible; the folder must exist.
    init(seed: [UInt8]?, folder: String?) {
        (self.seed, self.folder) = (seed, folder)
    }

    /// Blocks while this or another caller makes the key.
    func key(_ label: String, _ kind: CertificateProfile.KeyKind) throws(AuthorityError) -> PrivateKey {
        let name = Self.name(label, kind)
        return try slot(name).withLock { (kept: inout PrivateKey?) throws(AuthorityError) -> PrivateKey in
            if let kept { return kept }
            let key = if let key = try storedKey(label, kind) { key } else { try makeKey(label, kind) }
            kept = key
            filled.withLock { _ = $0.insert(name) }
            return key
        }
    }

    /// Whether ``key(_:_:)`` would return at once; never waits.
    func has(_ label: String, _ kind: CertificateProfile.KeyKind) -> Bool {
        filled.withLock { $0.contains(Self.name(label, kind)) }
    }

    /// The key if it exists; never makes one.
    func existing(_ label: String, _ kind: CertificateProfile.KeyKind) -> PrivateKey? {
        slot(Self.name(label, kind)).withLock { kept in
            if kept == nil { kept = (try? storedKey(label, kind)) ?? nil }
            return kept
        }
    }

    private static func name(_ label: String, _ kind: CertificateProfile.KeyKind) -> String {
        "\(label).\(kind.rawValue)"
    }

    private func slot(_ name: String) -> Locked<PrivateKey?> {
        slots.withLock { slots in
            if let slot = slots[name] { return slot }
            let slot = Locked<PrivateKey?>(nil)
            slots[name] = slot
            return slot
        }
    }

    private func path(_ label: String, _ kind: CertificateProfile.KeyKind) -> String? {
        folder.map { "\($0)/\(label).\(kind.rawValue).key" }
    }

    private func storedKey(
        _ label: String, _ kind: CertificateProfile.KeyKind
    ) throws(AuthorityError) -> PrivateKey? {
        guard let path = path(label, kind), let bytes = try PrivateFiles.read(path) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let der = PEMText.block("PRIVATE KEY", in: text), let key = try? PrivateKey(der: der) else {
            throw AuthorityError(.place, "\(path) holds no private key; remove the file to have a new one made")
        }
        return key
    }

    private func makeKey(_ label: String, _ kind: CertificateProfile.KeyKind) throws(AuthorityError) -> PrivateKey {
        let seed = if let seed { seed } else { try KeyStream.seed() }
        let stream = KeyStream(seed: seed, label: "\(label) \(kind.rawValue)")
        let refusal = "a key \(kind.rawValue) can't be offered: the system's OpenSSL says"
        let key = try AuthorityError.notOffered(refusal) { () throws(CallFailure) in
            try KeyGenerator.key(kind, from: stream)
        }
        guard let path = path(label, kind) else { return key }
        let text = PEMText.text("PRIVATE KEY", key.der)
        if try !PrivateFiles.create(path, Array(text.utf8)), let other = try storedKey(label, kind) {
            // Another process made the key first, and all must use the same.
            return other
        }
        return key
    }
}
