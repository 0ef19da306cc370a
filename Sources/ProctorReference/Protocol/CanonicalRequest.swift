internal import Foundation
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The canonical form of a request (R52): its URL by ``CanonicalRule``, its fields by the rows below.
enum CanonicalRequest {
    /// What the request says stays; what is missing is put in.
    static func of(_ request: URLRequest, options: ReferenceProtocol.Options) -> URLRequest {
        var request = request
        if let text = request.url?.absoluteString, let canonical = canonical(text, ownSchemes: options.ownSchemes),
            canonical != text, let url = URL(string: canonical)
        {
            request.url = url
        }
        for row in fields where request.value(forHTTPHeaderField: row.name) == nil {
            if let value = row.value(request, options) { request.setValue(value, forHTTPHeaderField: row.name) }
        }
        return request
    }

    /// A field that is put in where the request has none of its name.
    struct FieldRow: Sendable {
        let name: String
        let reason: String
        /// nil: it is not put in.
        let value: @Sendable (URLRequest, ReferenceProtocol.Options) -> String?
    }

    /// In the order of their names.
    static let fields: [FieldRow] = [
        FieldRow(name: "Accept", reason: "some servers answer 406 to a request that accepts nothing") { _, _ in "*/*" },
        FieldRow(name: "Accept-Encoding", reason: "without it every coding would be accepted (RFC 9110 §12.5.3)") {
            // What Apple's sample writes; more are undone than are asked for.
            _, _ in "gzip, deflate"
        },
        FieldRow(name: "Accept-Language", reason: "the language of the user, which only the application knows") {
            $1.acceptLanguage
        },
        FieldRow(name: "Content-Type", reason: "what a POST with a body and without a type has always been") {
            request, _ in
            let hasBody = request.httpBody != nil || request.httpBodyStream != nil
            return request.httpMethod == "POST" && hasBody ? "application/x-www-form-urlencoded" : nil
        },
        FieldRow(name: "User-Agent", reason: "a client should say who it is (RFC 9110 §10.1.5)") { $1.userAgent },
    ]

    /// nil for a URL that can't be read.
    static func canonical(_ text: String, ownSchemes: Set<String> = []) -> String? {
        do throws(ClientURLError) {
            return try ClientURL(typed: text, ownSchemes: ownSchemes).text
        } catch {
            return nil
        }
    }
}

/// One thing that the canonical form of a URL puts right, or leaves as it is, and why (R52).
///
/// The form is the key of a cache: equal URLs have to get equal ones, and different URLs different ones.
public struct CanonicalRule: Sendable {
    /// Stable, in words: `scheme-case`.
    public let id: String
    /// As a person may spell it.
    public let given: String
    /// In canonical form; the same as given: it stays.
    public let becomes: String
    /// Why, for a person whose client does otherwise.
    public let reason: String
    /// RFC and section, or the sample.
    public let source: String

    /// Schemes by which the row's URL calls `http`.
    let ownSchemes: Set<String>

    init(
        _ id: String, _ given: String, _ becomes: String? = nil, source: String, ownSchemes: Set<String> = [],
        because reason: String
    ) {
        self.id = id
        self.given = given
        self.becomes = becomes ?? given
        self.reason = reason
        self.source = source
        self.ownSchemes = ownSchemes
    }

    /// Whether this is a thing that stays.
    public var isKept: Bool { given == becomes }

    /// In the order of the parts of a URL.
    public static let urls: [CanonicalRule] = schemes + hosts + ports + paths + rest

    private static let normal = "RFC 9110 §4.2.3"
    private static let sample = "CustomHTTPProtocol, CanonicalRequest.m"

    private static let schemes: [CanonicalRule] = [
        CanonicalRule(
            "scheme-case", "HTTP://example.com/a", "http://example.com/a", source: normal,
            because: "a scheme is the same in every case and written in lower case"),
        CanonicalRule(
            "no-slashes", "http:example.com/a", "http://example.com/a", source: sample,
            because: "what people type: no `http` URL is without a host"),
        CanonicalRule(
            "one-slash", "http:/example.com/a", "http://example.com/a", source: sample,
            because: "what people type: no `http` URL is without a host"),
        CanonicalRule(
            "own-scheme", "LAB://EXAMPLE.com", "lab://example.com/", source: "ReferenceProtocol.Options",
            ownSchemes: ["lab"],
            because: "a scheme that calls `http` by another name keeps it, and the rest is the same"),
    ]

    private static let hosts: [CanonicalRule] = [
        CanonicalRule(
            "host-case", "http://EXAMPLE.Com/a", "http://example.com/a", source: normal,
            because: "a host is the same in every case and written in lower case"),
        CanonicalRule(
            "empty-host", "http:///a", "http://localhost/a", source: sample,
            because: "a server's empty host is refused (RFC 9110 §4.2.1); a person's is this machine"),
        CanonicalRule(
            "host-escapes", "http://%65xample.com/a", "http://example.com/a", source: "RFC 3986 §6.2.2.2",
            because: "the DNS knows no escapes, so the two are one host"),
        CanonicalRule(
            "host-beyond-ascii", "http://B\u{FC}cher.example/a", "http://xn--bcher-kva.example/a",
            source: "RFC 5891 §4",
            because: "the DNS, certificates and cookies know A-labels alone"),
        CanonicalRule(
            "ipv6-case", "http://[FE80::1]/a", "http://[fe80::1]/a", source: "RFC 5952 §4.3",
            because: "the digits of an address are written in lower case; shorter spellings are not looked for"),
        CanonicalRule(
            "trailing-dot", "http://example.com./a", source: "RFC 1034 §3.1",
            because: "an absolute name may lead elsewhere than one that is searched for; to cookies it is another host"),
        CanonicalRule(
            "www", "http://www.example.com/a", source: "RFC 9110 §4.2.3",
            because: "two names are two hosts; a server that means one redirects"),
        CanonicalRule(
            "user-case", "http://User:Secret@EXAMPLE.com/a", "http://User:Secret@example.com/a",
            source: "RFC 3986 §3.2.1",
            because: "user and password keep their case; only the host loses it"),
    ]

