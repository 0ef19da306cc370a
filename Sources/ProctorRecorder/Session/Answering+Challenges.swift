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
        of task: URLSessionTask?, _ script: Assignment.ChallengeAnswer, _ handler: @escaping ChallengeHandler
    ) {
        let credential = script.credential
        carryOut(script.planOfURLCredential, to: .challenge, cancelling: task) { word in
            switch word {
            case "use": handler(.useCredential, credential)
            case "use-none": handler(.useCredential, nil)
            case "cancel": handler(.cancelAuthenticationChallenge, nil)
            case "reject": handler(.rejectProtectionSpace, nil)
            default: handler(.performDefaultHandling, nil)
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
