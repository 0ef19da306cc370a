internal import ProctorHTTP

/// What a request says where its maker says nothing; the same in every shape of this client.
enum DefaultFields {
    /// The codings that are undone; to say nothing would be to accept every one (RFC 9110 §12.5.3).
    static let codings = "gzip, deflate, br, zstd"
    static let language = "en"
    static let userAgent = "ProctorReference/1"

    /// In the order in which they are sent; without a `userAgent` there is no User-Agent.
    static func list(
        codings: String = Self.codings, language: String = Self.language, userAgent: String? = Self.userAgent
    ) -> [HTTPField] {
        var fields = [
            HTTPField("Accept", "*/*"), HTTPField("Accept-Encoding", codings), HTTPField("Accept-Language", language),
        ]
        if let userAgent { fields.append(HTTPField("User-Agent", userAgent)) }
        return fields
    }
}

extension ClientRequest {
    /// With those fields whose names it lacks.
    ///
    /// One that asks for a range accepts no coding: a part of what is coded can't be undone (Fetch, HTTP-network-or-cache
    /// fetch, has the same).
    func completed(with fields: [HTTPField]) -> ClientRequest {
        var request = self
        if request.fields.contains(named: "Range"), !request.fields.contains(named: "Accept-Encoding") {
            request.fields.append(HTTPField("Accept-Encoding", "identity"))
        }
        for field in fields where !self.fields.contains(named: field.name) { request.fields.append(field) }
        return request
    }
}
