extension CanonicalRequestTable {
    private static func row(
        _ id: String, _ url: String, as accepted: String..., requirement: TableRequirement = .must, source: String,
        because reason: String
    ) -> CanonicalRequestRow {
        CanonicalRequestRow(
            id: id, input: CanonicalRequestRow.Input(url: url), wanted: .url(accepted), requirement: requirement,
            source: source, reason: reason)
    }

    private static let sample = "CustomHTTPProtocol, CanonicalRequest.m"
    private static let normal = "RFC 9110 §4.2.3"

    /// The spellings of one URL become one; different URLs stay different.
    static let urlRows: [CanonicalRequestRow] = equalSpellings + ports + ownChoice + differentURLs

    private static let equalSpellings: [CanonicalRequestRow] = [
        row(
            "url/scheme-case", "HTTP://example.com/a", as: "http://example.com/a", source: normal,
            because: "a scheme is case-insensitive and written in lower case"),
        row(
            "url/scheme-case-tls", "Https://example.com/a", as: "https://example.com/a", source: normal,
            because: "a scheme is case-insensitive and written in lower case"),
        row(
            "url/host-case", "http://EXAMPLE.Com/a", as: "http://example.com/a", source: normal,
            because: "a host is case-insensitive and written in lower case"),
        row(
            "url/host-case-port", "http://EXAMPLE.com:8080/a", as: "http://example.com:8080/a", source: normal,
            because: "a port behind the host changes nothing about its case"),
        row(
            "url/empty-path", "http://example.com", as: "http://example.com/", source: normal,
            because: "an empty path is the path /, and that is what goes on the wire"),
        row(
            "url/empty-path-port", "http://example.com:8080", as: "http://example.com:8080/", source: normal,
            because: "an empty path is the path /, behind a port too"),
        row(
            "url/empty-path-query", "http://example.com?q=1", as: "http://example.com/?q=1", source: normal,
            because: "the / belongs in front of the query"),
        row(
            "url/empty-path-fragment", "http://example.com#f", as: "http://example.com/#f", "http://example.com/",
            source: normal, because: "the / belongs in front of the fragment"),
        row(
            "url/all-at-once", "HTTP://EXAMPLE.COM?Q=A", as: "http://example.com/?Q=A", source: normal,
            because: "scheme, host and path are put right, the query is left alone"),
        row(
            "url/already-canonical", "http://example.com/a?b=c", as: "http://example.com/a?b=c", source: "R52",
            because: "what is canonical stays as it is"),
    ]

    private static let ports: [CanonicalRequestRow] = [
        row(
            "url/default-port", "http://example.com:80/a", as: "http://example.com:80/a", "http://example.com/a",
            source: "\(normal); \(sample)",
            because:
                "the normal form has no default port; Apple's loader keeps one that was given, because some need it"),
        row(
            "url/default-port-tls", "https://example.com:443/a", as: "https://example.com:443/a",
            "https://example.com/a",
            source: "\(normal); \(sample)",
            because:
                "the normal form has no default port; Apple's loader keeps one that was given, because some need it"),
        row(
            "url/other-port", "http://example.com:8080/a", as: "http://example.com:8080/a", source: normal,
            because: "another port is another origin"),
        row(
            "url/other-schemes-port", "https://example.com:80/a", as: "https://example.com:80/a", source: normal,
            because: "80 is the default of http only; without it this URL means port 443"),
    ]

