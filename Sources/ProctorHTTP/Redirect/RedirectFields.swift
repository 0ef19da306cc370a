/// Which of a request's fields go with the request that a redirect asks for (RFC 9110 §15.4).
public enum RedirectFields {
    /// Those that may go, in their order.
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

    /// Registered fields that say how to answer and nothing about who asks.
    ///
    /// A list of what may go, since nobody can list what must not: Authorization and Cookie are secrets (§15.4), and a
    /// field of the caller's own may be one, as X-Api-Key is.
    private static let harmless: Set<String> = [
        "accept", "accept-charset", "accept-datetime", "accept-encoding", "accept-language", "cache-control", "date",
        "dnt", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "max-forwards",
        "pragma", "prefer", "priority", "range", "save-data", "sec-gpc", "upgrade-insecure-requests", "user-agent",
        "want-content-digest", "want-digest", "want-repr-digest",
    ]
}
