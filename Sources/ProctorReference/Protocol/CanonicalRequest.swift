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
