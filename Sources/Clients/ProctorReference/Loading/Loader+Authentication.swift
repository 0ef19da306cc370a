internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorHTTPClient

extension Loader {
    /// The challenges that this client can answer, in a 401 of this origin or a 407 of the proxy (R16).
    private func offers(by response: LoadResponse) -> [AuthenticationOffer] {
        switch response.status {
        // A proxy may not ask for the server's credential.
        case 401 where isTunnelRefused: []
        case 401: offers(in: "WWW-Authenticate", of: response, at: response.url.origin, isProxy: false)
        case 407:
            // A 407 from a server that is no proxy of this client is an ordinary response (RFC 9110 §15.5.8).
            asker(of: response).map { offers(in: "Proxy-Authenticate", of: response, at: $0, isProxy: true) } ?? []
        default: []
        }
    }

    /// The proxy that made the response itself.
    private func asker(of response: LoadResponse) -> Origin? {
        isTunnelRefused ? policy.tunnelProxy(for: response.url) : policy.handingProxy(for: response.url)
    }

    private func offers(
        in name: StaticString, of response: LoadResponse, at origin: Origin, isProxy: Bool
    ) -> [AuthenticationOffer] {
        let asker = AuthenticationOffer.Challenger(
            origin: origin, isProxy: isProxy, asksForTokens: policy.asksForTokens && !isProxy,
            readFile: memory.readFile, hasher: memory.hasher,
            keepsConnection: policy.asksForTokens && !isOnStreams ? response.head.keepsConnection : nil,
            mechanisms: policy.mechanisms)
        return AuthenticationOffer.list(in: response.head.fields.values(named: name), by: asker, for: request.body)
    }

    /// Answers without a question where possible, else asks the client; delivers the response when it has no usable
    /// challenge.
    mutating func challenge(by response: LoadResponse) -> [LoadAction] {
        let isProxy = response.status == 407
        let offers = offers(by: response)
        guard !offers.isEmpty else { return settle(response) }
        if let used = authentication[isProxy: isProxy], let offer = offers.first(where: { used.goesOn(by: $0) }) {
            if used.isSent, used.isContinued(by: offer), used.staleCount < Self.staleLimit {
                return again(used, isProxy: isProxy) { $0.renew(by: offer, of: response.url) }
            }
            // This is another URL of the same space, which accepted the credential.
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
        return ask(authentication.left(of: offers), by: response)
    }

    /// The most consecutive new nonces that are used before the client is asked.
    private static let staleLimit = 3

    private mutating func again(
        _ used: Authorization, isProxy: Bool, _ change: (inout Authorization) -> Void
    ) -> [LoadAction] {
        var changed = used
        change(&changed)
        authentication[isProxy: isProxy] = changed
        remember { $0.update(changed) }
        return drain()
    }

    /// Asks the client about the first of `offers`; one question at a time (R10).
    private mutating func ask(_ offers: [AuthenticationOffer], by response: LoadResponse) -> [LoadAction] {
        guard let offer = offers.first else { return settle(response) }
        if let credential = credentialOfURL(for: offer) {
            do throws(Authorization.Unusable) {
                let tried = try Authorization(
                    credential, from: .url, to: offer, of: response.url, policy.mechanisms)
                authentication.server = tried
                return drain()
            } catch {
                // A stored credential that can't be sent counts as no failure, since the client has not answered yet.
            }
        }
        let failure = authentication.failures[offer.space]
        let challenge = LoadChallenge(
            space: offer.space, previousFailureCount: failure?.count ?? 0,
            proposedCredential: failure?.credential ?? storedCredential(for: offer.space), response: response)
        phase = .challenging(
            ChallengeChoice(
                response: response, offer: offer, others: Array(offers.dropFirst()), challenge: challenge))
        return [.tell(.challenge(challenge))]
    }

    /// The credential in the URL, which is tried once at each server and never at a proxy.
    private mutating func credentialOfURL(for offer: AuthenticationOffer) -> LoadCredential? {
        guard !offer.space.isProxy, offer.scheme != .bearer, let named = request.url.userAndPassword,
            authentication.triedURLs.insert(request.url.origin).inserted
        else { return nil }
        return LoadCredential(user: named.user, password: named.password)
    }

    private func storedCredential(for space: LoadChallenge.ProtectionSpace) -> LoadCredential? {
        authentication.usesStored ? memory.credential(for: space) : nil
    }

    // MARK: Answers

    mutating func challengeAnswered(_ answer: ChallengeAnswer, to negotiation: ChallengeChoice) -> [LoadAction] {
        let space = negotiation.challenge.space
        switch answer {
        case .use(let credential): return use(credential, from: .answer, for: negotiation)
        // A credential of another kind counts as none (R13).
        case .goOnWithout, .trust, .identify: return settle(negotiation.response)
        case .byDefault:
            // A refused credential is not tried again.
            guard negotiation.challenge.previousFailureCount == 0, let stored = storedCredential(for: space) else {
                return settle(negotiation.response)
            }
            return use(stored, from: .store, for: negotiation)
        case .reject:
            authentication.rejected.insert(space)
            return ask(negotiation.others, by: negotiation.response)
        case .cancel:
            let reason = "the challenge of realm \"\(space.realm)\" was cancelled"
            return endLoad(LoadError(.cancelled, reason), byAnswer: true)
        }
    }

    private mutating func use(
        _ credential: LoadCredential, from source: Authorization.Source, for negotiation: ChallengeChoice
    ) -> [LoadAction] {
        do throws(Authorization.Unusable) {
            let used = try Authorization(
                credential, from: source, to: negotiation.offer, of: negotiation.response.url, policy.mechanisms)
            authentication[isProxy: used.space.isProxy] = used
            // What other loads recorded about the space is older than this challenge.
            remember { $0.update(used) }
            return drain()
        } catch {
            switch error {
            // Counts as no credential (R13).
            case .anotherKind: return settle(negotiation.response)
            case .unsendable(let reason):
                return endLoad(LoadError(.userAuthenticationRequired, reason), byAnswer: true)
            }
        }
    }
}

extension Loader {
    /// The request target on the wire (RFC 9112 §3.2).
    private var wireTarget: [UInt8] {
        policy.handingProxy(for: request.url) == nil ? request.url.target : request.url.absoluteTarget
    }

