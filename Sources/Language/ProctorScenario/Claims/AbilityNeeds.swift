import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorNotation
import ProctorProgram

/// Finds the abilities that a client needs for a case from the case's program.
struct AbilityNeeds {
    package let origins: [Origin]
    /// Whether a reply of the scenario is a redirect.
    let redirects: Bool

    /// Whether names are asked for at a server of DNS.
    let asksDNS: Bool

    package init(origins: [Origin], exchanges: [Exchange], asksDNS: Bool = false) {
        (self.origins, self.asksDNS) = (origins, asksDNS)
        redirects = exchanges.contains { $0.replies.contains(where: \.isRedirect) }
    }

    /// The abilities that all steps together need.
    package func needs(of item: Case) -> Set<Ability> {
        var needs: Set<Ability> = []
        if origins.contains(where: { $0.role == .server && $0.protocols == [.h2] }) { needs.insert(.h2) }
        if origins.contains(where: { $0.role == .server && $0.protocols == [.h3] }) { needs.insert(.h3) }
        // Given bytes need no ability of a client that makes requests itself.
        if item.sendsBytes { return [.rawBytes] }
        for step in item.client.indices {
            needs.formUnion(ofRequest(item.client[step]))
            needs.formUnion(ofCourse(item.client[step]))
            needs.formUnion(ofRedirects(item, step))
            needs.formUnion(ofChallenges(item, step))
        }
        if needs.contains(.h2), item.opensWebSocket { needs.insert(.websocketH2) }
        for session in item.client.compactMap(\.session) { needs.formUnion(ofSession(session, item)) }
        if item.changesWays { needs.insert(.sessionChanges) }
        if item.cookies != nil, item.client.first?.session?.cookies != .never { needs.insert(.cookieJar) }
        if item.facts.contains(where: \.expectsFragment) { needs.insert(.fragment) }
        if item.facts.contains(where: \.readsStore) { needs.insert(.storeAccess) }
        needs.formUnion((item.facts + item.given).compactMap(\.reportingAbility))
        if origins.contains(where: { $0.tls != nil }), item.client.first?.session?.trust != SessionProgram.Trust.none {
            needs.insert(.trust)
        }
        if asksDNS { needs.insert(.dns) }
        if origins.contains(where: { $0.addresses?.count ?? 1 > 1 }) { needs.insert(.addresses) }
        return needs
    }

    // MARK: The request

    /// The methods of RFC 9110 §9 and RFC 5789; any other method needs an ability.
    private static let usualMethods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private func ofRequest(_ program: ClientProgram) -> Set<Ability> {
        var needs: Set<Ability> = []
        if !Self.usualMethods.contains(program.method) { needs.insert(.methods) }
        let names = program.headers.map { String(decoding: $0.name, as: UTF8.self).lowercased() }
        if Set(names).count < names.count { needs.insert(.repeatedFields) }
        if program.isURLVerbatim { needs.insert(.verbatimURLs) }
        if program.page != nil { needs.insert(.cors) }
        if program.body != nil, program.bodyForm != .data, program.bodyForm != .file { needs.insert(.uploadStream) }
        if origins.first?.transport == .unix { needs.insert(.unixSockets) }
        return needs
    }

    // MARK: The course of the load

    private func ofCourse(_ program: ClientProgram) -> Set<Ability> {
        // A property that is read by way of the program copies the whole step.
        let step = program.step
        var needs = step.neededAbilities
        if program.onCanonicalize != nil { needs.insert(.callbacks) }
        if step.task == .eventSource { needs.insert(.eventSource) }
        if step.task == .websocket { needs.insert(.websocket) }
        if step.task == .eventStream { needs.insert(.eventStream) }
        if program.protocolScript != nil { needs.insert(.urlProtocol) }
        switch step.cachePolicy {
        case .cacheElseLoad, .cacheOnly, .reloadAll, .revalidate: needs.insert(.cachePolicy)
        case .protocol, .reload, nil: break
        }
        return needs
    }

    private func ofSession(_ session: SessionProgram, _ item: Case) -> Set<Ability> {
        var needs = session.setup.neededAbilities
        if session.cookies == .mainDocument { needs.insert(.cookiesByDocument) }
        if session.pac != nil { needs.insert(.pac) }
        if session.httpsProxy != nil { needs.formUnion([.httpsProxy, .proxyTunnel]) }
        if session.noProxy != nil { needs.insert(.proxyExceptions) }
        if session.netrc != nil { needs.insert(.netrc) }
        if session.baseURL != nil { needs.insert(.baseURL) }
        if session.identity != nil { needs.insert(.identity) }
        if let proxy = session.proxy, origins.indices.contains(proxy), origins[proxy].socks != nil {
            needs.formUnion(ofSOCKS(session))
        } else if let proxy = session.proxy {
            needs.formUnion(ofProxy(item))
            if origins.indices.contains(proxy) {
                if origins[proxy].protocols == [.h2] { needs.insert(.proxyH2) }
                if isSecure(proxy) { needs.insert(.proxyTLS) }
            }
        }
        return needs
    }

    /// The ways in which an HTTP proxy is asked: the absolute form of targets, tunnels, or both (RFC 9112 §3.2).
    private func ofProxy(_ item: Case) -> Set<Ability> {
        let wire = item.wire?.text ?? ""
        let opensTunnel = wire.contains(text: "CONNECT ")
        var needs: Set<Ability> = []
        if opensTunnel || item.client.contains(where: { asksTLS($0.url) }) { needs.insert(.proxyTunnel) }
        let asksPlainly = item.client.contains { !asksTLS($0.url) }
        if wire.contains(text: " http://") || asksPlainly && !opensTunnel { needs.insert(.proxy) }
        return needs
    }

