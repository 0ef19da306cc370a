internal import Dispatch
internal import Foundation
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension ClientRequest {
    /// A body stream is read once; one that is already open cannot be requested again (R22).
    init(_ request: URLRequest, ownSchemes: Set<String> = []) throws(LoadError) {
        self.init(method: request.httpMethod ?? "GET", typed: request.url?.absoluteString ?? "", ownSchemes: ownSchemes)
        if let urlFault { throw LoadError(urlFault) }
        // Foundation keeps no order of fields, so they are sent by name.
        fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
        handlesCookies = request.httpShouldHandleCookies
        // An unreadable URL counts as no main document.
        mainDocument = request.mainDocumentURL.flatMap { url in
            try? ClientURL(typed: url.absoluteString, ownSchemes: ownSchemes)
        }
        if let stream = request.httpBodyStream {
            guard stream.streamStatus == .notOpen else {
                throw LoadError(
                    .requestBodyStreamExhausted,
                    "the body stream of \(method) \(url) was read before and can't be had again; give a new one")
            }
            let length = fields.value(of: "Content-Length").flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
            body = .stream(BodyStream(reading: stream, byteCount: length))
        } else if let data = request.httpBody {
            body = .bytes([UInt8](data))
        }
    }
}

extension URLRequest {
    /// This request after a redirect; a used stream stays in it and makes its load fail.
    func redirected(to next: ClientRequest) -> URLRequest {
        var request = self
        request.url = URL(string: next.url.text) ?? url
        request.httpMethod = next.method
        for name in (allHTTPHeaderFields ?? [:]).keys { request.setValue(nil, forHTTPHeaderField: name) }
        for field in next.fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if next.body == .none {
            request.httpBodyStream = nil
            request.httpBody = nil
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
    /// The response for a Foundation client: equal fields are joined, and decoded content has no Content-Length.
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
        // Foundation on Linux knows only some of the codes.
        let known: URLError.Code? = URLError.Code(rawValue: code)
        return known.map { URLError($0, userInfo: information) }
            ?? NSError(domain: NSURLErrorDomain, code: code, userInfo: information)
    }
}

extension LoadChallenge {
    /// The challenge for a Foundation client; each answer calls `answer` on the thread that gives it.
    func urlChallenge(_ answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void) -> URLAuthenticationChallenge {
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

/// Passes the answers to one challenge on; the receiver ignores late ones.
final class ProtocolChallengeSender: NSObject, URLAuthenticationChallengeSender, Sendable {
    private let answer: @Sendable (LoadEvent.ChallengeAnswer) -> Void

    init(_ answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void) { self.answer = answer }

    /// A credential without user or password, as a certificate, counts as none for HTTP.
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

extension BodyStream {
    /// Reads an unopened stream on a queue of its own, since a read may block, as for a bound pair.
    convenience init(reading stream: InputStream, byteCount: Int?) {
        let reader = InputStreamReader(stream)
        self.init(byteCount: byteCount) { try await reader.next() }
    }
}

/// An InputStream that only one queue uses.
private final class InputStreamReader: @unchecked Sendable {
    private let stream: InputStream
    private let queue = DispatchQueue(label: "proctor-body-stream")
    private var readByteCount = 0

    private static let pieceByteCount = 65_536

    init(_ stream: InputStream) { self.stream = stream }

    deinit { stream.close() }

    func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.read() }) }
        }
    }

    private func read() throws(LoadError) -> [UInt8]? {
        if stream.streamStatus == .notOpen { stream.open() }
        let capacity = Self.pieceByteCount
        var result = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            result = unsafe buffer.baseAddress.map { unsafe stream.read($0, maxLength: capacity) } ?? 0
            count = max(0, result)
        }
        guard result >= 0 else {
            // Foundation on Linux traps in `streamError` where there is no error.
            let reason = stream.streamStatus == .error ? stream.streamError.map { ": \($0)" } : nil
            throw LoadError(
                .requestBodyStreamExhausted, "the body stream failed after \(readByteCount) bytes\(reason ?? "")")
        }
        readByteCount += piece.count
        return piece.isEmpty ? nil : piece
    }
}
