/// The methods of IANA's HTTP Method Registry (RFC 9110 §16.1.1), with what the RFCs that define them promise.
///
/// Methods are case-sensitive (§9.1). A method that is not registered promises nothing.
package enum RegisteredMethods {
    /// Safe (§9.2.1), and therefore idempotent: a client may send such a request without the user's consent.
    ///
    /// `PRI` is left out, which is no request (RFC 9113 §3.4).
    private static let safe: Set = ["GET", "HEAD", "OPTIONS", "PROPFIND", "QUERY", "REPORT", "SEARCH", "TRACE"]

    /// Idempotent (§9.2.2) and not safe.
    private static let idempotent: Set = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "DELETE", "LABEL", "LINK", "MERGE",
        "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PROPPATCH", "PUT",
        "REBIND", "UNBIND", "UNCHECKOUT", "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]

    private static let others: Set = ["CONNECT", "LOCK", "PATCH", "POST"]

    /// The names, sorted.
    package static let names = safe.union(idempotent).union(others).sorted()
    private static let safeBytes = safe.map { Array($0.utf8) }

    /// Whether a client may send such a request without the user's consent (§9.2.1).
    package static func isSafe(_ method: String) -> Bool { safe.contains(method) }

    /// As the other one, of the bytes of a method.
    package static func isSafe(_ method: [UInt8]) -> Bool { safeBytes.contains(method) }

    /// Whether a client may repeat the request if the connection breaks before the answer (§9.2.2).
    package static func isIdempotent(_ method: String) -> Bool {
        safe.contains(method) || idempotent.contains(method)
    }

    /// Whether a condition that holds is answered by 304 instead of 412: of the methods that read a selected representation
    /// (§13.1.2, RFC 10008 §2.6).
    package static func reads(_ method: String) -> Bool { ["GET", "HEAD", "QUERY"].contains(method) }

    /// Whether a request without content should have `Content-Length: 0` (§8.6).
    package static func expectsContent(_ method: String) -> Bool {
        ["POST", "PUT", "PATCH", "QUERY"].contains(method)
    }
}
