internal import ProctorHTTP

/// Questions of a handshake (R18): they come before anything else is said on a connection.
extension Loader {
    mutating func handshakeAsks(_ challenge: LoadChallenge) -> [LoadAction] {
        guard !policy.resolvesTrustItself else { return [.answerHandshake(Self.defaultAnswer(to: challenge))] }
        phase = .securing(challenge)
        return [.tell(.challenge(challenge))]
    }

    mutating func handshakeAnswered(
        _ answer: LoadEvent.ChallengeAnswer, to challenge: LoadChallenge
    ) -> [LoadAction] {
        let isAboutServer = challenge.trust != nil
        switch answer {
        case .trust where isAboutServer: return goOn(.trust)
        case .identify(let identity) where !isAboutServer: return goOn(.identify(identity))
        case .byDefault: return goOn(Self.defaultAnswer(to: challenge))
        // No certificate is refused by a server that only asks, so there is nothing else to try.
        case .reject where !isAboutServer: return goOn(.stayAnonymous)
        // A credential of another kind is as good as none (R13), and without one the verdict counts.
        case .trust, .identify, .use, .goOnWithout:
            return goOn(isAboutServer ? Self.defaultAnswer(to: challenge) : .stayAnonymous)
        case .cancel, .reject:
            let what = isAboutServer ? "the question about the certificate" : "the request for a client certificate"
            let end = answer == .cancel ? "cancelled" : "rejected, and there is no other way to trust the server"
            return self.end(
                LoadError(.cancelled, "\(what) of \(challenge.space.origin) was \(end)"), byAnswer: true)
        }
    }

    private mutating func goOn(_ answer: HandshakeAnswer) -> [LoadAction] {
        phase = .sending
        return [.answerHandshake(answer)]
    }

    private static func defaultAnswer(to challenge: LoadChallenge) -> HandshakeAnswer {
        guard let trust = challenge.trust else { return .identifyByDefault }
        return trust.isTrusted ? .trust : .distrust
    }
}