    private static let ownChoice: [CanonicalRequestRow] = [
        row(
            "url/fragment", "http://example.com/a#Part", as: "http://example.com/a#Part", "http://example.com/a",
            source: "RFC 9110 §7.1", because: "a fragment is not sent: it may stay for whoever asked, or go"),
        row(
            "url/dot-segments", "http://example.com/a/../b", as: "http://example.com/a/../b", "http://example.com/b",
            source: "RFC 3986 §6.2.2.3; \(sample)", because: "dot segments may be resolved; Apple's sample leaves them"),
        row(
            "url/empty-port", "http://example.com:/a", as: "http://example.com:/a", "http://example.com/a",
            source: "RFC 3986 §6.2.3", because: "no digits mean the default port, and the colon may go"),
        row(
            "url/empty-fragment", "http://example.com/a#", as: "http://example.com/a#", "http://example.com/a",
            source: "RFC 9110 §7.1", because: "a fragment is not sent: it may stay for whoever asked, or go"),
        row(
            "url/unreserved-escape", "http://example.com/%7euser", as: "http://example.com/%7euser",
            "http://example.com/%7Euser", "http://example.com/~user", requirement: .should,
            source: "RFC 3986 §6.2.2.2", because: "an escape of an unreserved character may be undone or kept"),
        row(
            "url/user-info", "http://User:Secret@EXAMPLE.com/a", as: "http://User:Secret@example.com/a",
            requirement: .should, source: sample, because: "user and password keep their case; only the host loses it"),
        row(
            "url/ipv6-case", "http://[FE80::1]/a", as: "http://[fe80::1]/a", requirement: .should,
            source: "RFC 5952 §4.3", because: "the digits of an IPv6 address are written in lower case"),
        row(
            "url/no-separator", "http:example.com/a", as: "http://example.com/a", requirement: .should, source: sample,
            because: "what people type; Apple's loader puts :// in"),
        row(
            "url/half-separator", "http:/example.com/a", as: "http://example.com/a", requirement: .should,
            source: sample,
            because: "what people type; Apple's loader puts :// in"),
        row(
            "url/no-host", "http:///a", as: "http://localhost/a", requirement: .should, source: sample,
            because: "Apple's loader takes this machine for an empty host"),
    ]

    private static let differentURLs: [CanonicalRequestRow] = [
        row(
            "url/path-case", "http://example.com/A/b", as: "http://example.com/A/b", source: "RFC 3986 §6.2.2.1",
            because: "a path is case-sensitive"),
        row(
            "url/query-order", "http://example.com/?b=2&a=1", as: "http://example.com/?b=2&a=1",
            source: "RFC 3986 §3.4",
            because: "the order of a query means something to its server"),
        row(
            "url/empty-query", "http://example.com/?", as: "http://example.com/?", source: "RFC 3986 §6.2.3",
            because: "an empty query is not the same as none"),
        row(
            "url/escaped-slash", "http://example.com/a%2Fb", as: "http://example.com/a%2Fb", source: "RFC 3986 §2.2",
            because: "an escaped reserved character is not the character"),
        row(
            "url/double-slash", "http://example.com//a", as: "http://example.com//a", source: "RFC 3986 §3.3",
            because: "an empty segment is a segment"),
        row(
            "url/last-slash", "http://example.com/a/", as: "http://example.com/a/", source: "RFC 3986 §3.3",
            because: "a/ and a are two resources"),
        row(
            "url/trailing-dot", "http://example.com./a", as: "http://example.com./a", source: "RFC 1034 §3.1",
            because: "an absolute name may lead elsewhere than one that is searched for"),
        row(
            "url/www", "http://www.example.com/a", as: "http://www.example.com/a", source: normal,
            because: "two names are two hosts; a server that means one redirects"),
        row(
            "url/a-labels", "http://xn--bcher-kva.example/a", as: "http://xn--bcher-kva.example/a",
            source: "RFC 5891 §4",
            because: "a name in ASCII is what the DNS has; the letters it stands for are for people"),
        row(
            "url/parameters", "http://example.com/a;v=1/b;x", as: "http://example.com/a;v=1/b;x",
            source: "RFC 3986 §3.3",
            because: "parameters of a segment are part of it"),
        row(
            "url/plus", "http://example.com/a+b?c+d", as: "http://example.com/a+b?c+d", source: "RFC 3986 §2.2",
            because: "a plus is a space to forms alone, and the server knows what is one"),
    ]
}
