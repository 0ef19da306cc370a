/// What the standard methods promise (RFC 9110 §9.2); of another method nothing is known, so it promises nothing.
public enum IdempotentMethods {
    /// Asks for no change on the server (§9.2.1): a client may send it unasked.
    public static func isSafe(_ method: String) -> Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "TRACE": true
        default: false
        }
    }

    /// Twice has the effect of once (§9.2.2): a client may send it again when a connection broke before the answer.
    public static func isIdempotent(_ method: String) -> Bool {
        switch method {
        case "PUT", "DELETE": true
        default: isSafe(method)
        }
    }

    /// Whether content belongs to the method, so that a request without any says so by `Content-Length: 0` (§8.6).
    public static func expectsContent(_ method: String) -> Bool {
        switch method {
        case "POST", "PUT", "PATCH": true
        default: false
        }
    }
}
