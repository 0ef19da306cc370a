import ProctorBase

extension Authority {
    /// A client's identity, exported to files that are written anew once a day in each process.
    ///
    /// Its key stays the same, so that files of two processes fit one another.
    public func client(_ name: String) throws(AuthorityRefusal) -> ClientIdentity {
        guard let profile = book.clients[name] else {
            let hint =
                book.nearestClient(to: name).map { "did you mean '\($0)'?" }
                ?? "there are \(book.clientNames.joined(separator: ", "))"
            throw AuthorityRefusal(.unknownName, "there is no client identity '\(name)'; \(hint)")
        }
        let today = today
        let kept = state.withLock { state in
            state.clientsDay == today ? state.clients[name] : nil
        }
        if let kept { return kept }
        let minted = try mint(profile, .loopback, nil, keyLabel: "client-\(name)")
        var identity = ClientIdentity(name: name, chain: minted.chain, key: minted.key.der)
        identity.certificatePath = "\(folder)/clients/\(name).pem"
        identity.keyPath = "\(folder)/clients/\(name).key"
        identity.pkcs12Path = "\(folder)/clients/\(name).p12"
        let chain = minted.chain.map { PEMText.text("CERTIFICATE", $0) }.joined()
        try PrivateFiles.replace(identity.certificatePath, Array(chain.utf8), mode: 0o600)
        try PrivateFiles.replace(identity.keyPath, Array(PEMText.text("PRIVATE KEY", minted.key.der).utf8), mode: 0o600)
        let file = try pkcs12(name, minted.chain, minted.key)
        try PrivateFiles.replace(identity.pkcs12Path, file, mode: 0o600)
        return state.withLock { state in
            if state.clientsDay != today { state.clients = [:] }
            state.clientsDay = today
            state.clients[name] = identity
            state.clientNames[minted.key.publicDER] = name
            return identity
        }
    }

    /// PKCS#12 of the root's certificate alone, without its key, under ``ClientIdentity/passphrase``.
    public func certificatePKCS12() throws(AuthorityRefusal) -> [UInt8] {
        try pkcs12("Proctor LOCAL TEST authority", [certificateDER], nil)
    }

    /// What a certificate that a peer showed is to this authority.
    ///
    /// A client identity is known by its key, so also when another process has made it before this authority was
    /// opened. Never blocks.
    public func facts(of certificate: [UInt8]) -> CertificateFacts {
        guard let facts = X509Facts(certificate) else { return CertificateFacts(subject: "", name: nil) }
        let name = state.withLock { $0.clientNames[facts.publicKey] }
        return CertificateFacts(subject: facts.subjectText, name: name)
    }

    /// Learns the identities whose keys are there already.
    func noteClients() {
        for (name, profile) in book.clients {
            guard let key = keys.existing("client-\(name)", profile.key) else { continue }
            state.withLock { $0.clientNames[key.publicDER] = name }
        }
    }

    private func pkcs12(_ name: String, _ chain: [[UInt8]], _ key: PrivateKey?) throws(AuthorityRefusal) -> [UInt8] {
        do throws(CallFailure) {
            return try PKCS12File.make(name: name, chain: chain, key: key, passphrase: ClientIdentity.passphrase)
        } catch {
            throw AuthorityRefusal(
                .notOffered, "'\(name)' can't be put into PKCS#12: the system's OpenSSL says: \(error)")
        }
    }
}
