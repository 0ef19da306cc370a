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
                ? nil : found("URL", wanted: accepted.map { "\"\($0)\"" }.joined(separator: " or "), got: "\"\(got)\"")
        case .method(let method):
            return form.httpMethod == method
                ? nil : found("method", wanted: "\"\(method)\"", got: Self.quoted(form.httpMethod))
        case .field(let name, let value):
            let got = form.value(forHTTPHeaderField: name)
            return got == value ? nil : found("field \"\(name)\"", wanted: "\"\(value)\"", got: Self.quoted(got))
        case .anyField(let name):
            let got = form.value(forHTTPHeaderField: name)
            return got?.isEmpty == false ? nil : found("field \"\(name)\"", wanted: "there", got: Self.quoted(got))
        case .noField(let name):
            let got = form.value(forHTTPHeaderField: name)
            return got == nil ? nil : found("field \"\(name)\"", wanted: "absent", got: Self.quoted(got))
        case .sameBody:
            return form.httpBody == request.httpBody
                ? nil
                : found(
                    "body", wanted: "\(request.httpBody?.count ?? 0) bytes", got: "\(form.httpBody?.count ?? 0) bytes")
        }
    }

    fileprivate func impurity(_ again: URLRequest, after form: URLRequest) -> TableDiscrepancy? {
        again.difference(from: form).map {
            found(
                "a second call", wanted: "the same as the first", got: $0, requirement: .must,
                source: "R52: the key of the cache")
        }
    }

    fileprivate func restlessness(_ further: URLRequest, after form: URLRequest) -> TableDiscrepancy? {
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

    private static func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "none" }
}

/// One thing that the canonical form of a request must or should have.
public struct CanonicalRequestRow: Sendable {
    /// Stable, in words.
    public let id: String
    /// As given to the class.
    public let input: Input
    /// What is looked at in the result, and what is right.
    public let wanted: Wanted
    /// How much it counts.
    public let requirement: TableRequirement
    /// RFC and section, or the sample.
    public let source: String
    /// Why, for the person whose implementation differs.
    public let reason: String

    /// A request in plain values.
    public struct Input: Sendable {
        /// As it stands on the wire, upper or lower case.
        public var method = "GET"
        /// May be what no server ever sees: `HTTP://Example.COM`.
        public var url: String
        /// Name and value.
        public var fields: [(name: String, value: String)] = []
        /// UTF-8; nil: no body.
        public var body: String?
    }

    /// A part of the result with its right values.
    public enum Wanted: Sendable {
        /// The URL is one of these, byte by byte.
        case url([String])
        /// The method is exactly this.
        case method(String)
        /// The field has exactly this value, however its name is written.
        case field(String, String)
        /// The field is there, with whatever value.
        case anyField(String)
        /// The field is not there.
        case noField(String)
        /// The body is the one that was given.
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

    /// What the client said is not for the protocol to change.
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

    /// What Apple's loader puts in where the client said nothing.
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
