/// Which fields of a reply a cache keeps, and which of them a newer reply replaces (RFC 9111 §3.1, §3.2).
enum StoredFields {
    /// Without those of the connection and of proxies.
    static func keeping(_ fields: [HTTPField]) -> [HTTPField] {
        let nominated = fields.elements(of: "Connection").map { FieldText.decode($0) }
        return fields.filter { field in
            !ofOneHop.contains { field.isNamed($0) } && !nominated.contains { field.isNamed($0) }
        }
    }

    /// Every field that comes with the newer reply takes the place of all of its name.
    ///
    /// But not those that say how the content has been read: it was not sent again, and would be read otherwise.
    static func updated(_ stored: [HTTPField], by newer: [HTTPField]) -> [HTTPField] {
        let newer = keeping(newer).filter { field in !ofTheContent.contains { field.isNamed($0) } }
        return stored.filter { field in !newer.contains(named: field.name) } + newer
    }

    private static let ofOneHop = [
        "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
        "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
    ]

    private static let ofTheContent = ["Content-Encoding", "Content-Length", "Content-Range", "Content-Type"]
}
