internal import Foundation
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The canonical form of a request (R52).
enum CanonicalRequest {
    /// What the request says stays; what is missing is put in.
    static func of(_ request: URLRequest, options: ReferenceProtocol.Options) -> URLRequest {
        var request = request
        if let text = request.url?.absoluteString, let canonical = canonical(text), canonical != text,
            let url = URL(string: canonical)
        {
            request.url = url
        }
        if request.httpMethod == "POST", request.httpBody != nil || request.httpBodyStream != nil {
            setDefault("Content-Type", "application/x-www-form-urlencoded", of: &request)
        }
        for field in DefaultFields.list(
            codings: Self.codings, language: options.acceptLanguage, userAgent: options.userAgent)
        {
            setDefault(field.name, field.value, of: &request)
        }
        return request
    }

    /// What Apple's sample writes; more are undone than are asked for.
    private static let codings = "gzip, deflate"

    /// nil for a URL that can't be read.
    private static func canonical(_ text: String) -> String? {
        do throws(ClientURLError) {
            return try ClientURL(typed: text).text
        } catch {
            return nil
        }
    }

    private static func setDefault(_ name: String, _ value: String, of request: inout URLRequest) {
        if request.value(forHTTPHeaderField: name) == nil { request.setValue(value, forHTTPHeaderField: name) }
    }
}
