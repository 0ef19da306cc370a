import ProctorProgram
internal import ProctorScenario

extension CurlStep {
    /// Whom to trust, and who to be, where TLS is spoken.
    var security: [String] {
        guard let trust = place.trust else { return [] }
        var words: [String] = []
        if program.onChallenge.contains(where: \.isTrust) {
            words.append("-k")
        } else if session?.trust ?? .authority == .authority {
            words += ["--cacert", trust.authority]
        }
        let name = session?.identity ?? program.onChallenge.lazy.compactMap(\.identityName).first
        if let identity = name.flatMap({ trust.identities[$0] }) {
            words += ["--cert", identity.certificate, "--key", identity.key]
        }
        return words
    }
}

extension ClientProgram.ChallengeAnswer {
    fileprivate var isTrust: Bool {
        if case .trust = self { true } else { false }
    }

    fileprivate var identityName: String? {
        if case .identity(let name) = self { name } else { nil }
    }
}
