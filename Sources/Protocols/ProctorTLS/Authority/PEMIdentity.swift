internal import ProctorBase

/// A server's certificate and private key as one text of PEM, for a program of others on this machine.
package struct PEMIdentity: Sendable {
    /// The certificates, the server's own first, and the key behind them; a secret of the process.
    package let text: String
    /// DER of the root, which vouches for nothing else.
    package let root: [UInt8]

    /// An identity for localhost, 127.0.0.1 and ::1 by a root of its own; blocks while it is made.
    package static func ofThisMachine() throws(AuthorityError) -> PEMIdentity {
        let name = "this-machine"
        var catalog = CertificateCatalog()
        catalog.add(
            CertificateProfile(
                name: name, role: .server, summary: "a server of this machine",
                location: SourceLocation(file: name, line: 1, column: 1)))
        let authority = try Authority.open(.ephemeral(seed: nil), catalog: catalog)
        let identity = try authority.identity(name, names: .loopback)
        let texts = identity.chain.map { PEMText.text("CERTIFICATE", $0) } + [PEMText.text("PRIVATE KEY", identity.key)]
        return PEMIdentity(text: texts.joined(), root: authority.certificateDER)
    }
}
