#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The storage policy of a URLProtocol for a response, by RFC 9111 and the sample CustomHTTPProtocol.
///
/// The policy only permits storing; the cache decides whether and how long, so no row is about freshness.
public enum CacheStoragePolicyTable {
    /// The rows by status, by `Cache-Control`, by method and by scheme.
    package static let rows: [CacheStoragePolicyRow] = statusRows + controlRows + methodRows

    /// Compares an implementation with every row; empty when all rows are met.
    public static func verify(
        _ policy: (URLRequest, HTTPURLResponse) -> URLCache.StoragePolicy
    ) -> [TableDiscrepancy] {
        rows.compactMap { row in
            guard let (request, response) = row.exchange else {
                return row.found("an exchange that Foundation can hold")
            }
            let got = policy(request, response)
            return row.accepted.contains(got) ? nil : row.found(CacheStoragePolicyRow.name(of: got))
        }
    }
}

extension CacheStoragePolicyRow {
    var exchange: (URLRequest, HTTPURLResponse)? {
        guard let url = URL(string: "\(scheme)://example.com/a") else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let requestControl { request.setValue(requestControl, forHTTPHeaderField: "Cache-Control") }
        var fields = ["Content-Type": "text/plain"]
        if let responseControl { fields["Cache-Control"] = responseControl }
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
            .map { (request, $0) }
    }

    fileprivate func found(_ got: String) -> TableDiscrepancy {
        TableDiscrepancy(
            row: id, requirement: requirement, subject: "storage policy",
            wanted: accepted.map(Self.name).joined(separator: " or "), got: got, source: source)
    }

    static func name(of policy: URLCache.StoragePolicy) -> String {
        switch policy {
        case .allowed: "allowed"
        case .allowedInMemoryOnly: "allowedInMemoryOnly"
        case .notAllowed: "notAllowed"
        #if canImport(Darwin)
            @unknown default: "unknown"
        #endif
        }
    }
}

/// A request, its response, and the permitted storage policies.
package struct CacheStoragePolicyRow: Sendable {
    /// A stable name in words.
    package let id: String
    /// The scheme, `http` or `https`.
    package var scheme = "http"
    /// The method of the request.
    package var method = "GET"
    /// The status of the response.
    package var status = 200
    /// `Cache-Control` of the request; nil: none.
    package var requestControl: String?
    /// `Cache-Control` of the response; nil: none.
    package var responseControl: String?
    /// The permitted policies.
    package let accepted: [URLCache.StoragePolicy]
    /// How binding the row is.
    package let requirement: TableRequirement
    /// RFC and section, or the sample.
    public let source: String
    /// The reason, for an author whose implementation differs.
    package let reason: String

    init(
        _ id: String, scheme: String = "http", method: String = "GET", status: Int = 200,
        request requestControl: String? = nil, response responseControl: String? = nil,
        _ accepted: URLCache.StoragePolicy..., requirement: TableRequirement, source: String, because reason: String
    ) {
        (self.id, self.scheme, self.method, self.status) = (id, scheme, method, status)
        (self.requestControl, self.responseControl, self.accepted) = (requestControl, responseControl, accepted)
        (self.requirement, self.source, self.reason) = (requirement, source, reason)
    }
}

extension CacheStoragePolicyTable {
    private static let sample = "CustomHTTPProtocol, CacheStoragePolicy.m"
    private static let heuristic = "RFC 9110 §15.1; \(sample)"

    /// Every status without `Cache-Control`, over http and over https.
    static let statusRows: [CacheStoragePolicyRow] = cacheable + uncacheable + undecided

    private static let cacheable: [CacheStoragePolicyRow] = [200, 203, 301, 404, 410].flatMap { status in
        [
            CacheStoragePolicyRow(
                "status/\(status)", status: status, .allowed, requirement: .should, source: heuristic,
                because: "a cache may keep it without being told how long"),
            CacheStoragePolicyRow(
                "status/\(status)-tls", scheme: "https", status: status, .allowedInMemoryOnly, requirement: .should,
                source: sample,
                because: "not on a disk where others may read it; a system with file protection may allow that too"),
        ]
    }

    private static let uncacheable: [CacheStoragePolicyRow] = [
        201, 202, 302, 303, 307, 400, 401, 403, 407, 408, 416, 429, 500, 502, 503, 504,
    ].map { status in
        CacheStoragePolicyRow(
            "status/\(status)", status: status, .notAllowed, requirement: .must, source: "RFC 9111 §3; \(sample)",
            because: "without any word about freshness only some statuses may be kept, and this is none of them")
    }

    private static let undecided: [CacheStoragePolicyRow] = [
        CacheStoragePolicyRow(
            "status/206", status: 206, .allowed, .notAllowed, requirement: .must, source: "RFC 9111 §3.3; \(sample)",
            because: "allowed where the cache knows how to keep a part, as the sample takes for granted"),
        CacheStoragePolicyRow(
            "status/304", status: 304, .allowed, .notAllowed, requirement: .must, source: "RFC 9111 §4.3.4; \(sample)",
            because: "it has no content of its own; the sample leaves it to the cache to know that"),
        CacheStoragePolicyRow(
            "status/204", status: 204, .allowed, .notAllowed, requirement: .must, source: heuristic,
            because: "cacheable by the RFC, not by the sample"),
        CacheStoragePolicyRow(
            "status/308", status: 308, .allowed, .notAllowed, requirement: .must, source: heuristic,
            because: "cacheable by the RFC, not by the sample"),
        CacheStoragePolicyRow(
            "status/206-tls", scheme: "https", status: 206, .allowedInMemoryOnly, .notAllowed, requirement: .should,
            source: sample, because: "what comes over TLS is not kept on a disk"),
    ]

