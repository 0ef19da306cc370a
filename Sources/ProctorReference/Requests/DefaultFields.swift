internal import ProctorHTTP

/// What a request says where its maker says nothing; the same in every shape of this client.
enum DefaultFields {
    static let language = "en"
    static let userAgent = "ProctorReference/1"

    /// In the order in which they are sent; without a `userAgent` there is no User-Agent.
    static func list(language: String = Self.language, userAgent: String? = Self.userAgent) -> [HTTPField] {
        var fields = [
            HTTPField("Accept", "*/*"),
            // To say nothing would be to accept every coding (RFC 9110 §12.5.3), and this client undoes none.
            HTTPField("Accept-Encoding", "identity"),
            HTTPField("Accept-Language", language),
        ]
        if let userAgent { fields.append(HTTPField("User-Agent", userAgent)) }
        return fields
    }
}

extension ClientRequest {
    /// With those fields whose names it lacks.
    func completed(with fields: [HTTPField]) -> ClientRequest {
        var request = self
        for field in fields where !self.fields.contains(named: field.name) { request.fields.append(field) }
        return request
    }
}
