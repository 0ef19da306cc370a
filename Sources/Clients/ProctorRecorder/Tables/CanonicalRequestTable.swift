#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Canonical forms of http and https requests: R52, RFC 9110 §4.2.3, RFC 3986 §6 and Apple's sample.
///
/// A canonical request is the key of the cache, so equal requests need equal forms, and different requests different
/// ones. Foundation leaves the rest to each protocol; its sample CustomHTTPProtocol shows what its own protocol does.
public enum CanonicalRequestTable {
    /// The rows in the order of the parts of a request.
    package static let rows: [CanonicalRequestRow] = urlRows + keptRows + fieldRows

    /// Compares an implementation with every row; empty when all rows are met.
    ///
    /// It also checks that the function has the same result for the same request, and does not change its own result
    /// (R52).
    public static func verify(_ canonicalRequest: (URLRequest) -> URLRequest) -> [TableDiscrepancy] {
        rows.flatMap { row -> [TableDiscrepancy] in
            guard let request = row.request else {
                return [
                    TableDiscrepancy(
                        row: row.id, requirement: row.requirement, subject: "URL",
                        wanted: "one that Foundation can read", got: "\"\(row.input.url)\"", source: row.source)
                ]
            }
            let form = canonicalRequest(request)
            return [
                row.discrepancy(of: form, from: request),
                row.changeInSecondCall(canonicalRequest(request), after: form),
                row.changeInCanonicalForm(canonicalRequest(form), after: form),
            ].compactMap(\.self)
        }
    }
}

extension CanonicalRequestRow {
    var request: URLRequest? {
        guard let url = URL(string: input.url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = input.method
        for field in input.fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
        request.httpBody = input.body.map { Data($0.utf8) }
        return request
    }

    fileprivate func discrepancy(of form: URLRequest, from request: URLRequest) -> TableDiscrepancy? {
        switch wanted {
        case .url(let accepted):
            let got = form.url?.absoluteString ?? ""
            return accepted.contains(got)
                ? nil : found("URL", wanted: accepted.map { "\"\($0)\"" }.joined(separator: " or "), got: "\"\(got)\"")
        case .method(let method):
            return form.httpMethod == method
                ? nil : found("method", wanted: quotedOrNone(method), got: quotedOrNone(form.httpMethod))
        case .field(let name, let value):
            let got = form.value(forHTTPHeaderField: name)
            return got == value ? nil : found("field \"\(name)\"", wanted: "\"\(value)\"", got: quotedOrNone(got))
        case .anyField(let name):
            let got = form.value(forHTTPHeaderField: name)
            return got?.isEmpty == false ? nil : found("field \"\(name)\"", wanted: "there", got: quotedOrNone(got))
        case .noField(let name):
            let got = form.value(forHTTPHeaderField: name)
            return got == nil ? nil : found("field \"\(name)\"", wanted: "absent", got: quotedOrNone(got))
        case .sameBody:
            return form.httpBody == request.httpBody
                ? nil
                : found(
                    "body", wanted: "\(request.httpBody?.count ?? 0) bytes", got: "\(form.httpBody?.count ?? 0) bytes")
        }
    }

    fileprivate func changeInSecondCall(_ again: URLRequest, after form: URLRequest) -> TableDiscrepancy? {
        again.difference(from: form).map {
            found(
                "a second call", wanted: "the same as the first", got: $0, requirement: .must,
                source: "R52: the key of the cache")
        }
    }

    fileprivate func changeInCanonicalForm(_ further: URLRequest, after form: URLRequest) -> TableDiscrepancy? {
        further.difference(from: form).map {
            found(
                "the canonical form of the canonical form", wanted: "itself", got: $0, requirement: .must,
                source: "R52: canonical is canonical")
        }
    }

    private func found(
        _ subject: String, wanted: String, got: String, requirement: TableRequirement? = nil, source: String? = nil
    ) -> TableDiscrepancy {
        TableDiscrepancy(
            row: id, requirement: requirement ?? self.requirement, subject: subject, wanted: wanted, got: got,
            source: source ?? self.source)
    }
}

/// One requirement or recommendation for the canonical form of a request.
package struct CanonicalRequestRow: Sendable {
    /// A stable name in words.
    package let id: String
    /// The request that the class receives.
    package let input: Input
    /// The compared part of the result and its right values.
    package let wanted: Wanted
    /// How binding the row is.
    public let requirement: TableRequirement
    /// RFC and section, or the sample.
    package let source: String
    /// The reason, for an author whose implementation differs.
    package let reason: String

    /// A request in plain values.
    package struct Input: Sendable {
        /// The method, in upper or lower case.
        package var method = "GET"
        /// The URL, also in a form that no server receives: `HTTP://Example.COM`.
        package var url: String
        package var fields: [(name: String, value: String)] = []
        /// The body as UTF-8; nil: no body.
        package var body: String?
    }

    /// A part of the result with its right values.
    package enum Wanted: Sendable {
        /// The URL is one of these, byte by byte.
        case url([String])
        /// The method is exactly this.
        case method(String)
        /// The field has exactly this value; the letter case of its name is not compared.
        case field(String, String)
        /// The field is present, with any value.
        case anyField(String)
        /// The field is absent.
        case noField(String)
        /// The body is unchanged.
        case sameBody
    }
}

extension CanonicalRequestTable {
    private static func row(
        _ id: String, method: String = "GET", _ fields: KeyValuePairs<String, String> = [:], body: String? = nil,
        wanted: CanonicalRequestRow.Wanted, requirement: TableRequirement, source: String, because reason: String
    ) -> CanonicalRequestRow {
        CanonicalRequestRow(
            id: id,
            input: CanonicalRequestRow.Input(
                method: method, url: "http://example.com/a", fields: fields.map { ($0.key, $0.value) }, body: body),
            wanted: wanted, requirement: requirement, source: source, reason: reason)
    }