    /// `Cache-Control` of request and response.
    static let controlRows: [CacheStoragePolicyRow] = [
        CacheStoragePolicyRow(
            "response/no-store", response: "no-store", .notAllowed, requirement: .must, source: "RFC 9111 §5.2.2.5",
            because: "the server forbids it"),
        CacheStoragePolicyRow(
            "response/no-store-tls", scheme: "https", response: "no-store", .notAllowed, requirement: .must,
            source: "RFC 9111 §5.2.2.5", because: "the server forbids it, in memory too"),
        CacheStoragePolicyRow(
            "response/no-store-case", response: "No-Store", .notAllowed, requirement: .must, source: "RFC 9111 §5.2",
            because: "directives are case-insensitive"),
        CacheStoragePolicyRow(
            "response/no-store-in-list", response: "max-age=60, no-store", .notAllowed, requirement: .must,
            source: "RFC 9111 §5.2.2.5", because: "it holds beside any other directive"),
        CacheStoragePolicyRow(
            "response/no-store-of-404", status: 404, response: "no-store", .notAllowed, requirement: .must,
            source: "RFC 9111 §5.2.2.5", because: "the server forbids it, whatever the status"),
        CacheStoragePolicyRow(
            "response/no-cache", response: "no-cache", .allowed, requirement: .should,
            source: "RFC 9111 §5.2.2.4; \(sample)", because: "it may be kept, and is asked about before each use"),
        CacheStoragePolicyRow(
            "response/private", response: "private", .allowed, requirement: .should,
            source: "RFC 9111 §5.2.2.7; \(sample)", because: "a client's cache is a private one"),
        CacheStoragePolicyRow(
            "response/max-age", response: "max-age=60", .allowed, requirement: .should,
            source: "RFC 9111 §5.2.2.1; \(sample)", because: "the server says how long"),
        CacheStoragePolicyRow(
            "response/max-age-0", response: "max-age=0", .allowed, requirement: .should,
            source: "RFC 9111 §5.2.2.1; \(sample)", because: "stale at once, but good for asking again"),
        CacheStoragePolicyRow(
            "request/no-store", request: "no-store", .notAllowed, requirement: .should, source: "RFC 9111 §5.2.1.5",
            because: "the client forbids it; the sample obeys only when no-cache stands beside it"),
        CacheStoragePolicyRow(
            "request/no-store-no-cache", request: "no-store, no-cache", .notAllowed, requirement: .must,
            source: "RFC 9111 §5.2.1.5; \(sample)", because: "the client forbids it, and the sample obeys here"),
        CacheStoragePolicyRow(
            "request/no-store-case", request: "NO-STORE, NO-CACHE", .notAllowed, requirement: .must,
            source: "RFC 9111 §5.2", because: "directives are case-insensitive"),
        CacheStoragePolicyRow(
            "request/no-cache", request: "no-cache", .allowed, requirement: .should,
            source: "RFC 9111 §5.2.1.4; \(sample)", because: "it keeps old answers away, not new ones from being kept"),
        CacheStoragePolicyRow(
            "request/max-age-0", request: "max-age=0", .allowed, requirement: .should,
            source: "RFC 9111 §5.2.1.1; \(sample)", because: "it keeps old answers away, not new ones from being kept"),
    ]

    /// The sample ignores the method; Foundation's cache checks it, another cache may not.
    static let methodRows: [CacheStoragePolicyRow] = ["POST", "PUT", "DELETE", "PATCH"].map { method in
        CacheStoragePolicyRow(
            "method/\(method.lowercased())", method: method, .notAllowed, requirement: .should,
            source: "RFC 9111 §3, RFC 9110 §9.3",
            because: "without a word about freshness no cache may keep the answer to \(method); the sample does not ask"
        )
    }
}

/// How binding a row of a table is.
public enum TableRequirement: String, Sendable, CaseIterable {
    /// A specification requires it, or a cache or a server would fail.
    case must
    /// Apple's loader and its sample do so; other loaders may have reasons not to.
    case should
}

/// A difference between an implementation and a row of a table.
public struct TableDiscrepancy: Sendable, Equatable, CustomStringConvertible {
    /// The id of the row.
    public let row: String
    /// How binding the row is.
    public let requirement: TableRequirement
    /// The compared part, as `URL` or `field "accept"`.
    public let subject: String
    /// What the row requires, in words.
    public let wanted: String
    /// The implementation's value, in words.
    public let got: String
    /// The source of the row.
    public let source: String

    /// The difference in one line.
    public var description: String {
        "\(row): \(subject) \(requirement.rawValue) be \(wanted), got \(got) (\(source))"
    }
}
