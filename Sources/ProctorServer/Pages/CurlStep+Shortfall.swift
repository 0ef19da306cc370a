internal import ProctorHTTP
import ProctorProgram
internal import ProctorScenario

extension CurlStep {
    /// What the program asks for that curl can't do; nil when the options do all of it.
    var shortfall: String? {
        for answer in program.onRedirect {
            if case .change = answer { return "curl can't answer a redirect with a request of its own" }
        }
        let follows = program.onRedirect.map { if case .follow = $0 { true } else { false } }
        if Set(follows).count > 1 { return "curl follows all redirects or none" }
        if let reason = answerShortfall ?? credentialShortfall { return reason }
        if words.contains("@FILE") { return "FILE is to hold the body, which can't be typed" }
        return nil
    }

    /// Of how challenges are answered.
    private var answerShortfall: String? {
        let answers = program.onChallenge
        guard let first = answers.first else { return nil }
        if program.answerAfter != nil { return "curl answers at once" }
        for answer in answers {
            switch answer {
            case .twice: return "curl gives an answer once"
            case .cancelTaskThenUse: return "curl can't cancel and answer"
            case .use, .cancelTask, .useNone, .performDefault, .cancel, .reject, .never, .trust, .identity: break
            }
        }
        let offered = hasCredentialInURL ? 1 : 0
        if Set(credentials.map(\.typed)).count + offered > max(placed.count, offered) {
            return "curl gives one answer to every challenge"
        }
        // A credential of the caller's own is to be right, and then nobody is asked.
        guard remembered == nil, !sendsItsOwn else { return nil }
        switch first {
        case .use, .twice, .cancelTaskThenUse, .performDefault, .trust, .identity: return nil
        case .cancel, .cancelTask: return "curl can't cancel at a challenge, and takes its response"
        case .reject: return "curl can't reject a challenge, and takes its response"
        case .useNone: return "curl isn't asked, and takes the response of the challenge"
        case .never: return "curl can't leave a challenge unanswered"
        }
    }

    private var sendsItsOwn: Bool {
        program.headers.contains {
            ["authorization", "proxy-authorization"].contains(String(decoding: $0.name, as: UTF8.self).lowercased())
        }
    }

    /// Of what is given.
    private var credentialShortfall: String? {
        for (credential, isProxy) in placed {
            if credential.token != nil, remembered == nil { return "curl doesn't wait to be asked for a token" }
            if credential.user.contains(":") { return "curl parts user and password at the first colon" }
            let names = schemes(ofProxies: isProxy)
            if remembered != nil, names != ["basic"] { return "curl has to be asked again in each step" }
            if program.body != nil, names == ["digest"], wantsContentHash(ofProxies: isProxy) {
                return "curl hashes an empty content for auth-int"
            }
        }
        return nil
    }

    private func wantsContentHash(ofProxies isProxy: Bool) -> Bool {
        guards.filter { $0.isProxy == isProxy }.flatMap(\.schemes).contains { scheme in
            guard case .digest(let offer) = scheme else { return false }
            return offer.qops == [.integrity]
        }
    }
}
