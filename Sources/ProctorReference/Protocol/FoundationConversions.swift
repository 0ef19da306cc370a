internal import Dispatch
internal import Foundation
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension ClientRequest {
    /// Takes a stream to be read once; one that was opened already can't be had again (R22).
    init(_ request: URLRequest, ownSchemes: Set<String> = []) throws(LoadError) {
        self.init(
            method: request.httpMethod ?? "GET", typed: request.url?.absoluteString ?? "", ownSchemes: ownSchemes)
        if let urlFault { throw LoadError(urlFault) }
        // Foundation keeps them in no order; one is as good as another.
        fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }.map { HTTPField($0.key, $0.value) }
        handlesCookies = request.httpShouldHandleCookies
        // What can't be read is no document.
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
    /// This one as a redirect changes it: URL, method, fields, and no body where that does not go along.
    ///
    /// A stream goes along as it is, read already: the load of the request finds that it can't be had again.
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

    /// Nanoseconds without activity; Foundation takes 0 for its default.
    var idleLimit: UInt64 {
        let seconds = timeoutInterval > 0 ? timeoutInterval : 60
        return seconds < 9e9 ? UInt64(seconds * 1e9) : .max
    }
}

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

extension LoadChallenge {
    /// As a client of Foundation is asked; `answer` is called with each answer, on the thread that gives it.
    func urlChallenge(
        _ answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void
    ) -> URLAuthenticationChallenge {
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

    /// A URLProtocol may ask for Basic and Digest (R20) and does not ask for NTLM, unless it is broken on purpose.
    ///
    /// What it can't name is `default`. The names of TLS are spelt out because Foundation on Linux has no constants for them.
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

/// Takes the answers to one challenge; whether they still count is for the one who asked to know.
final class ProtocolChallengeSender: NSObject, URLAuthenticationChallengeSender, Sendable {
    private let answer: @Sendable (LoadEvent.ChallengeAnswer) -> Void

    init(_ answer: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void) { self.answer = answer }

    /// A credential without user or password, a certificate say, is none for HTTP.
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        guard let user = credential.user, let password = credential.password else { return answer(.goOnWithout) }
        answer(.use(LoadCredential(user: user, password: password)))
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { answer(.goOnWithout) }

    func cancel(_ challenge: URLAuthenticationChallenge) { answer(.cancel) }

    /// No credential is stored anywhere, so there is none by default (R13).
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { answer(.goOnWithout) }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) { answer(.reject) }
}

extension BodyStream {
    /// Reads a stream that is not open yet, on a queue of its own: a read may block, as one end of a pair does.
    convenience init(reading stream: InputStream, byteCount: Int?) {
        let reader = InputStreamReader(stream)
        self.init(byteCount: byteCount) { try await reader.next() }
    }
}

/// An InputStream that is touched on one queue only.
private final class InputStreamReader: @unchecked Sendable {
    private let stream: InputStream
    private let queue = DispatchQueue(label: "proctor-body-stream")
    private var readByteCount = 0

    private static let pieceByteCount = 65_536

    init(_ stream: InputStream) { self.stream = stream }

    deinit { stream.close() }

    /// nil at the end.
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
            // Foundation on Linux traps where there is no error to tell.
            let reason = stream.streamStatus == .error ? stream.streamError.map { ": \($0)" } : nil
            throw LoadError(
                .requestBodyStreamExhausted, "the body stream failed after \(readByteCount) bytes\(reason ?? "")")
        }
        readByteCount += piece.count
        return piece.isEmpty ? nil : piece
    }
}
