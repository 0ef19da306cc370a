internal import ProctorHTTP

/// Questions for credentials (R10–R17).
extension Loader {
    /// What a 401 of this origin, or a 407 of the proxy, asks for and this client can give (R16).
    private func offers(by response: LoadResponse) -> [AuthenticationOffer] {
        switch response.status {
        // A proxy has no business with the server's credential.
        case 401 where isTunnelRefused: []
        case 401: offers(in: "WWW-Authenticate", of: response, at: response.url.origin, isProxy: false)
        case 407:
            // From a server that nobody takes for a proxy it is a response as any other (RFC 9110 §15.5.8).
            asker(of: response).map { offers(in: "Proxy-Authenticate", of: response, at: $0, isProxy: true) } ?? []
        default: []
        }
    }

    /// The proxy that has answered itself.
    private func asker(of response: LoadResponse) -> Origin? {
        isTunnelRefused ? policy.tunnelProxy(for: response.url) : policy.handingProxy(for: response.url)
    }

    private func offers(
        in name: StaticString, of response: LoadResponse, at origin: Origin, isProxy: Bool
    ) -> [AuthenticationOffer] {
        let asker = AuthenticationOffer.Asker(
            origin: origin, isProxy: isProxy, asksForTokens: policy.asksForTokens,
            readFile: memory.readFile, hasher: memory.hasher)
        return AuthenticationOffer.list(
            in: response.head.fields.values(named: name), by: asker, for: request.body)
    }

    /// Answers in silence where no question is due, else asks; the response itself where there is nothing to ask about.
    mutating func challenge(by response: LoadResponse) -> [LoadAction] {
        let isProxy = response.status == 407
        let offers = offers(by: response)
        guard !offers.isEmpty else { return settle(response) }
        if let used = authentication[isProxy: isProxy], let offer = offers.first(where: { used.goesOn(by: $0) }) {
            if used.isSent, offer.isStale, used.staleCount < Self.staleLimit {
                return again(used, isProxy: isProxy) { $0.renew(by: offer, of: response.url) }
            }
            // The same space begins elsewhere too, and its credential is good.
            if !used.isSent, used.isAccepted {
                return again(used, isProxy: isProxy) { $0.extend(by: offer, of: response.url) }
            }
        }
        if let used = authentication[isProxy: isProxy] {
            if used.isSent {
                authentication.fail(isProxy: isProxy)
                remember { $0.forget(used) }
            } else {
                authentication[isProxy: isProxy] = nil
            }
        }
        return ask(offers.filter { !authentication.rejected.contains($0.space) }, by: response)
    }

    /// New nonces in a row that are taken before the client is asked.
    private static let staleLimit = 3

    private mutating func again(
        _ used: Authorization, isProxy: Bool, _ change: (inout Authorization) -> Void
    ) -> [LoadAction] {
        var changed = used
        change(&changed)
        authentication[isProxy: isProxy] = changed
        remember { $0.update(changed) }
        return leave()
    }

    /// Asks about the first of what is left; one at a time (R10).
    private mutating func ask(_ offers: [AuthenticationOffer], by response: LoadResponse) -> [LoadAction] {
        guard let offer = offers.first else { return settle(response) }
        if let credential = credentialOfURL(for: offer) {
            do throws(Authorization.Refusal) {
                let tried = try Authorization(credential, from: .url, to: offer, of: response.url)
                authentication.server = tried
                return leave()
            } catch {
                // One that can't be sent is no reason to fail: nobody has given an answer yet.
            }
        }
        let failure = authentication.failures[offer.space]
        let challenge = LoadChallenge(
            space: offer.space, previousFailureCount: failure?.count ?? 0,
            proposedCredential: failure?.credential ?? storedCredential(for: offer.space), response: response)
        phase = .challenging(
            Negotiation(
                response: response, offer: offer, others: Array(offers.dropFirst()), challenge: challenge))
        return [.tell(.challenge(challenge))]
    }

    /// Tried once for each server, and never at a proxy.
    private mutating func credentialOfURL(for offer: AuthenticationOffer) -> LoadCredential? {
        guard !offer.space.isProxy, offer.scheme != .bearer, let credential = LoadCredential(of: request.url),
            authentication.triedURLs.insert(request.url.origin).inserted
        else { return nil }
        return credential
    }

    private func storedCredential(for space: LoadChallenge.ProtectionSpace) -> LoadCredential? {
        authentication.usesStored ? memory.credential(for: space) : nil
    }

    // MARK: Answers

    mutating func challengeAnswered(
        _ answer: LoadEvent.ChallengeAnswer, to negotiation: Negotiation
    ) -> [LoadAction] {
        let space = negotiation.challenge.space
        switch answer {
        case .use(let credential): return use(credential, from: .answer, for: negotiation)
        // A credential of another kind is as good as none (R13).
        case .goOnWithout, .trust, .identify: return settle(negotiation.response)
        case .byDefault:
            // One that was refused is not tried again.
            guard negotiation.challenge.previousFailureCount == 0, let stored = storedCredential(for: space) else {
                return settle(negotiation.response)
            }
            return use(stored, from: .store, for: negotiation)
        case .reject:
            authentication.rejected.insert(space)
            return ask(negotiation.others, by: negotiation.response)
        case .cancel:
            let reason = "the challenge of realm \"\(space.realm)\" was cancelled"
            return end(LoadError(.cancelled, reason), byAnswer: true)
        }
    }

    private mutating func use(
        _ credential: LoadCredential, from source: Authorization.Source, for negotiation: Negotiation
    ) -> [LoadAction] {
        do throws(Authorization.Refusal) {
            let used = try Authorization(
                credential, from: source, to: negotiation.offer, of: negotiation.response.url)
            authentication[isProxy: used.space.isProxy] = used
            // What others know of the space was said before this challenge.
            remember { $0.update(used) }
            return leave()
        } catch {
            switch error {
            // As good as none (R13).
            case .anotherKind: return settle(negotiation.response)
            case .unsendable(let reason):
                return end(LoadError(.userAuthenticationRequired, reason), byAnswer: true)
            }
        }
    }
}

extension LoadCredential {
    /// User and password of a URL; nil where it names no password, not even an empty one.
    fileprivate init?(of url: ClientURL) {
        guard let named = url.userAndPassword else { return nil }
        self.init(user: named.user, password: named.password)
    }
}