    /// Adds known credentials, the server's for the server only and the proxy's for the proxy only.
    mutating func authorize(_ outgoing: inout ClientRequest) {
        authorize(&outgoing, as: "Authorization", at: request.url.origin, by: wireTarget, isProxy: false)
        guard let proxy = policy.handingProxy(for: request.url) else { return }
        authorize(&outgoing, as: "Proxy-Authorization", at: proxy, by: wireTarget, isProxy: true)
    }

    mutating func authorize(
        _ outgoing: inout ClientRequest, as name: String, at origin: Origin, by target: [UInt8], isProxy: Bool
    ) {
        if authentication[isProxy: isProxy]?.covers(request.url, at: origin) != true {
            authentication[isProxy: isProxy]?.leaveOut()
            // A field that the caller wrote is kept until a server refuses it.
            guard authentication.usesStored, !outgoing.fields.contains(named: name),
                let recalled = memory.recall(request.url, at: origin, isProxy: isProxy),
                authentication.failures[recalled.space] == nil
            else { return }
            authentication[isProxy: isProxy] = recalled
        }
        guard var authorization = authentication[isProxy: isProxy] else { return }
        if let known = memory[authorization.space] { authorization.follow(known) }
        let method = policy.opensWebSocket && isOnStreams ? "CONNECT" : outgoing.method
        if let value = authorization.fieldValue(for: outgoing, method: method, target: target, by: memory) {
            outgoing.fields.set(HTTPField(name: name, bytes: value))
        }
        authentication[isProxy: isProxy] = authorization
        remember { $0.update(authorization) }
    }

    /// Reads what the final head says about the credentials; returns an error when the server's proof is wrong.
    mutating func heed(_ response: LoadResponse) -> LoadError? {
        // The proxy has not seen a request inside a tunnel.
        let isHanded = policy.handingProxy(for: response.url) != nil
        return (isHanded ? heed(response, isProxy: true) : nil) ?? heed(response, isProxy: false)
    }