    private func ofSOCKS(_ session: SessionProgram) -> Set<Ability> {
        let version = session.proxyProtocol ?? .socks5h
        var needs: Set<Ability> = [version == .socks4 || version == .socks4a ? .socks4 : .socks]
        if session.proxyUser != nil, needs.contains(.socks) { needs.insert(.socksPassword) }
        if version.asksForAddresses, origins.contains(where: { $0.hostName != nil }) { needs.insert(.socksAddresses) }
        return needs
    }

    /// Whether the URL's text begins with `https`.
    private func asksTLS(_ url: Template) -> Bool {
        switch url.parts.first {
        case .literal(let bytes):
            bytes.starts(with: Array("https:".utf8)) || bytes.first == UInt8(ascii: "/") && isSecure(0)
        case .origin(let index): isSecure(index ?? 0)
        case .base, nil: isSecure(0)
        case .authority, .host, .port, .now, .capture, .value: false
        }
    }

    private func isSecure(_ origin: Int) -> Bool {
        origins.indices.contains(origin) && origins[origin].scheme == .https
    }

    // MARK: Answers

    private func ofRedirects(_ item: Case, _ step: Int) -> Set<Ability> {
        let answers = item.redirectAnswersReached(ofStep: step)
        guard redirects || item.redirectCount(ofStep: step) ?? 0 > 0 else { return [] }
        var needs: Set<Ability> = []
        for answer in answers {
            switch answer {
            case .follow: needs.insert(.redirects)
            case .refuse: needs.insert(.redirectRefuse)
            case .change: needs.insert(.redirectChange)
            case .cancel: needs.insert(.redirectCancel)
            case .cancelThenFollow, .cancelThenRefuse, .never, .twice: needs.insert(.callbacks)
            }
        }
        if needs.count > 1 { needs.insert(.redirectPerAnswer) }
        return needs
    }

    private func ofChallenges(_ item: Case, _ step: Int) -> Set<Ability> {
        let answers = item.challengeAnswersReached(ofStep: step)
        var needs: Set<Ability> = []
        for answer in answers {
            switch answer {
            case .use(let credential):
                needs.formUnion(ofCredential(credential, item, step))
                if credential.persistence != .none, item.client.count > step + 1 { needs.insert(.credentialStore) }
            // With these answers, the client sends no credential.
            case .useNone, .performDefault: break
            case .cancel, .reject, .cancelTask: needs.insert(.challengeCancel)
            case .twice, .cancelTaskThenUse, .never: needs.insert(.callbacks)
            case .trust: needs.insert(.trustQuestion)
            case .identity: needs.insert(.identityQuestion)
            }
        }
        let given = answers.filter { $0 != .performDefault && $0 != .useNone }
        if given.dropFirst().contains(where: { $0 != given.first }) { needs.insert(.challengesInTurn) }
        return needs
    }

    /// The ability depends on the schemes that the case expects; without any, one of several is enough.
    private func ofCredential(
        _ credential: ClientProgram.Credential, _ item: Case, _ step: Int
    ) -> Set<Ability> {
        if credential.token != nil { return [.bearer] }
        let kinds = item.challengeKinds(ofStep: step)
        guard kinds.count == 1, let kind = kinds.first else { return [] }
        switch kind {
        case "basic", "proxyBasic": return [.basic]
        case "digest", "proxyDigest": return [.digest]
        case "ntlm", "proxyNtlm": return [.ntlm]
        // A case that is about the stub mechanism needs that, and says so.
        case "negotiate", "proxyNegotiate": return item.needs.contains(.negotiateStub) ? [] : [.negotiate]
        default: return []
        }
    }
}

extension Case {
    /// Whether its client sends given bytes, so that what stands between it and the server is the subject.
    package var sendsBytes: Bool { client.contains { !$0.bytes.isEmpty } }

    /// Whether a later step has a session of its own that differs from the first one in more than the base URL.
    fileprivate var changesWays: Bool {
        let first = client.first?.session ?? SessionProgram()
        return client.dropFirst().compactMap(\.session).contains { session in
            session.baseURL == first.baseURL || session.withBaseURL(of: first) != first
        }
    }

    /// The kinds of challenges in the step's expressions, except those of TLS.
    fileprivate func challengeKinds(ofStep step: Int) -> Set<String> {
        let symbols = endExpression(ofStep: step)?.symbols ?? []
        let kinds = symbols.filter { $0.name == EventName.challenge.rawValue }.flatMap { symbol -> [String] in
            symbol.arguments.map { pattern in
                if case .exact(let kind) = pattern { kind } else { "" }
            }
        }
        return Set(kinds).subtracting(["serverTrust", "clientCert"])
    }
}

extension Fact {
    /// Whether the fact is about a store that only the application can read.
    fileprivate var readsStore: Bool {
        name.row.store != nil
    }

    /// The ability to report the fact, where not every client has it.
    fileprivate var reportingAbility: Ability? {
        guard case .client(_, let fact) = name else { return nil }
        if fact.trailerName != nil { return .responseTrailers }
        return FactKey(rawValue: fact.text).flatMap { Ability.byFact[$0] }
    }

    /// Whether the fact expects a URL with a fragment.
    fileprivate var expectsFragment: Bool {
        guard case .client(_, "url") = name, case .text(let template) = expected else { return false }
        return template.parts.contains { part in
            if case .literal(let bytes) = part { bytes.contains(UInt8(ascii: "#")) } else { false }
        }
    }
}

extension Reply {
    /// Whether the reply has a Location and a redirect status (RFC 9110 §15.4).
    fileprivate var isRedirect: Bool {
        guard case .structured(let reply)? = message, RedirectRules.isRedirect(status: reply.status) else {
            return false
        }
        return reply.headers.contains { $0.isNamed("location") }
    }
}
