/// DER of a Name (RFC 5280 §4.1.2.4) with the attributes that ours have.
enum DistinguishedName {
    /// The longest text that X.520 permits for each of these attributes.
    static let limit = 64

    /// Texts beyond the limit are cut; an empty sequence where all are nil.
    static func make(organization: String?, unit: String? = nil, commonName: String?) -> [UInt8] {
        let parts = [("2.5.4.10", organization), ("2.5.4.11", unit), ("2.5.4.3", commonName)]
        return DER.sequence(
            of: parts.compactMap { oid, text in
                text.map { DER.set(DER.sequence(DER.oid(oid), DER.text(String($0.prefix(limit))))) }
            })
    }
}