    mutating func heed(_ response: LoadResponse, isProxy: Bool) -> LoadError? {
        // A refusal by the proxy is not about the server's credential, which the server has not received.
        guard response.status != 407, isProxy || response.status != 401,
            var authorization = authentication[isProxy: isProxy], authorization.isSent
        else { return nil }
        let name: StaticString = isProxy ? "Proxy-Authentication-Info" : "Authentication-Info"
        let values = response.head.fields.values(named: name)
        if !values.isEmpty, let answer = authorization.answer {
            let info = AuthenticationInfo(values.map { Array($0) })
            if let reason = answer.contradiction(in: info, by: memory.hasher) {
                return LoadError(
                    .badServerResponse,
                    "\(response.url): \(name) does not belong to the credential that was sent: \(reason) "
                        + "(RFC 7616 §3.5)")
            }
            if let nonce = info.nextNonce { authorization.goOn(with: nonce) }
        }
        let challenges: StaticString = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
        if !policy.believesAnyServer,
            let reason = authorization.contradiction(in: response.head.fields.values(named: challenges))
        {
            return LoadError(
                .badServerResponse,
                "\(response.url): \(challenges) is not of a server to trust: \(reason) (RFC 4559 §5)")
        }
        // A 403 may refuse the credential.
        if response.status != 403 {
            authorization.accept()
            remember { $0.remember(authorization) }
        } else {
            remember { $0.update(authorization) }
        }
        authentication[isProxy: isProxy] = authorization
        return nil
    }

    // MARK: Questions of a handshake (R18), which come before any request on the connection

    mutating func handshakeAsks(_ challenge: LoadChallenge) -> [LoadAction] {
        guard !policy.resolvesTrustItself else { return [.answerHandshake(Self.defaultAnswer(to: challenge))] }
        phase = .securing(challenge)
        return [.tell(.challenge(challenge))]
    }

    mutating func handshakeAnswered(_ answer: ChallengeAnswer, to challenge: LoadChallenge) -> [LoadAction] {
        let isAboutServer = challenge.trust != nil
        switch answer {
        case .trust where isAboutServer: return goOn(.trust)
        case .identify(let identity) where !isAboutServer: return goOn(.identify(identity))
        case .byDefault: return goOn(Self.defaultAnswer(to: challenge))
        // A server that only requests a certificate has refused none, so no other identity is tried.
        case .reject where !isAboutServer: return goOn(.stayAnonymous)
        // A credential of another kind counts as none (R13); the verdict then decides.
        case .trust, .identify, .use, .goOnWithout:
            return goOn(isAboutServer ? Self.defaultAnswer(to: challenge) : .stayAnonymous)
        case .cancel, .reject:
            let what = isAboutServer ? "the question about the certificate" : "the request for a client certificate"
            let end = answer == .cancel ? "cancelled" : "rejected, and there is no other way to trust the server"
            return self.endLoad(
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

    // MARK: CONNECT to a proxy and its reply (RFC 9110 §9.3.6)

    /// Makes the CONNECT request, which has only the proxy's credential and User-Agent of the original request's
    /// fields.
    mutating func tunnelNeeded() -> [LoadAction] {
        guard let proxy = policy.tunnelProxy(for: request.url) else { return [] }
        let fields = request.fields.filter { field in Self.namesForProxies.contains(field.name.lowercased()) }
        var asked = ClientRequest(method: "CONNECT", url: request.url, fields: fields)
        authorize(
            &asked, as: "Proxy-Authorization", at: proxy, by: RequestForm.authority.target(of: request.url),
            isProxy: true)
        return [.openTunnel(asked)]
    }

    private static let namesForProxies: Set = ["proxy-authorization", "user-agent"]

    /// Records that the proxy accepted the credential, if it asked for one.
    mutating func tunnelOpened(_ head: ReplyHead) -> [LoadAction] {
        heed(LoadResponse(url: request.url, head: head), isProxy: true).map { endLoad($0) } ?? []
    }

    /// Handles a 407 as a challenge; other replies are not the origin's, so they are never delivered as responses.
    mutating func tunnelRefused(_ head: ReplyHead) -> [LoadAction] {
        let response = LoadResponse(url: request.url, head: head)
        // No byte of the request was sent.
        request.body = unsentBody
        isTunnelRefused = true
        if let error = heed(response, isProxy: true) { return endLoad(error) }
        return challenge(by: response)
    }

    /// Ends the questions: delivers the response, or fails when there is no tunnel.
    mutating func settle(_ response: LoadResponse) -> [LoadAction] {
        guard isTunnelRefused else { return deliver(response) }
        let proxy = policy.tunnelProxy(for: response.url)?.authority ?? ""
        let place = response.url.origin.hostAndPort
        let advice =
            response.status == 407
            ? "answer its challenge with a credential" : "the reply is the proxy's own, so it is not shown"
        return endLoad(
            LoadError(
                response.status == 407 ? .userAuthenticationRequired : .cannotConnect,
                "the proxy \(proxy) made no tunnel to \(place): it answered CONNECT with \(response.status) "
                    + "(RFC 9110 §9.3.6); \(advice)"))
    }
}
