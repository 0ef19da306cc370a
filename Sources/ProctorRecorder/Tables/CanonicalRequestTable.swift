#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What canonical forms of http and https requests look like: R52, RFC 9110 §4.2.3, RFC 3986 §6 and Apple's sample.
///
/// A canonical request is the key of the cache, so equal requests must get equal forms and others must not. Foundation
/// leaves the rest to each protocol; what its own one does, its sample CustomHTTPProtocol says.
public enum CanonicalRequestTable {
    /// In the order of the parts of a request.
    public static let rows: [CanonicalRequestRow] = urlRows + keptRows + fieldRows

    /// Holds an implementation against every row; empty when it is right.
    ///
    /// Besides the rows: the function gives the same for the same request, and leaves what it gave as it is (R52).
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
                row.discrepancy(of: form, from: request), row.impurity(canonicalRequest(request), after: form),
                row.restlessness(canonicalRequest(form), after: form),
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
                ? nil : found("URL", accepted.map { "\"\($0)\"" }.joined(separator: " or "), "\"\(got)\"")
        case .method(let method):
            return form.httpMethod == method ? nil : found("method", "\"\(method)\"", Self.quoted(form.httpMethod))
        case .field(let name, let value):
            let got = form.value(forHTTPHeaderField: name)
            return got == value ? nil : found("field \"\(name)\"", "\"\(value)\"", Self.quoted(got))
        case .anyField(let name):
            let got = form.value(forHTTPHeaderField: name)
            return got?.isEmpty == false ? nil : found("field \"\(name)\"", "there", Self.quoted(got))
        case .noField(let name):
            let got = form.value(forHTTPHeaderField: name)
            return got == nil ? nil : found("field \"\(name)\"", "absent", Self.quoted(got))
        case .sameBody:
            return form.httpBody == request.httpBody
                ? nil : found("body", "\(request.httpBody?.count ?? 0) bytes", "\(form.httpBody?.count ?? 0) bytes")
        }
    }

    fileprivate func impurity(_ again: URLRequest, after form: URLRequest) -> TableDiscrepancy? {
        again.difference(from: form).map {
            found("a second call", "the same as the first", $0, requirement: .must, source: "R52: the key of the cache")
        }
    }

    fileprivate func restlessness(_ further: URLRequest, after form: URLRequest) -> TableDiscrepancy? {
        further.difference(from: form).map {
            found(
                "the canonical form of the canonical form", "itself", $0, requirement: .must,
                source: "R52: canonical is canonical")
        }
    }

    private func found(
        _ subject: String, _ wanted: String, _ got: String, requirement: TableRequirement? = nil, source: String? = nil
    ) -> TableDiscrepancy {
        TableDiscrepancy(
            row: id, requirement: requirement ?? self.requirement, subject: subject, wanted: wanted, got: got,
            source: source ?? self.source)
    }

    private static func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "none" }
}
