internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension ProtocolLoad {
    func decide(on challenge: URLAuthenticationChallenge, from object: Int) {
        let answer = run.program.challengeAnswer(challengeCount)
        challengeCount += 1
        guard let delay = run.program.answerAfter else { return give(answer, to: challenge, of: object) }
        let handed = Handover(value: challenge)
        run.client.post(after: delay) { $0.give(answer, to: handed.value, of: object) }
    }

    /// Nothing is said to a challenge that was withdrawn meanwhile.
    private func give(
        _ answer: Assignment.ChallengeAnswer, to challenge: URLAuthenticationChallenge, of object: Int
    ) {
        guard !run.isWithdrawn(challenge), wants(object) else { return }
        if let reason = answer.lackOfURLCredential {
            cannot(reason)
            return say("default", answer, to: challenge, of: object)
        }
        switch answer.answer {
        case "never": return
        case "cancel-task", "cancel-task-then-use":
            run.record(.harness, .cancel, object: object)
            end(message: "stopped by the program")
            if answer.answer == "cancel-task-then-use" { say("use", answer, to: challenge, of: object) }
        case "twice":
            say("use", answer, to: challenge, of: object)
            say("use", answer, to: challenge, of: object)
        default: say(answer.answer, answer, to: challenge, of: object)
        }
    }

    /// The sender is called on the client thread (R48), after the answer is written down.
    private func say(
        _ word: String, _ answer: Assignment.ChallengeAnswer, to challenge: URLAuthenticationChallenge, of object: Int
    ) {
        guard let sender = challenge.sender else { return cannot("an answer to a challenge that has no sender") }
        guard ["use", "use-none", "default", "cancel", "reject"].contains(word) else {
            return cannot("\"\(word)\" to a challenge")
        }
        run.answer(word, to: .challenge, of: object)
        switch word {
        case "use": sender.use(answer.handedCredential, for: challenge)
        case "use-none": sender.continueWithoutCredential(for: challenge)
        case "cancel": sender.cancel(challenge)
        case "reject":
            #if canImport(Darwin)
                sender.rejectProtectionSpaceAndContinue?(with: challenge)
            #else
                sender.rejectProtectionSpaceAndContinue(with: challenge)
            #endif
        default:
            #if canImport(Darwin)
                sender.performDefaultHandling?(for: challenge)
            #else
                sender.performDefaultHandling(for: challenge)
            #endif
        }
    }
}

extension Assignment.ChallengeAnswer {
    fileprivate var handedCredential: URLCredential {
        let persistence: URLCredential.Persistence =
            switch self.persistence {
            case "session": .forSession
            case "permanent": .permanent
            default: .none
            }
        return URLCredential(user: user ?? "", password: password ?? "", persistence: persistence)
    }
}

extension Assignment.RedirectAnswer {
    /// The request that is sent instead; a URL that is none leaves the proposed one.
    func changing(_ request: URLRequest) -> URLRequest {
        var changed = request
        if let url, let target = URL(string: url, relativeTo: request.url) { changed.url = target.absoluteURL }
        if let method { changed.httpMethod = method }
        for field in headers ?? [] {
            guard let name = field.first, let value = field.dropFirst().first else { continue }
            changed.setValue(value, forHTTPHeaderField: name)
        }
        return changed
    }
}
