internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension Answering {
    typealias ChallengeHandler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// Says to a challenge what the program has for it; `task` is nil for a challenge of the session.
    func answerChallenge(
        _ challenge: URLAuthenticationChallenge, of task: URLSessionTask?, _ script: Assignment.ChallengeAnswer,
        as certificates: SessionCertificates, _ handler: @escaping ChallengeHandler
    ) {
        let credential = script.credential
        let trusted = certificates.trusting(challenge)
        let identity = script.identity
        let standard = certificates.standardAnswer(to: challenge)
        carryOut(script.planOfURLCredential, to: .challenge, cancelling: task) { word in
            switch word {
            case "use": handler(.useCredential, credential)
            case "use-none": handler(.useCredential, nil)
            case "trust": handler(.useCredential, trusted)
            case "identity": handler(.useCredential, identity.flatMap(SessionCertificates.credential))
            case "cancel": handler(.cancelAuthenticationChallenge, nil)
            case "reject": handler(.rejectProtectionSpace, nil)
            default: handler(standard.disposition, standard.credential)
            }
        }
    }
}

extension Assignment.ChallengeAnswer {
    fileprivate var credential: URLCredential? {
        guard let user else { return nil }
        let persistence: URLCredential.Persistence =
            switch self.persistence {
            case "session": .forSession
            case "permanent": .permanent
            default: .none
            }
        return URLCredential(user: user, password: password ?? "", persistence: persistence)
    }
}
