import ProctorProgram
internal import ProctorScenario

extension CurlStep {
    /// Options for the proxy and for credentials, with the schemes that the scenario's guards take.
    var authentication: [String] {
        var words = proxy.map { ["--proxy", "http://\($0)"] } ?? []
        for (credential, isProxy) in placed {
            words += Self.options(credential, isProxy: isProxy, scheme: scheme(ofProxies: isProxy))
        }
        if placed.isEmpty, hasCredentialInURL { words.append("--" + scheme(ofProxies: false)) }
        return words
    }

    /// What is answered to whom: one credential for the proxy and one for the origin, each where it asks.
    var placed: [(credential: ClientProgram.Credential, isProxy: Bool)] {
        if let remembered { return [(remembered, asks.first ?? false)] }
        guard asks.count > 1 else { return credentials.prefix(1).map { ($0, asks.first ?? false) } }
        var left = program.onChallenge[...]
        // A proxy asks first.
        return asks.compactMap { isProxy in
            guard let answer = left.first else { return nil }
            if left.count > 1 { left.removeFirst() }
            return answer.credential.map { ($0, isProxy) }
        }
    }

    /// What the program answers to challenges, in turn.
    var credentials: [ClientProgram.Credential] { program.onChallenge.compactMap(\.credential) }

    /// Whether an origin behind a redirect is to get the credential, which `-L` keeps from it.
    var crossesWithCredentials: Bool { !placed.isEmpty && proxy == nil && route.asksElsewhere }

    /// Of the exchanges on the way, or of all where the way can't be told.
    var guards: [Guard] {
        let indexes = route.exchanges.isEmpty ? Set(scenario.exchanges.flatMap(\.guards)) : route.guards
        return indexes.sorted().map { scenario.guards[$0] }
    }

    /// User information before the host, as in `http://user:pass@host/`.
    var hasCredentialInURL: Bool {
        guard let url = words(ofURL: program) else { return false }
        return url.contains("@")
    }

    /// The authority of an absolute URL.
    private func words(ofURL program: ClientProgram) -> Substring? {
        guard case .literal(let bytes)? = program.url.parts.first else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let scheme = text.firstRange(of: "://") else { return nil }
        return text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    }

    /// Whether proxies ask, then whether origins do; without any guard it is whoever replies 401 or 407.
    private var asks: [Bool] {
        let proxies = Set(guards.map(\.isProxy))
        if proxies.isEmpty { return [proxy != nil] }
        return [true, false].filter(proxies.contains)
    }

    /// `digest` where nothing else is offered, `basic` for what goes unasked, and `anyauth` for what waits to be asked.
    private func scheme(ofProxies isProxy: Bool) -> String {
        let names = schemes(ofProxies: isProxy)
        if names == ["digest"], program.body == nil { return "digest" }
        return remembered != nil && names == ["basic"] ? "basic" : "anyauth"
    }

    /// In lower case.
    func schemes(ofProxies isProxy: Bool) -> Set<String> {
        var names: Set<String> = []
        for scheme in guards.filter({ $0.isProxy == isProxy }).flatMap(\.schemes) {
            switch scheme {
            case .basic: names.insert("basic")
            case .digest: names.insert("digest")
            case .messages(let offer): names.insert(offer.scheme.lowercased())
            case .bearer, .verbatim: break
            }
        }
        return names
    }

    private static func options(_ credential: ClientProgram.Credential, isProxy: Bool, scheme: String) -> [String] {
        if let token = credential.token {
            return [isProxy ? "--proxy-header" : "-H", "\(isProxy ? "Proxy-" : "")Authorization: Bearer \(token)"]
        }
        let prefix = isProxy ? "--proxy-" : "--"
        return [prefix + scheme, "\(prefix)user", credential.typed]
    }
}

extension ClientProgram.ChallengeAnswer {
    /// What it gives, if it gives anything.
    var credential: ClientProgram.Credential? {
        switch self {
        case .use(let credential), .twice(let credential), .cancelTaskThenUse(let credential): credential
        case .cancelTask, .useNone, .performDefault, .cancel, .reject, .never, .trust, .identity: nil
        }
    }
}

extension ClientProgram.Credential {
    /// As curl takes it.
    var typed: String { token ?? "\(user):\(password)" }
}
