internal import Foundation
internal import ProctorEvents
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Gives the answers of a program in the forms of URLSession, and writes down those of a user's delegate.
struct Answering: Sendable {
    typealias ChallengeHandler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    let record: StepRecord
    /// nil for a challenge of the session: then there is nothing to cancel.
    var task: URLSessionStepTask?

    /// Writes an answer down that a user's delegate gives.
    func note(_ word: String, to question: EventName) { record.notes.note(word, to: question) }

    // MARK: Redirects

    /// Says to a redirect what the program has for it.
    func answerRedirect(proposed: URLRequest, _ handler: @escaping @Sendable (URLRequest?) -> Void) {
        record.answerRedirect(
            proposed: proposed, of: task, change: { proposed.changed(method: $0, url: $1, headers: $2) }, handler)
    }

    // MARK: Challenges

    /// Says to a challenge what the program has for it; false where the program has no say.
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

    /// A challenge's handler that writes down what a user's delegate says.
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
            note(word, to: .challenge)
            handler(disposition, credential)
        }
    }

    // MARK: Bodies and responses

    /// Hands a stream over, or what the program wants instead.
    func answerBodyStream(_ handler: @escaping @Sendable (InputStream?) -> Void) {
        let body = BodySource(record.step?.body)
        let isPair = record.step?.bodyForm == .boundPair
        record.answerBodyStream { isFresh in
            handler(!isFresh ? nil : isPair ? body.boundStream() : body.stream())
        }
    }

    /// A body stream's handler that writes down what a user's delegate says.
    func notingStream(_ handler: @escaping @Sendable (InputStream?) -> Void) -> @Sendable (InputStream?) -> Void {
        { stream in
            note(stream == nil ? "none" : "stream", to: .needBodyStream)
            handler(stream)
        }
    }

    /// Says what becomes of a response.
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
    /// nil for a token, which a URLCredential can't hold.
    var urlCredential: URLCredential? {
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
    /// The request of a redirect with what the program wants otherwise; nil when its URL is none.
    func changed(method: String?, url text: String?, headers: [[String]]) -> URLRequest? {
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
    /// `becomeDownload`, which Foundation on Linux marks as deprecated because it ignores it; what it does is looked at here.
    static var download: Self {
        #if canImport(Darwin)
            .becomeDownload
        #else
            Self(rawValue: 2) ?? .allow
        #endif
    }
}
