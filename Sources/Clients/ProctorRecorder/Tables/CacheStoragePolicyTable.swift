internal import ProctorBase

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
    /// The rows of `cache-storage-policies.tsv`: by status, by `Cache-Control` of both ends, and by method.
    ///
    /// The sample ignores the method; Foundation's cache checks it, another cache may not.
    package static let rows: [CacheStoragePolicyRow] = TableCells.rows(of: "cache-storage-policies").map {
        CacheStoragePolicyRow($0)
    }

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
    let scheme: String
    /// The method of the request.
    let method: String
    /// The status of the response.
    let status: Int
    /// `Cache-Control` of the request; nil: none.
    let requestControl: String?
    /// `Cache-Control` of the response; nil: none.
    let responseControl: String?
    /// The permitted policies.
    package let accepted: [URLCache.StoragePolicy]
    /// How binding the row is.
    package let requirement: TableRequirement
    /// RFC and section, or the sample.
    package let source: String
    /// The reason, for an author whose implementation differs.
    package let reason: String

    /// Empty cells mean http, GET, 200 and no `Cache-Control`.
    init(_ cells: TableCells) {
        id = cells["kind"]
        scheme = cells.text("scheme") ?? "http"
        method = cells.text("method") ?? "GET"
        status = cells.valueIfAny("status") { Int($0) } ?? 200
        (requestControl, responseControl) = (cells.text("request"), cells.text("response"))
        let policies: [URLCache.StoragePolicy] = [.allowed, .allowedInMemoryOnly, .notAllowed]
        accepted = cells.value("accepted") { names in
            let names = names.split(separator: " ")
            let accepted = policies.filter { names.contains(Self.name(of: $0)[...]) }
            return accepted.count == names.count ? accepted : nil
        }
        requirement = cells.value("requirement", TableRequirement.init)
        source = cells["source"]
        reason = cells["reason"]
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
