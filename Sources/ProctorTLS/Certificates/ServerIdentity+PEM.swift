extension ServerIdentity {
    /// What a server was given in files: certificates in PEM, its own first, and the key to that one.
    ///
    /// OpenSSL's own security level does not hold for it, so that weak keys can be shown too.
    public init(certificates: [UInt8], key: [UInt8], profile: String) throws(TLSRefusal) {
        let chain = try SSLContext.certificates(in: certificates)
        let text = String(decoding: key, as: UTF8.self)
        let blocks = Self.keyLabels.lazy.compactMap { PEMText.block($0, in: text) }
        guard let der = blocks.first else {
            throw TLSRefusal(
                "the key of \(profile) is none: there is no block of PEM called "
                    + Self.keyLabels.joined(separator: " or "))
        }
        self.init(chain: chain, key: der, profile: profile, neededSecurityLevel: 0)
    }

    /// PKCS#8 (RFC 5958), and what OpenSSL wrote before.
    private static let keyLabels = ["PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY"]
}
