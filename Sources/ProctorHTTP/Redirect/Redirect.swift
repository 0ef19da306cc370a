/// What a client does with a reply as far as redirects go; its user may still decide otherwise.
public enum RedirectDecision: Sendable, Equatable {
    /// An ordinary reply: another status, or no Location.
    case none
    /// A redirect that leads nowhere, so that the reply is delivered as it is.
    case unusable(RedirectRefusal)
    /// Send this next.
    case follow(RedirectedRequest)

    /// Judges the final reply to a request.
    ///
    /// `url`, `method` and `fields` are those of the request that was answered, not of the first of the chain: a
    /// relative Location belongs to it (RFC 9110 §10.2.2), and what it lost on the way does not come back.
    public init(
        status: Int, replyFields: [HTTPField], method: String, url: ClientURL, fields: [HTTPField]
    ) {
        guard RedirectRules.isRedirect(status: status) else {
            self = .none
            return
        }
        switch RedirectRules.location(in: replyFields) {
        case .none: self = .none
        case .several: self = .unusable(.severalLocations)
        case .one(let location):
            do throws(ClientURLError) {
                let target = try url.resolving(location: location)
                let next = RedirectRules.next(method: method, status: status)
                self = .follow(
                    RedirectedRequest(
                        method: next.method, url: target,
                        fields: RedirectFields.next(
                            fields, keepsContent: next.keepsContent, isSameOrigin: target.origin == url.origin),
                        keepsContent: next.keepsContent))
            } catch {
                self = .unusable(.location(error))
            }
        }
    }
}

/// The request that a redirect asks for.
public struct RedirectedRequest: Sendable, Equatable {
    /// The method of the request before, in its letter case, or `GET`.
    public let method: String
    /// Where to ask, with the fragment of the request before where Location has none.
    public let url: ClientURL
    /// Of the caller's, those that may go there; Host and framing are the sender's business.
    public let fields: [HTTPField]
    /// The content of the request before is sent again.
    public let keepsContent: Bool
}

/// Why a reply with the status of a redirect is not followed.
public enum RedirectRefusal: Sendable, Equatable, CustomStringConvertible {
    /// Location fields that disagree.
    case severalLocations
    /// No http or https URL, however it is mended; `file:`, `data:`, `javascript:` and `ftp:` are of this kind.
    case location(ClientURLError)

    /// For a person.
    public var description: String {
        switch self {
        case .severalLocations: "the reply has several Location fields that differ; expected one (RFC 9110 §10.2.2)"
        case .location(let error): "the Location can't be followed: \(error)"
        }
    }
}

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
    /// Lines that say the same count as one. Where they differ none counts, since §5.3 does not say which one would.
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

/// Which of a request's fields go with the request that a redirect asks for (RFC 9110 §15.4).
public enum RedirectFields {
    /// The fields that may go, in their order.
    ///
    /// Host, Proxy-Authorization and the fields of the connection are made anew for every request. Without content the
    /// fields that spoke of it go too. To another origin only fields go that can't be secrets of the first one.
    public static func next(_ fields: [HTTPField], keepsContent: Bool, isSameOrigin: Bool) -> [HTTPField] {
        let nominated = fields.elements(of: "Connection").map { FieldText.decode($0) }
        return fields.filter { field in
            let name = field.name.lowercased()
            return !ofOneHop.contains(name) && !nominated.contains { field.isNamed($0) }
                && (keepsContent || !speaksOfContent(name))
                && (isSameOrigin || harmless.contains(name) || speaksOfContent(name))
        }
    }

    /// §15.4: automatically generated, so replaced by what the new request needs.
    private static let ofOneHop: Set<String> = [
        "host", "connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "transfer-encoding",
        "upgrade",
    ]

    /// Content-Type, Content-Length and their like; the others are those that §15.4 and RFC 9530 name.
    private static func speaksOfContent(_ name: String) -> Bool {
        name.hasPrefix("content-") || ["digest", "repr-digest", "last-modified", "expect", "trailer"].contains(name)
    }

    /// Registered fields that say how to answer and nothing about the user.
    ///
    /// A list of what may go, since what must not go has no end: Authorization and Cookie are secrets (§15.4), and a
    /// field of the caller's own may be one, as X-Api-Key is.
    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language", "cache-control", "date",
        "dnt", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "max-forwards",
        "pragma", "prefer", "priority", "range", "save-data", "sec-gpc", "upgrade-insecure-requests", "user-agent",
        "want-content-digest", "want-digest", "want-repr-digest",
    ]
}