    private static let sample = "CustomHTTPProtocol, CanonicalRequest.m"

    /// A protocol must not change the fields that the client set.
    static let keptRows: [CanonicalRequestRow] = [
        row(
            "method/kept", method: "DELETE", wanted: .method("DELETE"), requirement: .must, source: "R52",
            because: "another method is another request"),
        row(
            "method/case", method: "pAtCh", wanted: .method("pAtCh"), requirement: .must, source: "RFC 9110 §9.1",
            because: "a method is case-sensitive"),
        row(
            "body/kept", method: "POST", body: "a=1", wanted: .sameBody, requirement: .must, source: "R52",
            because: "the body is what the request is for"),
        row(
            "field/own", ["X-Own": "Value"], wanted: .field("X-Own", "Value"), requirement: .must, source: "R52",
            because: "a field of the client's own stays"),
        row(
            "field/cookie-kept", ["Cookie": "a=1; b=2"], wanted: .field("Cookie", "a=1; b=2"), requirement: .must,
            source: "R52", because: "a field of the client's own stays, and the order in it"),
        row(
            "field/accept-kept", ["Accept": "text/plain"], wanted: .field("Accept", "text/plain"), requirement: .must,
            source: sample, because: "a default is for a field that is missing"),
        row(
            "field/accept-encoding-kept", ["Accept-Encoding": "identity"],
            wanted: .field("Accept-Encoding", "identity"),
            requirement: .must, source: sample, because: "a client that wants no coding must not get one"),
        row(
            "field/accept-language-kept", ["Accept-Language": "de"], wanted: .field("Accept-Language", "de"),
            requirement: .must, source: sample, because: "a default is for a field that is missing"),
        row(
            "field/content-type-kept", method: "POST", ["Content-Type": "application/json"], body: "{}",
            wanted: .field("Content-Type", "application/json"), requirement: .must, source: sample,
            because: "a default is for a field that is missing"),
    ]

