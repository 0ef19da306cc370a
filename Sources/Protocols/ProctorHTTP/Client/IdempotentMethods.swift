/// The properties of the standard methods (RFC 9110 §9.2); other methods have none of them.
package enum IdempotentMethods {
    /// Safe (§9.2.1): a client may send such a request without the user's consent.
    package static func isSafe(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE": true
        default: false
        }
    }

    /// Idempotent (§9.2.2): a client may repeat the request if the connection breaks before the answer.
    package static func isIdempotent(_ method: String) -> Bool {
        switch method {
        case "PUT", "DELETE": true
        default: isSafe(method)
        }
    }

    /// Whether a request without content should have `Content-Length: 0` (§8.6).
    package static func expectsContent(_ method: String) -> Bool {
        switch method {
        case "POST", "PUT", "PATCH": true
        default: false
        }
    }
}
