/// The request of a reply that the server sends though the client has not asked for it (RFC 9113 §8.4).
package struct PushedRequest: Sendable {
    /// Safe, and without content (§8.4.1).
    package enum Method: String, Sendable, CaseIterable { case get = "GET", head = "HEAD" }

    package internal(set) var method = Method.get
    /// In origin-form, as an exchange of the reply's origin sees it.
    package let target: [UInt8]
    /// Beside the pseudo-header fields.
    package internal(set) var fields: [ReplyField] = []

    /// The same request with other fields.
    package func with(_ fields: [ReplyField]) -> PushedRequest {
        var request = self
        request.fields = fields
        return request
    }

    /// As a fixture writes it behind the verb.
    package var text: String {
        let target = String(decoding: target, as: UTF8.self)
        return method == .get ? target : "\(method.rawValue) \(target)"
    }
}