    /// The fields that Apple's loader adds when the client set none.
    static let fieldRows: [CanonicalRequestRow] = [
        row(
            "field/accept-default", wanted: .field("Accept", "*/*"), requirement: .should, source: sample,
            because: "some servers answer 406 to a request that accepts nothing in particular"),
        row(
            "field/accept-encoding-default", wanted: .field("Accept-Encoding", "gzip, deflate"), requirement: .should,
            source: sample, because: "the codings that the loader undoes by itself"),
        row(
            "field/accept-language-default", wanted: .anyField("Accept-Language"), requirement: .should, source: sample,
            because: "the language of the user; which one is the application's business"),
        row(
            "field/content-type-default", method: "POST", body: "a=1",
            wanted: .field("Content-Type", "application/x-www-form-urlencoded"), requirement: .should, source: sample,
            because: "what a POST with a body and without a type has always been"),
        row(
            "field/content-type-without-body", method: "POST", wanted: .noField("Content-Type"), requirement: .should,
            source: sample, because: "without content there is no type of it"),
        row(
            "field/content-type-of-put", method: "PUT", body: "a=1", wanted: .noField("Content-Type"),
            requirement: .should,
            source: sample, because: "only a POST is a form by default"),
        row(
            "field/no-content-type-of-get", wanted: .noField("Content-Type"), requirement: .should, source: sample,
            because: "without content there is no type of it"),
    ]
}

extension CanonicalRequestTable {
    /// `wanted` are the permitted forms; without any, the URL must stay unchanged.
    private static func url(
        _ id: String, _ url: String, as accepted: String..., requirement: TableRequirement = .must, source: String,
        because reason: String
    ) -> CanonicalRequestRow {
        CanonicalRequestRow(
            id: "url/\(id)", input: CanonicalRequestRow.Input(url: url),
            wanted: .url(accepted.isEmpty ? [url] : accepted), requirement: requirement, source: source, reason: reason)
    }

    private static let normal = "RFC 9110 §4.2.3"

    /// Equivalent spellings of a URL become one; different URLs stay different.
    static let urlRows: [CanonicalRequestRow] = equalSpellings + ports + ownChoice + differentURLs

    private static let equalSpellings: [CanonicalRequestRow] = [
        url(
            "scheme-case", "HTTP://example.com/a", as: "http://example.com/a", source: normal,
            because: "a scheme is case-insensitive and written in lower case"),
        url(
            "scheme-case-tls", "Https://example.com/a", as: "https://example.com/a", source: normal,
            because: "a scheme is case-insensitive and written in lower case"),
        url(
            "host-case", "http://EXAMPLE.Com/a", as: "http://example.com/a", source: normal,
            because: "a host is case-insensitive and written in lower case"),
        url(
            "host-case-port", "http://EXAMPLE.com:8080/a", as: "http://example.com:8080/a", source: normal,
            because: "a port behind the host changes nothing about its case"),
        url(
            "empty-path", "http://example.com", as: "http://example.com/", source: normal,
            because: "an empty path is the path /, and that is what goes on the wire"),
        url(
            "empty-path-port", "http://example.com:8080", as: "http://example.com:8080/", source: normal,
            because: "an empty path is the path /, behind a port too"),
        url(
            "empty-path-query", "http://example.com?q=1", as: "http://example.com/?q=1", source: normal,
            because: "the / belongs in front of the query"),
        url(
            "empty-path-fragment", "http://example.com#f", as: "http://example.com/#f", "http://example.com/",
            source: normal, because: "the / belongs in front of the fragment"),
        url(
            "all-at-once", "HTTP://EXAMPLE.COM?Q=A", as: "http://example.com/?Q=A", source: normal,
            because: "scheme, host and path are put right, the query is left alone"),
        url(
            "already-canonical", "http://example.com/a?b=c", source: "R52", because: "what is canonical stays as it is"),
    ]

    private static let ports: [CanonicalRequestRow] = [
        url(
            "default-port", "http://example.com:80/a", as: "http://example.com:80/a", "http://example.com/a",
            source: "\(normal); \(sample)",
            because:
                "the normal form has no default port; Apple's loader keeps one that was given, because some need it"),
        url(
            "default-port-tls", "https://example.com:443/a", as: "https://example.com:443/a", "https://example.com/a",
            source: "\(normal); \(sample)",
            because:
                "the normal form has no default port; Apple's loader keeps one that was given, because some need it"),
        url("other-port", "http://example.com:8080/a", source: normal, because: "another port is another origin"),
        url(
            "other-schemes-port", "https://example.com:80/a", source: normal,
            because: "80 is the default of http only; without it this URL means port 443"),
    ]

