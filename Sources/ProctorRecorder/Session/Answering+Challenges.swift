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
        let use = { answer("use", to: .challenge) { handler(.useCredential, credential) } }
        switch script.answer {
        case "use": use()
        case "use-none": answer("use-none", to: .challenge) { handler(.useCredential, nil) }
        case "default": answer("default", to: .challenge) { handler(.performDefaultHandling, nil) }
        case "cancel": answer("cancel", to: .challenge) { handler(.cancelAuthenticationChallenge, nil) }
        case "reject": answer("reject", to: .challenge) { handler(.rejectProtectionSpace, nil) }
        case "cancel-task": if let task { cancel(task) }
        case "cancel-task-then-use":
            if let task { cancel(task) }
            use()
        case "twice":
            use()
            use()
        case "never": break
        default:
            unimplemented("onChallenge: \(script.answer)")
            answer("default", to: .challenge) { handler(.performDefaultHandling, nil) }
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
