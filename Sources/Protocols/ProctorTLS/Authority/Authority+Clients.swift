internal import COpenSSL
internal import ProctorBase

extension Authority {
    /// A client's identity, exported to files that each process writes again once a day.
    ///
    /// Its key stays the same, so the certificate of one process matches the key file of another.
    package func client(_ name: String) throws(AuthorityError) -> ClientIdentity {
        guard let profile = catalog.clients[name] else {
            let hint =
                catalog.nearestClient(to: name).map { "did you mean '\($0)'?" }
                ?? "there are \(catalog.clientNames.joined(separator: ", "))"
            throw AuthorityError(.unknownName, "there is no client identity '\(name)'; \(hint)")
        }
        let today = today
        let kept = state.withLock { state in
            state.clientsDay == today ? state.clients[name] : nil
        }
        if let kept { return kept }
        let minted = try mint(profile, for: .loopback, keyLabel: "client-\(name)")
        var identity = ClientIdentity(name: name, chain: minted.chain, key: minted.key.der)
        identity.certificatePath = "\(folder)/clients/\(name).pem"
        identity.keyPath = "\(folder)/clients/\(name).key"
        identity.pkcs12Path = "\(folder)/clients/\(name).p12"
        let chain = minted.chain.map { PEMText.text("CERTIFICATE", $0) }.joined()
        let key = PEMText.text("PRIVATE KEY", minted.key.der)
        try PrivateFiles.replace(identity.certificatePath, Array(chain.utf8), mode: 0o600)
        try PrivateFiles.replace(identity.keyPath, Array(key.utf8), mode: 0o600)
        try PrivateFiles.replace(
            identity.pkcs12Path, try pkcs12(name, chain: minted.chain, key: minted.key), mode: 0o600)
        return state.withLock { state in
            if state.clientsDay != today { state.clients = [:] }
            state.clientsDay = today
            state.clients[name] = identity
            state.clientNames[minted.key.publicDER] = name
            return identity
        }
    }

    /// The root's certificate without its key as PKCS#12, under ``ClientIdentity/passphrase``.
    package func certificatePKCS12() throws(AuthorityError) -> [UInt8] {
        try pkcs12("Proctor LOCAL TEST authority", chain: [certificateDER], key: nil)
    }

    /// What the authority knows about a peer's certificate.
    ///
    /// A client identity is recognised by its key, also when another process made it. Never blocks.
    package func facts(of certificate: [UInt8]) -> CertificateFacts {
        guard let facts = X509Facts(certificate) else { return CertificateFacts(subject: "", name: nil) }
        let name = state.withLock { $0.clientNames[facts.publicKey] }
        return CertificateFacts(subject: facts.subjectText, name: name)
    }

    func noteClients() {
        for (name, profile) in catalog.clients {
            guard let key = keys.existing("client-\(name)", profile.key) else { continue }
            state.withLock { $0.clientNames[key.publicDER] = name }
        }
    }

    private func pkcs12(_ name: String, chain: [[UInt8]], key: PrivateKey?) throws(AuthorityError) -> [UInt8] {
        try AuthorityError.notOffered("'\(name)' can't be put into PKCS#12: the system's OpenSSL says") {
            () throws(CallFailure) in
            try PKCS12File.make(name: name, chain: chain, key: key, passphrase: ClientIdentity.passphrase)
        }
    }
}

/// Facts about a peer's certificate.
package struct CertificateFacts: Sendable, Equatable {
    /// As `CN=Alice,O=Proctor`; empty if the bytes are no certificate.
    package let subject: String
    /// The name of the client identity or profile; nil for a certificate of another authority.
    package let name: String?
}

struct X509Facts {
    /// DER of the Name.
    let subject: [UInt8]
    /// As `CN=Alice,O=Proctor` (RFC 2253).
    let subjectText: String
    /// DER of SubjectPublicKeyInfo.
    let publicKey: [UInt8]
    /// Seconds since 1970, in the same way as `notAfter`.
    private let notBefore: Int64
    private let notAfter: Int64

    /// nil if the bytes are not exactly one certificate.
    init?(_ der: [UInt8]) {
        _ = OpenSSLStart.once
        defer { ERR_clear_error() }
        var readCount = 0
        let certificate = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var cursor = bytes.baseAddress
            let certificate = unsafe d2i_X509(nil, &cursor, bytes.count)
            if let start = bytes.baseAddress, let end = unsafe cursor { unsafe readCount = end - start }
            return unsafe certificate
        }
        guard let certificate = unsafe certificate else { return nil }
        defer { unsafe X509_free(certificate) }
        guard readCount == der.count, let name = unsafe X509_get_subject_name(certificate) else { return nil }
        subject = unsafe OpenSSLObjects.encoded { unsafe i2d_X509_NAME(name, $0) }
        publicKey = unsafe OpenSSLObjects.encoded { unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }
        subjectText = unsafe Self.text(name)
        unsafe notBefore = Self.seconds(X509_get0_notBefore(certificate))
        unsafe notAfter = Self.seconds(X509_get0_notAfter(certificate))
    }

    func isValid(at seconds: Int64) -> Bool { notBefore <= seconds && seconds <= notAfter }

    private static func text(_ name: OpaquePointer) -> String {
        guard let memory = unsafe BIO_new(BIO_s_mem()) else { return "" }
        defer { unsafe BIO_free(memory) }
        unsafe proctor_X509_NAME_print(memory, name)
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe BIO_read(memory, &bytes, Int32(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }

    /// Seconds since 1970; the earliest time if the field is unreadable.
    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64 {
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else { return .min }
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var rest: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &rest, epoch, time) == 1 else { return .min }
        return Int64(days) * DER.day + Int64(rest)
    }
}
