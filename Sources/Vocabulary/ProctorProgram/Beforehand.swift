/// Settings that a client without callbacks gets before a step, in place of the step's answers.
package struct Beforehand: Sendable, Equatable {
    /// Whether redirects are followed.
    package let follow: Bool
    /// The one credential for all challenges of the step; nil: none.
    package let credential: Assignment.Credential?

    /// Makes the settings; nil when no settings have the effect of the step's answers.
    ///
    /// `judgesServers`: the session has an authority, so a redirect may lead to a server that shows a certificate.
    package init?(_ step: Assignment.Step, hasProxy: Bool, judgesServers: Bool) {
        let redirects = Self.met(step.onRedirect, step.redirectCount)
        // When the case expects no redirect, a redirect that comes nevertheless gets the first answer.
        switch (redirects.isEmpty ? Array(step.onRedirect.prefix(1)) : redirects).map(\.word).uniqued {
        case ["follow"]: follow = true
        case ["refuse"]: follow = false
        default:
            guard redirects.isEmpty else { return nil }
            follow = true
        }
        var challenges = Self.met(step.onChallenge, step.challengeCount)
        guard !challenges.isEmpty else {
            // The case expects no challenge; with the credential, a client that sends it nevertheless is noticed.
            credential = step.onChallenge.first?.used
            return
        }
        let mayComeToTLS = judgesServers && follow && step.redirectCount != 0
        if step.url.lowercased().hasPrefix("https:") || mayComeToTLS {
            // The first challenge is about the server's certificate, which such a client validates without asking. On
            // http, `default` to a challenge of HTTP ends the load, so a `use` after it would answer nothing.
            challenges.removeFirst(challenges.prefix { $0.word == "default" }.count)
        }
        let used = challenges.prefix { $0.used != nil }
        let behind = challenges[used.endIndex...]
        // When a proxy asks too, the order of the challenges does not show which one comes from the proxy.
        guard used.allSatisfy({ $0.used == used[0].used }),
            behind.allSatisfy({ $0.word == "default" || $0.word == "use-none" }),
            behind.isEmpty || used.isEmpty || !hasProxy
        else { return nil }
        credential = used.first?.used
    }

    /// The answers that a correct client uses; all answers when the case does not say how many questions the client
    /// gets.
    private static func met<Answer>(_ answers: [Answer], _ count: Int?) -> [Answer] {
        count.map { Array(answers.prefix($0)) } ?? answers
    }
}

extension Assignment.ChallengeAnswer {
    /// The credential of the answer `use`; nil for any other answer.
    fileprivate var used: Assignment.Credential? { word == "use" ? credential : nil }
}

extension [String] {
    /// Without repetitions of the word before.
    fileprivate var uniqued: [String] {
        reduce(into: []) { words, word in
            if words.last != word { words.append(word) }
        }
    }
}

extension SessionSetup {
    /// The address of a URL's host, when the assignment has that name; nil for any other host.
    func address(of url: String) -> String? {
        guard let names, let (scheme, rest) = Self.split(url, at: "://") else { return nil }
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("["), !authority.contains("@") else { return nil }
        let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var name = parts[0].lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let port = parts.count == 2 ? Int(parts[1]) : scheme.lowercased() == "https" ? 443 : 80
        return names.first { $0.name == name && $0.port == port }?.address
    }

    private static func split(_ text: String, at separator: String) -> (Substring, Substring)? {
        guard let start = text.firstIndex(of: ":"), text[start...].hasPrefix(separator) else { return nil }
        return (text[..<start], text[start...].dropFirst(separator.count))
    }
}
