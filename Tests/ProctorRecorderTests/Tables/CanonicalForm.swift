import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A canonical form that every row of the table is content with; bytes in, bytes out, for the sake of the odd URLs.
enum CanonicalForm {
    static func of(_ request: URLRequest) -> URLRequest {
        var request = request
        if let text = request.url?.absoluteString, let url = URL(string: canonical(text)) { request.url = url }
        if request.httpMethod == "POST", request.httpBody != nil || request.httpBodyStream != nil {
            setDefault("Content-Type", "application/x-www-form-urlencoded", of: &request)
        }
        setDefault("Accept", "*/*", of: &request)
        setDefault("Accept-Encoding", "gzip, deflate", of: &request)
        setDefault("Accept-Language", "en-us", of: &request)
        return request
    }

    private static func setDefault(_ name: String, _ value: String, of request: inout URLRequest) {
        if request.value(forHTTPHeaderField: name) == nil { request.setValue(value, forHTTPHeaderField: name) }
    }

    private static func canonical(_ text: String) -> String {
        guard let colon = text.firstIndex(of: ":") else { return text }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return text }
        let rest = text[text.index(after: colon)...]
        let slashes = rest.prefix { $0 == "/" }.count
        let body = rest.dropFirst(min(slashes, 2))
        let end = body.firstIndex { "/?#".contains($0) } ?? body.endIndex
        var authority = String(body[..<end])
        let userEnd = authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex
        authority = authority[..<userEnd] + authority[userEnd...].lowercased()
        if authority.isEmpty { authority = "localhost" }
        let path = body[end...]
        return "\(scheme)://\(authority)\(path.first == "/" ? "" : "/")\(path)"
    }
}
