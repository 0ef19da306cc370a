internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorReference

/// R10 to R20: challenges.
extension BrokenRule {
    static let authentication: [BrokenRule] = [
        twoChallenges,
        .actions(11, "fail without cancelling the challenge", as: .urlProtocol) { action, _ in
            if case .tell(.challengeCancelled) = action { [] } else { [action] }
        },
        .actions(12, "deliver the 401 before its challenge") { action, _ in
            guard case .tell(.challenge(let challenge)) = action, let response = challenge.response else {
                return [action]
            }
            return [.tell(.response(response)), action]
        },
        .failingInstead(
            13, "fail when there is no credential", of: [401, 407],
            with: LoadError(.userAuthenticationRequired, "nobody gave a credential")),
        .actions(14, "deliver the 401 of a challenge that is cancelled", keeping: LoadResponse?.none) {
            actions, event, _, response in
            for case .tell(.challenge(let challenge)) in actions { response = challenge.response }
            guard event == .challengeAnswered(.cancel), let response else { return actions }
            return actions.flatMap { action -> [LoadAction] in
                if case .tell(.metrics) = action { [.tell(.response(response)), action] } else { [action] }
            }
        },
        .actions(15, "ask again for the space that was rejected", keeping: LoadChallenge?.none) {
            actions, event, _, first in
            actions.map { action in
                guard case .tell(.challenge(let challenge)) = action else { return action }
                guard let rejected = first, event == .challengeAnswered(.reject) else {
                    first = challenge
                    return action
                }
                return .tell(.challenge(rejected))
            }
        },
        .actions(16, "ask for a credential where the 401 names no scheme") { action, _ in
            guard case .tell(.response(let response)) = action, response.status == 401 || response.status == 407 else {
                return [action]
            }
            return [.tell(.challenge(.asked(by: response, kind: "default"))), action]
        },
        .actions(17, "count no failures") { action, _ in
            guard case .tell(.challenge(var challenge)) = action else { return [action] }
            challenge.previousFailureCount = 0
            return [.tell(.challenge(challenge))]
        },
        .actions(17, letter: "b", "count the failures of all realms together", keeping: 0) { actions, _, _, count in
            actions.map { action in
                guard case .tell(.challenge(var challenge)) = action else { return action }
                challenge.previousFailureCount = max(count, challenge.previousFailureCount)
                count += 1
                return .tell(.challenge(challenge))
            }
        },
        .calls(18, "ask for trust after the response", keeping: LoadResponse?.none) { call, response in
            switch call {
            case .response(let received): response = received
            case .data:
                defer { response = nil }
                return response.map { .made(.challenge(.asked(by: $0, kind: "serverTrust")), call) } ?? .made(call)
            default: break
            }
            return .made(call)
        },
        .calls(19, "ask twice whether credentials may be taken from the storage", of: .connection) { call in
            call == .useCredentialStorage ? .made(call, call) : .made(call)
        },
        .calls(18, letter: "b", "ask for a user's name by the method of the session") { call in
            guard case .challenge(let challenge) = call, !challenge.space.isOfConnection else { return .made(call) }
            return .made(.sessionChallenge(challenge))
        },
        .actions(18, letter: "c", "ask twice about one certificate", keeping: HeldAnswer()) { actions, event, _, held in
            held.filter(actions, after: event)
        },
        .actions(20, "forward a challenge that is its own to answer", as: .urlProtocol) { action, _ in
            guard case .tell(.challenge(var challenge)) = action else { return [action] }
            challenge.space.kind = "ntlm"
            return [.tell(.challenge(challenge))]
        },
        forwardedTrust,
    ]
}

extension BrokenRule {
    /// The other shapes do not say whether a question is still open, so there the second one may come too late.
    private static var twoChallenges: BrokenRule {
        var broken = BrokenRule.calls(10, "two challenges at once") { call in
            guard case .challenge = call else { return .made(call) }
            let question = OpenQuestion()
            return [.question(call, question), .during(question, call)]
        }
        for shape in [ReferenceShape.connection, .urlProtocol] {
            broken.breakage.changeCalls(of: shape, keeping: ()) { call, _ in
                if case .challenge = call { .made(call, call) } else { .made(call) }
            }
        }
        return broken
    }

    private static var forwardedTrust: BrokenRule {
        var broken = BrokenRule(
            RuleNumber(20), letter: "b", "ask the client whether a server is trusted", as: .urlProtocol)
        broken.breakage.forwardsTrust = true
        return broken
    }
}

extension LoadChallenge {
    /// A challenge that the loader would not make.
    fileprivate static func asked(by response: LoadResponse, kind: String) -> LoadChallenge {
        LoadChallenge(
            space: ProtectionSpace(kind: kind, origin: response.url.origin, realm: ""), previousFailureCount: 0,
            response: response)
    }
}
