internal import Foundation
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension LoadResponse {
    /// As a client of Foundation gets it; fields that come more than once are joined by `, `, as Foundation does.
    ///
    /// Foundation takes the expected length from Content-Length, which is left out where it counts bytes that are decoded
    /// before the client has them.
    var urlResponse: URLResponse {
        let url = URL(string: self.url.text) ?? URL(fileURLWithPath: "/")
        let response = HTTPURLResponse(
            url: url, statusCode: status, httpVersion: "\(head.version)", headerFields: joinedFields)
        return response
            ?? URLResponse(
                url: url, mimeType: mimeType, expectedContentLength: expectedByteCount ?? -1, textEncodingName: charset)
    }

    private var joinedFields: [String: String] {
        var joined: [String: String] = [:]
        var spellings: [String: String] = [:]
        let isDecoded = partFields == nil && ReplyCodings.areUndone(of: head)
        for field in fields where !(isDecoded && field.isNamed("Content-Length")) {
            let name = spellings[field.name.lowercased(), default: field.name]
            spellings[field.name.lowercased()] = name
            joined[name] = joined[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return joined
    }
}

extension ReferenceProtocol {
    /// What a cache may do with a response (RFC 9111 §3); never more than its server and its client allow.
    ///
    /// `scheme` is the one that the response came by; nil: that of its URL.
    static func storagePolicy(
        of response: URLResponse, to request: URLRequest, by scheme: Origin.Scheme? = nil
    ) -> URLCache.StoragePolicy {
        guard let response = response as? HTTPURLResponse,
            let scheme = scheme ?? response.url?.scheme.flatMap({ Origin.Scheme(rawValue: $0.lowercased()) })
        else { return .notAllowed }
        let policy = CacheStorage.policy(
            scheme: scheme, method: request.httpMethod ?? "GET",
            requestFields: (request.allHTTPHeaderFields ?? [:]).map { HTTPField($0.key, $0.value) },
            status: response.statusCode,
            replyFields: response.allHeaderFields.map { HTTPField("\($0.key)", "\($0.value)") })
        return switch policy {
        case .allowed: .allowed
        case .allowedInMemoryOnly: .allowedInMemoryOnly
        case .notAllowed: .notAllowed
        }
    }
}

extension LoadError {
    /// Of NSURLErrorDomain, with the sentence as its description.
    func foundationError(of url: URL?) -> any Error {
        var information: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        if let url { information[NSURLErrorFailingURLErrorKey] = url }
        // Foundation on Linux knows only so many codes.
        let known: URLError.Code? = URLError.Code(rawValue: code)
        return known.map { URLError($0, userInfo: information) }
            ?? NSError(domain: NSURLErrorDomain, code: code, userInfo: information)
    }
}