    private static let ownChoice: [CanonicalRequestRow] = [
        url(
            "fragment", "http://example.com/a#Part", as: "http://example.com/a#Part", "http://example.com/a",
            source: "RFC 9110 §7.1", because: "a fragment is not sent: it may stay for the caller, or go"),
        url(
            "dot-segments", "http://example.com/a/../b", as: "http://example.com/a/../b", "http://example.com/b",
            source: "RFC 3986 §6.2.2.3; \(sample)", because: "dot segments may be resolved; Apple's sample leaves them"),
        url(
            "empty-port", "http://example.com:/a", as: "http://example.com:/a", "http://example.com/a",
            source: "RFC 3986 §6.2.3", because: "no digits mean the default port, and the colon may go"),
        url(
            "empty-fragment", "http://example.com/a#", as: "http://example.com/a#", "http://example.com/a",
            source: "RFC 9110 §7.1", because: "a fragment is not sent: it may stay for the caller, or go"),
        url(
            "unreserved-escape", "http://example.com/%7euser", as: "http://example.com/%7euser",
            "http://example.com/%7Euser", "http://example.com/~user", requirement: .should, source: "RFC 3986 §6.2.2.2",
            because: "an escape of an unreserved character may be undone or kept"),
        url(
            "user-info", "http://User:Secret@EXAMPLE.com/a", as: "http://User:Secret@example.com/a",
            requirement: .should, source: sample, because: "user and password keep their case; only the host loses it"),
        url(
            "ipv6-case", "http://[FE80::1]/a", as: "http://[fe80::1]/a", requirement: .should, source: "RFC 5952 §4.3",
            because: "the digits of an IPv6 address are written in lower case"),
        url(
            "no-separator", "http:example.com/a", as: "http://example.com/a", requirement: .should, source: sample,
            because: "what people type; Apple's loader puts :// in"),
        url(
            "half-separator", "http:/example.com/a", as: "http://example.com/a", requirement: .should, source: sample,
            because: "what people type; Apple's loader puts :// in"),
        url(
            "no-host", "http:///a", as: "http://localhost/a", requirement: .should, source: sample,
            because: "Apple's loader takes this machine for an empty host"),
    ]

    private static let differentURLs: [CanonicalRequestRow] = [
        url("path-case", "http://example.com/A/b", source: "RFC 3986 §6.2.2.1", because: "a path is case-sensitive"),
        url(
            "query-order", "http://example.com/?b=2&a=1", source: "RFC 3986 §3.4",
            because: "the order of a query means something to its server"),
        url(
            "empty-query", "http://example.com/?", source: "RFC 3986 §6.2.3",
            because: "an empty query is not the same as none"),
        url(
            "escaped-slash", "http://example.com/a%2Fb", source: "RFC 3986 §2.2",
            because: "an escaped reserved character is not the character"),
        url("double-slash", "http://example.com//a", source: "RFC 3986 §3.3", because: "an empty segment is a segment"),
        url("last-slash", "http://example.com/a/", source: "RFC 3986 §3.3", because: "a/ and a are two resources"),
        url(
            "trailing-dot", "http://example.com./a", source: "RFC 1034 §3.1",
            because: "an absolute name may lead elsewhere than one that is searched for"),
        url(
            "www", "http://www.example.com/a", source: normal,
            because: "two names are two hosts; a server that means one redirects"),
        url(
            "a-labels", "http://xn--bcher-kva.example/a", source: "RFC 5891 §4",
            because: "a name in ASCII is what the DNS has; the letters it stands for are for people"),
        url(
            "parameters", "http://example.com/a;v=1/b;x", source: "RFC 3986 §3.3",
            because: "parameters of a segment are part of it"),
        url(
            "plus", "http://example.com/a+b?c+d", source: "RFC 3986 §2.2",
            because: "a plus is a space to forms alone, and the server knows what is one"),
    ]
}
