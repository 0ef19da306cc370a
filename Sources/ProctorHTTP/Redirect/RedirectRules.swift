/// What a redirect makes of a request (RFC 9110 §15.4, and Fetch's HTTP-redirect fetch where the RFC leaves a choice).
public enum RedirectRules {
    /// The most in a row that a client follows; the one after it is an error (Fetch, and CFNetwork too).
    public static let limit = 20

    /// Whether a reply of this status with a Location sends the client elsewhere by itself.
    ///
    /// Not 300, which offers a choice to a person (§15.4.1); not 304; not 305, whose Location is a proxy (§15.4.6); not
    /// 306 and the unregistered, which count as 300 (§15).
    public static func isRedirect(status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The next request's method, and whether the content goes with it.
    ///
    /// 301 and 302 make GET of POST, as every browser does and §15.4.2 allows; 303 makes GET of all but HEAD (§15.4.4);
    /// 307, 308 and every other status keep both (§15.4.8).
    public static func next(method: String, status: Int) -> (method: String, keepsContent: Bool) {
        switch status {
        case 301, 302: method == "POST" ? ("GET", false) : (method, true)
        case 303: (method == "HEAD" ? "HEAD" : "GET", false)
        default: (method, true)
        }
    }

    /// What the reply says about where to go, as far as its fields go; the reply's status is not asked.
    ///
    /// Lines that say the same count as one. Where they differ nobody can tell which one counts (§5.3), so none does.
    static func location(in fields: [HTTPField]) -> Location {
        let found = fields.all(named: "Location")
        guard let first = found.first else { return .none }
        return found.allSatisfy { $0.bytes == first.bytes } ? .one(first.bytes) : .several
    }

    enum Location: Equatable {
        case none
        case one([UInt8])
        case several
    }
}
