internal import ProctorBase
internal import ProctorRecorder

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
    /// The rows of `canonical-requests.tsv`: URLs, then what must stay, then the fields that Apple's loader adds.
    package static let rows: [CanonicalRequestRow] = TableCells.rows(of: "canonical-requests").map {
        CanonicalRequestRow($0)
    }

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
                        wanted: "one that Foundation can read", got: "\"\(row.url)\"", source: row.source)
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
        guard let url = URL(string: url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method
        if let field { request.setValue(field.value, forHTTPHeaderField: field.name) }
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    fileprivate func discrepancy(of form: URLRequest, from request: URLRequest) -> TableDiscrepancy? {
        switch wanted {
        case .url(let accepted):
            let got = form.url?.absoluteString ?? ""
            return accepted.contains(got)
                ? nil
                : discrepancy("URL", wanted: accepted.map { "\"\($0)\"" }.joined(separator: " or "), got: "\"\(got)\"")
        case .method(let method):
            return form.httpMethod == method
                ? nil : discrepancy("method", wanted: quotedOrNone(method), got: quotedOrNone(form.httpMethod))
        case .field(let name, let value):
            let got = form.value(forHTTPHeaderField: name)
            return got == value ? nil : discrepancy("field \"\(name)\"", wanted: "\"\(value)\"", got: quotedOrNone(got))
        case .anyField(let name):
            let got = form.value(forHTTPHeaderField: name)
            return got?.isEmpty == false
                ? nil : discrepancy("field \"\(name)\"", wanted: "there", got: quotedOrNone(got))
        case .noField(let name):
            let got = form.value(forHTTPHeaderField: name)
            return got == nil ? nil : discrepancy("field \"\(name)\"", wanted: "absent", got: quotedOrNone(got))
        case .sameBody:
            return form.httpBody == request.httpBody
                ? nil
                : discrepancy(
                    "body", wanted: "\(request.httpBody?.count ?? 0) bytes", got: "\(form.httpBody?.count ?? 0) bytes")
        }
    }

    fileprivate func changeInSecondCall(_ again: URLRequest, after form: URLRequest) -> TableDiscrepancy? {
        again.difference(from: form).map {
            discrepancy(
                "a second call", wanted: "the same as the first", got: $0, requirement: .must,
                source: "R52: the key of the cache")
        }
    }

    fileprivate func changeInCanonicalForm(_ further: URLRequest, after form: URLRequest) -> TableDiscrepancy? {
        further.difference(from: form).map {
            discrepancy(
                "the canonical form of the canonical form", wanted: "itself", got: $0, requirement: .must,
                source: "R52: canonical is canonical")
        }
    }

    private func discrepancy(
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
    /// The method, in upper or lower case.
    let method: String
    /// The URL, also in a form that no server receives: `HTTP://Example.COM`.
    let url: String
    /// A field that the client set; nil: none.
    let field: (name: String, value: String)?
    /// The body as UTF-8; nil: no body.
    let body: String?
    /// The compared part of the result and its right values.
    let wanted: Wanted
    /// How binding the row is.
    package let requirement: TableRequirement
    /// RFC and section, or the sample.
    package let source: String
    /// The reason, for an author whose implementation differs.
    package let reason: String

    /// A part of the result with its right values.
    enum Wanted: Sendable {
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

    /// Empty cells mean GET, `http://example.com/a` and, as the wanted URL, the one of the request.
    init(_ cells: TableCells) {
        id = cells["kind"]
        method = cells.text("method") ?? "GET"
        let url = cells.text("url") ?? "http://example.com/a"
        self.url = url
        field = cells.valueIfAny("field") { line in
            line.firstIndex(of: ":").map { (String(line[..<$0]), String(line[$0...].dropFirst(2))) }
        }
        body = cells.text("body")
        wanted = cells.value("part") { part in
            let words = part.split(separator: " ").map(String.init)
            let value = cells.text("wanted")
            return switch (words[0], words.last ?? "", value) {
            case ("url", _, _): .url(value?.split(separator: " ").map(String.init) ?? [url])
            case ("method", _, let value?): .method(value)
            case ("field", let name, let value?): .field(name, value)
            case ("any", let name, nil): .anyField(name)
            case ("no", let name, nil): .noField(name)
            case ("body", _, nil): .sameBody
            default: nil
            }
        }
        requirement = cells.value("requirement", TableRequirement.init)
        source = cells["source"]
        reason = cells["reason"]
    }
}

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
                return row.discrepancy("an exchange that Foundation can hold")
            }
            let got = policy(request, response)
            return row.accepted.contains(got) ? nil : row.discrepancy(CacheStoragePolicyRow.name(of: got))
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

    fileprivate func discrepancy(_ got: String) -> TableDiscrepancy {
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
    package let subject: String
    /// What the row requires, in words.
    package let wanted: String
    /// The implementation's value, in words.
    package let got: String
    /// The source of the row.
    package let source: String

    /// The difference in one line.
    public var description: String {
        "\(row): \(subject) \(requirement.rawValue) be \(wanted), got \(got) (\(source))"
    }
}