    private static let ports: [CanonicalRule] = [
        CanonicalRule(
            "default-port", "http://example.com:80/a", "http://example.com/a", source: normal,
            because: "with and without it is one URL; the sample keeps it for servers that compared Host too strictly"),
        CanonicalRule(
            "default-port-tls", "https://example.com:443/a", "https://example.com/a", source: normal,
            because: "with and without it is one URL"),
        CanonicalRule(
            "empty-port", "http://example.com:/a", "http://example.com/a", source: "RFC 3986 §6.2.3",
            because: "no digits mean the default"),
        CanonicalRule(
            "zeros-of-a-port", "http://example.com:08080/a", "http://example.com:8080/a", source: "RFC 3986 §3.2.3",
            because: "a port is a number"),
        CanonicalRule(
            "other-port", "http://example.com:8080/a", source: normal, because: "another port is another origin"),
        CanonicalRule(
            "port-of-the-other-scheme", "https://example.com:80/a", source: normal,
            because: "80 is the default of `http` alone"),
    ]

    private static let paths: [CanonicalRule] = [
        CanonicalRule(
            "empty-path", "http://example.com", "http://example.com/", source: normal,
            because: "an empty path is the path /, and that goes on the wire"),
        CanonicalRule(
            "empty-path-before-a-query", "http://example.com?q=1", "http://example.com/?q=1", source: normal,
            because: "the / belongs in front of the query"),
        CanonicalRule(
            "dot-segments", "http://example.com/a/./b/../c", "http://example.com/a/c", source: "RFC 3986 §6.2.2.3",
            because: "they mean a way and not a place; the sample leaves them to the server"),
        CanonicalRule(
            "dot-segments-above-the-root", "http://example.com/../a", "http://example.com/a", source: "RFC 3986 §5.2.4",
            because: "nothing is above the root"),
        CanonicalRule(
            "escaped-dot-segments", "http://example.com/a/%2e%2E/b", "http://example.com/b",
            source: "RFC 3986 §6.2.2.2",
            because: "an escaped dot is a dot, and so is the segment"),
        CanonicalRule(
            "empty-segments", "http://example.com//a//b/", source: "RFC 3986 §3.3",
            because: "an empty segment is a segment, at the end as well"),
        CanonicalRule(
            "path-case", "http://example.com/A/b", source: "RFC 3986 §6.2.2.1", because: "paths know case"),
        CanonicalRule(
            "escapes", "http://example.com/%7euser/a%2fb%2Fc", source: "RFC 3986 §6.2.2.2",
            because: "to undo or rewrite them is allowed and gains nothing; a server may sign the bytes"),
        CanonicalRule(
            "illegal-bytes", "http://example.com/two words/\u{E9}\"", "http://example.com/two%20words/%C3%A9%22",
            source: "RFC 3986 §2.1", because: "what no URL may hold is escaped, as UTF-8"),
        CanonicalRule(
            "controls", "http://example.com/a\tb\nc", "http://example.com/a%09b%0Ac", source: "RFC 3986 §2.1",
            because: "escaped like all that is illegal; browsers take them out, which makes it another URL"),
        CanonicalRule(
            "parameters", "http://example.com/a;v=1/b;x+y", source: "RFC 3986 §3.3",
            because: "semicolons and pluses are a server's own"),
        CanonicalRule(
            "lone-percent", "http://example.com/100%", "http://example.com/100%25", source: "RFC 3986 §2.4",
            because: "a percent sign that escapes nothing stands for itself"),
        CanonicalRule(
            "backslash", "http://example.com\\a", "http://example.com/a", source: "URL Standard, path state",
            because: "no URL may hold one, and every browser takes it for a slash; behind ? it is escaped"),
    ]

    private static let rest: [CanonicalRule] = [
        CanonicalRule(
            "query", "http://example.com/?b=2&a=%20+1;&", source: "RFC 3986 §3.4",
            because: "order, escapes and empty parts of a query mean what its server wants"),
        CanonicalRule(
            "empty-query", "http://example.com/?", source: "RFC 3986 §6.2.3",
            because: "an empty query is not the same as none"),
        CanonicalRule(
            "fragment", "http://example.com/a#Part", source: "RFC 9110 §7.1",
            because: "it is for whoever asked, and never sent"),
        CanonicalRule(
            "spaces-around", " http://example.com/a\n", "http://example.com/a",
            source: "URL Standard, basic URL parser",
            because: "what is copied has them"),
    ]
}
