/// What a client does with a possible redirect; its user may decide otherwise.
package enum RedirectDecision: Sendable, Equatable {
    /// No redirect: another status, or no Location.
    case none
    /// A redirect without a usable target; the reply is delivered.
    case unusable(RedirectRefusal)
    case follow(RedirectedRequest)

    /// Judges the final reply to a request.
    ///
    /// `url`, `method` and `fields` are those of the answered request, not of the first one of a chain: a relative
    /// Location refers to it (RFC 9110 §10.2.2), and removed fields are not added again.
    package init(status: Int, replyFields: [HTTPField], method: String, url: ClientURL, fields: [HTTPField]) {
        guard RedirectRules.isRedirect(status: status) else {
            self = .none
            return
        }
        // Equal lines count as one. Of different lines none is used, since RFC 9110 §5.3 does not say which.
        let locations = replyFields.all(named: "Location")
        guard let location = locations.first else {
            self = .none
            return
        }
        guard locations.allSatisfy({ $0.bytes == location.bytes }) else {
            self = .unusable(.severalLocations)
            return
        }
        do throws(ClientURLError) {
            let target = try url.resolving(location: location.bytes)
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

/// The request that follows a redirect.
package struct RedirectedRequest: Sendable, Equatable {
    /// The method of the previous request, in its letter case, or `GET`.
    package let method: String
    /// With the fragment of the previous request if Location has none.
    package let url: ClientURL
    /// The caller's fields that may be sent there; the sender adds Host and framing.
    package let fields: [HTTPField]
    package let keepsContent: Bool
}

/// Why a redirect is not followed.
package enum RedirectRefusal: Sendable, Equatable, CustomStringConvertible {
    case severalLocations
    /// Not an http or https URL even after correction, such as `file:`, `data:` or `javascript:`.
    case location(ClientURLError)

    package var description: String {
        switch self {
        case .severalLocations: "the reply has several Location fields that differ; expected one (RFC 9110 §10.2.2)"
        case .location(let error): "the Location can't be followed: \(error)"
        }
    }
}

/// How a redirect changes a request (RFC 9110 §15.4, and Fetch's HTTP-redirect fetch if the RFC leaves a choice).
package enum RedirectRules {
    /// The most redirects in a row; one more is an error (as in Fetch and CFNetwork).
    package static let limit = 20

    /// Whether a client follows a reply of this status with a Location.
    ///
    /// Not 300, a choice for the user (§15.4.1); not 304; not 305, whose Location is a proxy (§15.4.6); not 306 and
    /// unregistered statuses, which count as 300 (§15).
    package static func isRedirect(status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The next method, and whether the content is sent again.
    ///
    /// 301 and 302 change POST to GET, as browsers do and §15.4.2 permits; 303 changes all but HEAD (§15.4.4); 307, 308
    /// and others keep both (§15.4.8).
    package static func next(method: String, status: Int) -> (method: String, keepsContent: Bool) {
        switch status {
        case 301, 302: method == "POST" ? ("GET", false) : (method, true)
        case 303: (method == "HEAD" ? "HEAD" : "GET", false)
        default: (method, true)
        }
    }
}

/// Which fields of a request are sent again after a redirect (RFC 9110 §15.4).
package enum RedirectFields {
    /// The fields that are sent again, in order.
    ///
    /// Host, Proxy-Authorization and connection fields are generated for each request. Without content the fields that
    /// describe it are removed. Only fields without private data are sent to another origin.
    package static func next(_ fields: [HTTPField], keepsContent: Bool, isSameOrigin: Bool) -> [HTTPField] {
        let nominated = fields.elements(of: "Connection").map { FieldText.decode($0) }
        return fields.filter { field in
            let name = field.name.lowercased()
            return !ofOneHop.contains(name) && !nominated.contains { field.isNamed($0) }
                && (keepsContent || !speaksOfContent(name))
                && (isSameOrigin || harmless.contains(name) || speaksOfContent(name))
        }
    }

    /// §15.4: fields that are generated automatically, and so generated for each request.
    private static let ofOneHop: Set<String> = [
        "host", "connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "transfer-encoding",
        "upgrade",
    ]

    /// Whether the field describes the content: Content-Type, Content-Length and similar, and others that §15.4 and RFC
    /// 9530 name.
    private static func speaksOfContent(_ name: String) -> Bool {
        name.hasPrefix("content-") || ["digest", "repr-digest", "last-modified", "expect", "trailer"].contains(name)
    }

    /// Registered fields without private data of the user.
    ///
    /// A list of permitted fields, since any other field may be a secret: Authorization and Cookie (§15.4), or a custom
    /// one such as X-Api-Key.
    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language", "cache-control", "date",
        "dnt", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "max-forwards",
        "pragma", "prefer", "priority", "range", "save-data", "sec-gpc", "upgrade-insecure-requests", "user-agent",
        "want-content-digest", "want-digest", "want-repr-digest",
    ]
}
