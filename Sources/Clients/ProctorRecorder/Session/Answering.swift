internal import ProctorEvents
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Gives a program's answers to URLSession, and records those of a user's delegate.
struct Answering: Sendable {
    typealias ChallengeHandler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    let record: StepRecord
    /// nil for a challenge of the session, which has no task to cancel.
    var task: URLSessionStepTask?

    func recordAnswer(_ word: String, to question: EventName) { record.notes.recordAnswer(word, to: question) }

    // MARK: Redirects

    func answerRedirect(proposed: URLRequest, _ handler: @escaping @Sendable (URLRequest?) -> Void) {
        record.answerRedirect(
            proposed: proposed, of: task, change: { proposed.changed(method: $0, url: $1, headers: $2) }, handler)
    }

    // MARK: Challenges

    /// Answers a challenge; false when the program has no answers.
    func answerChallenge(
        _ challenge: URLAuthenticationChallenge, as certificates: SessionCertificates,
        _ handler: @escaping ChallengeHandler
    ) -> Bool {
        let trusted = certificates.trusting(challenge)
        let standard = certificates.standardAnswer(to: challenge)
        return record.answerChallenge(
            of: task,
            plan: { answer in
                task == nil ? answer.planOfURLCredential.filter { $0 != .cancel } : answer.planOfURLCredential
            }
        ) { answer in
            switch answer {
            case .use(let credential): handler(.useCredential, credential.urlCredential)
            case .useNone: handler(.useCredential, nil)
            case .trust: handler(.useCredential, trusted)
            case .identity(let identity): handler(.useCredential, identity.flatMap(SessionCertificates.credential))
            case .cancel: handler(.cancelAuthenticationChallenge, nil)
            case .reject: handler(.rejectProtectionSpace, nil)
            default: handler(standard.disposition, standard.credential)
            }
        }
    }

    /// A challenge handler that records the answer of a user's delegate.
    func notingChallenge(_ handler: @escaping ChallengeHandler) -> ChallengeHandler {
        { disposition, credential in
            let word =
                switch disposition {
                case .useCredential: credential == nil ? "use-none" : "use"
                case .performDefaultHandling: "default"
                case .cancelAuthenticationChallenge: "cancel"
                case .rejectProtectionSpace: "reject"
                #if canImport(Darwin)
                    @unknown default: "other"
                #endif
                }
            recordAnswer(word, to: .challenge)
            handler(disposition, credential)
        }
    }

    // MARK: Bodies and responses

    /// Gives a stream, or performs the program's other answer.
    func answerBodyStream(_ handler: @escaping @Sendable (InputStream?) -> Void) {
        let body = BodySource(record.step?.body)
        let isPair = record.step?.bodyForm == .boundPair
        record.answerBodyStream { isFresh in
            handler(!isFresh ? nil : isPair ? body.boundStream() : body.stream())
        }
    }

    /// A body stream handler that records the answer of a user's delegate.
    func notingStream(_ handler: @escaping @Sendable (InputStream?) -> Void) -> @Sendable (InputStream?) -> Void {
        { stream in
            recordAnswer(stream == nil ? "none" : "stream", to: .needBodyStream)
            handler(stream)
        }
    }

    func answerResponse(_ handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void) {
        #if !canImport(Darwin)
            if record.step?.onResponse == .becomeStream {
                return record.carryOut(
                    [.unimplemented("onResponse: becomeStream"), .answer(Assignment.ResponseAnswer.allow)],
                    to: .response
                ) { _ in handler(.allow) }
            }
        #endif
        record.answerResponse { answer in
            switch answer {
            case .cancel: handler(.cancel)
            case .becomeDownload: handler(.download)
            #if canImport(Darwin)
                case .becomeStream: handler(.becomeStream)
            #endif
            default: handler(.allow)
            }
        }
    }
}

extension Assignment.Credential {
    /// The credential; nil for a token, which a URLCredential can't contain.
    package var urlCredential: URLCredential? {
        guard token == nil else { return nil }
        let kept: URLCredential.Persistence =
            switch persistence {
            case .none: .none
            case .session: .forSession
            case .permanent: .permanent
            }
        return URLCredential(user: user, password: password, persistence: kept)
    }
}

extension URLRequest {
    /// The request of a redirect with the program's changes; nil when its URL is invalid.
    package func changed(method: String?, url text: String?, headers: [[String]]) -> URLRequest? {
        var request = self
        if let text {
            guard let url = URL(string: text, relativeTo: url) else { return nil }
            request.url = url.absoluteURL
        }
        if let method { request.httpMethod = method }
        for header in headers where header.count == 2 { request.setValue(header[1], forHTTPHeaderField: header[0]) }
        return request
    }
}

extension URLSession.ResponseDisposition {
    /// `becomeDownload`, which Foundation on Linux deprecates because it ignores it; the recorder tests that too.
    static var download: Self {
        #if canImport(Darwin)
            .becomeDownload
        #else
            Self(rawValue: 2) ?? .allow
        #endif
    }
}

package enum CacheStorageName {
    /// The value of the fact `storage`.
    package static func name(of policy: URLCache.StoragePolicy) -> String {
        switch policy {
        case .allowed: "allowed"
        case .allowedInMemoryOnly: "memory"
        case .notAllowed: "notAllowed"
        #if canImport(Darwin)
            @unknown default: "unknown"
        #endif
        }
    }
}

extension ScriptedStorage {
    var policy: URLCache.StoragePolicy {
        switch self {
        case .allowed: .allowed
        case .memory: .allowedInMemoryOnly
        case .notAllowed: .notAllowed
        }
    }
}

extension Assignment.WillCacheAnswer {
    /// The response that is returned for storing; nil: nothing is stored.
    func response(inPlaceOf proposed: CachedURLResponse) -> CachedURLResponse? {
        switch self {
        case .store: return proposed
        case .none: return nil
        case .change(let change):
            return CachedURLResponse(
                response: proposed.response, data: change.body.map { Data($0.utf8) } ?? proposed.data,
                userInfo: change.notes.map {
                    Dictionary(uniqueKeysWithValues: $0.map { (AnyHashable($0.key), $0.value) })
                }
                    ?? proposed.userInfo,
                storagePolicy: change.storage?.policy ?? proposed.storagePolicy)
        }
    }
}
