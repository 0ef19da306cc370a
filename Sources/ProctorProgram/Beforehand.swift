/// What a client is told before a step that has no callbacks to be asked in.
package struct Beforehand: Equatable {
    /// Whether redirects are followed.
    package let follow: Bool
    /// The one credential for its challenges; nil: none.
    package let credential: Assignment.Credential?

    /// Nil where the answers of the step can't be told so.
    ///
    /// `judgesServers`: the session has an authority, so that a redirect may lead to a server that shows a certificate.
    package init?(_ step: Assignment.Step, hasProxy: Bool, judgesServers: Bool) {
        let redirects = Self.met(step.onRedirect, step.redirectCount)
        // Where none should come, one that comes all the same gets the first answer.
        switch (redirects.isEmpty ? Array(step.onRedirect.prefix(1)) : redirects).map(\.word).uniqued {
        case ["follow"]: follow = true
        case ["refuse"]: follow = false
        default:
            guard redirects.isEmpty else { return nil }
            follow = true
        }
        var challenges = Self.met(step.onChallenge, step.challengeCount)
        guard !challenges.isEmpty else {
            // No question should come; a client that sends the credential nevertheless is to be seen.
            credential = step.onChallenge.first?.used
            return
        }
        let mayComeToTLS = judgesServers && follow && step.redirectCount != 0
        if step.url.lowercased().hasPrefix("https:") || mayComeToTLS {
            // The first question is about the server, which such a client judges without asking. On http, behind a
            // `default` to a challenge of HTTP, the load ends, and a `use` behind it would answer nothing.
            challenges.removeFirst(challenges.prefix { $0.word == "default" }.count)
        }
        let used = challenges.prefix { $0.used != nil }
        let behind = challenges[used.endIndex...]
        // Where a proxy asks too, the order of the questions does not say which one the proxy asked.
        guard used.allSatisfy({ $0.used == used[0].used }),
            behind.allSatisfy({ $0.word == "default" || $0.word == "use-none" }),
            behind.isEmpty || used.isEmpty || !hasProxy
        else { return nil }
        credential = used.first?.used
    }

    /// The answers that a right client comes to; all that are written where the case does not say how many
    /// questions it meets.
    private static func met<Answer>(_ answers: [Answer], _ count: Int?) -> [Answer] {
        count.map { Array(answers.prefix($0)) } ?? answers
    }
}

extension Assignment.ChallengeAnswer {
    /// The credential of the answer `use`; nil for any other answer.
    fileprivate var used: Assignment.Credential? { word == "use" ? credential : nil }
}

extension [String] {
    /// Without repetitions of the one before.
    fileprivate var uniqued: [String] {
        reduce(into: []) { words, word in
            if words.last != word { words.append(word) }
        }
    }
}

extension SessionSetup {
    /// Where the host of a URL listens, of the names that the assignment knows; nil for any other host.
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
