internal import Foundation
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

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
