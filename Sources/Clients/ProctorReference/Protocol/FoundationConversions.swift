internal import Foundation
internal import ProctorHTTP
internal import ProctorHTTPClient

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension ClientRequest {
    /// Converts a request, without its body when that is a stream; see ``BodyCopy``.
    init(_ request: URLRequest, ownSchemes: Set<String> = []) throws(LoadError) {
        self.init(method: request.httpMethod ?? "GET", typed: request.url?.absoluteString ?? "", ownSchemes: ownSchemes)
        if let urlFault { throw LoadError(urlFault) }
        // Foundation does not keep the order of fields, so they are sent sorted by name.
        fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
        handlesCookies = request.httpShouldHandleCookies
        // An unreadable URL counts as no main document.
        mainDocument = request.mainDocumentURL.flatMap { url in
            try? ClientURL(typed: url.absoluteString, ownSchemes: ownSchemes)
        }
        if request.httpBodyStream == nil, let data = request.httpBody {
            body = .bytes([UInt8](data))
        }
    }
}

extension URLRequest {
    /// This request after a redirect; `body` replaces a stream that was read.
    func redirected(to next: ClientRequest, body: InputStream?) -> URLRequest {
        var request = self
        request.url = URL(string: next.url.text) ?? url
        request.httpMethod = next.method
        for name in (allHTTPHeaderFields ?? [:]).keys { request.setValue(nil, forHTTPHeaderField: name) }
        for field in next.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if next.body == .none {
            request.httpBodyStream = nil
            request.httpBody = nil
        } else if let body {
            request.httpBodyStream = body
        }
        return request
    }

    /// Nanoseconds without activity; Foundation uses its default for 0.
    var idleLimit: UInt64 {
        let seconds = timeoutInterval > 0 ? timeoutInterval : 60
        return seconds < 9e9 ? UInt64(seconds * 1e9) : .max
    }
}

extension LoadResponse {
    /// The response for a Foundation client: lines of one name are joined.
    ///
    /// Content-Length is left out when it is not the length of the content: for decoded content, and beside
    /// Transfer-Encoding (RFC 9112 §6.3).
    var urlResponse: URLResponse {
        let url = URL(string: self.url.text) ?? URL(fileURLWithPath: "/")
        let response = NamedResponse(
            url: url, statusCode: status, httpVersion: "\(head.version)", headerFields: joinedFields)
        return response
            ?? URLResponse(
                url: url, mimeType: mimeType, expectedContentLength: expectedByteCount ?? -1, textEncodingName: charset)
    }

    private var joinedFields: [String: String] {
        var joined: [String: String] = [:]
        var spellings: [String: String] = [:]
        let isWithoutLength =
            partFields == nil && (ReplyCodings.areUndone(of: head) || fields.contains(named: "Transfer-Encoding"))
        for field in fields where !(isWithoutLength && field.isNamed("Content-Length")) {
            let name = spellings[field.name.lowercased(), default: field.name]
            spellings[field.name.lowercased()] = name
            joined[name] = joined[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return joined
    }
}

#if canImport(FoundationNetworking)
    /// A response that finds the name of a file itself: Foundation on Linux does not read `filename*` and keeps folders
    /// in the name (RFC 6266 §4.3).
    ///
    /// It adds no state to its superclass; Swift requires its conformance to be restated.
    private final class NamedResponse: HTTPURLResponse, @unchecked Sendable {
        override var suggestedFilename: String? {
            guard let url = url.flatMap({ try? ClientURL(typed: $0.absoluteString) }) else {
                return super.suggestedFilename
            }
            let disposition = value(forHTTPHeaderField: "Content-Disposition")
            return FileName.suggested(
                url: url, contentDisposition: disposition.map { Array($0.utf8) }, mimeType: mimeType)
        }
    }
#else
    private typealias NamedResponse = HTTPURLResponse
#endif

extension ReferenceProtocol {
    /// Whether a cache may store a response (RFC 9111 §3); `scheme` nil stands for the scheme of its URL.
    static func storagePolicy(
        of response: URLResponse, to request: URLRequest, by scheme: HTTPScheme? = nil
    ) -> URLCache.StoragePolicy {
        guard let response = response as? HTTPURLResponse,
            let scheme = scheme ?? response.url?.scheme.flatMap({ HTTPScheme(rawValue: $0.lowercased()) })
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
    /// In NSURLErrorDomain, with the sentence as its description.
    func foundationError(of url: URL?) -> any Error {
        var information: [String: Any] = [NSLocalizedDescriptionKey: sentence]
        if let url { information[NSURLErrorFailingURLErrorKey] = url }
        // Foundation on Linux has only some of the codes.
        let known: URLError.Code? = URLError.Code(rawValue: code)
        return known.map { URLError($0, userInfo: information) }
            ?? NSError(domain: NSURLErrorDomain, code: code, userInfo: information)
    }
}

extension LoadChallenge {
    /// The challenge for a Foundation client; each answer calls `answer` on the thread that gives it.
    func urlChallenge(_ answer: @escaping @Sendable (ChallengeAnswer) -> Void) -> URLAuthenticationChallenge {
        URLAuthenticationChallenge(
            protectionSpace: urlSpace,
            proposedCredential: proposedCredential.map {
                URLCredential(user: $0.user, password: $0.password, persistence: .none)
            },
            previousFailureCount: previousFailureCount, failureResponse: response?.urlResponse, error: nil,
            sender: ProtocolChallengeSender(answer))
    }

    private var urlSpace: URLProtectionSpace {
        if space.isProxy {
            URLProtectionSpace(
                proxyHost: space.origin.host, port: space.origin.port, type: NSURLProtectionSpaceHTTPProxy,
                realm: space.realm, authenticationMethod: method)
        } else {
            URLProtectionSpace(
                host: space.origin.host, port: space.origin.port, protocol: space.origin.scheme.rawValue,
                realm: space.realm, authenticationMethod: method)
        }
    }

    /// Foundation's name for the kind; Foundation on Linux has no constants for those of TLS.
    private var method: String {
        switch space.kind {
        case "basic", "proxyBasic": NSURLAuthenticationMethodHTTPBasic
        case "digest", "proxyDigest": NSURLAuthenticationMethodHTTPDigest
        case "ntlm": NSURLAuthenticationMethodNTLM
        case "serverTrust": "NSURLAuthenticationMethodServerTrust"
        case "clientCert": "NSURLAuthenticationMethodClientCertificate"
        default: NSURLAuthenticationMethodDefault
        }
    }
}

/// Passes on the answers to one challenge; the receiver ignores late ones.
final class ProtocolChallengeSender: NSObject, URLAuthenticationChallengeSender, Sendable {
    private let answer: @Sendable (ChallengeAnswer) -> Void

    init(_ answer: @escaping @Sendable (ChallengeAnswer) -> Void) { self.answer = answer }

    /// A credential without user or password, such as a certificate, counts as none for HTTP.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        guard let user = credential.user, let password = credential.password else { return answer(.goOnWithout) }
        answer(.use(LoadCredential(user: user, password: password)))
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { answer(.goOnWithout) }

    func cancel(_ challenge: URLAuthenticationChallenge) { answer(.cancel) }

    /// There are no stored credentials here, so the default is none (R13).
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { answer(.goOnWithout) }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { answer(.reject) }
}
