#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What a URLProtocol lets caches do with a response: RFC 9111 and the sample CustomHTTPProtocol.
///
/// The policy is only leave to store; whether and how long is the cache's business, so freshness has no rows.
public enum CacheStoragePolicyTable {
    /// By status, by `Cache-Control`, by method, by scheme.
    public static let rows: [CacheStoragePolicyRow] = statusRows + controlRows + methodRows

    /// Holds an implementation against every row; empty when it is right.
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
