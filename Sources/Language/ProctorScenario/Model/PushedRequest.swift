/// The promised request of a server push (RFC 9113 §8.4).
package struct PushedRequest: Sendable {
    /// The methods that are safe and have no request content (§8.4.1).
    package enum Method: String, Sendable, CaseIterable { case get = "GET", head = "HEAD" }

    package var method = Method.get
    /// The target in origin-form, matched with the exchanges of the reply's origin.
    package let target: [UInt8]
    /// The fields besides the pseudo-header fields.
    package var fields: [ReplyField] = []

    package init(method: Method = .get, target: [UInt8], fields: [ReplyField] = []) {
        (self.method, self.target, self.fields) = (method, target, fields)
    }

    /// A copy of the request with other fields.
    package func with(_ fields: [ReplyField]) -> PushedRequest {
        var request = self
        request.fields = fields
        return request
    }

    /// The request as a fixture writes it after the verb.
    package var text: String {
        let target = String(decoding: target, as: UTF8.self)
        return method == .get ? target : "\(method.rawValue) \(target)"
    }
}
