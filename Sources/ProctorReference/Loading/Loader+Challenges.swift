import ProctorHTTP

extension Loader {
    /// What a 401 of this origin asks for and this client can give; empty: it is an ordinary response (R16).
    func offeredSpaces(by response: LoadResponse) -> [LoadChallenge.ProtectionSpace] {
        guard response.status == 401 else { return [] }
        let fields = response.head.fields.values(named: "WWW-Authenticate")
        return ChallengeReader(fields.map { Array($0) }).challenges.filter { $0.isScheme("Basic") }.compactMap {
            offer in
            offer.realm.map {
                LoadChallenge.ProtectionSpace(kind: "basic", origin: response.url.origin, realm: $0)
            }
        }
    }

    /// Asks about the first of the spaces that are left; one at a time (R10).
    mutating func challenge(
        _ spaces: [LoadChallenge.ProtectionSpace], by response: LoadResponse
    ) -> [LoadAction] {
        guard let space = spaces.first else { return deliver(response) }
        var refused: LoadCredential?
        if let authorization, authorization.space == space {
            refused = authorization.credential
            failureCounts[space, default: 0] += 1
            self.authorization = nil
        }
        let challenge = LoadChallenge(
            space: space, previousFailureCount: failureCounts[space, default: 0], proposedCredential: refused,
            response: response)
        phase = .challenging(Negotiation(response: response, spaces: spaces, challenge: challenge))
        return [.tell(.challenge(challenge))]
    }

    mutating func challengeAnswered(
        _ answer: LoadEvent.ChallengeAnswer, to negotiation: Negotiation
    ) -> [LoadAction] {
        switch answer {
        case .use(let credential):
            return use(credential, for: negotiation.challenge.space)
        case .goOnWithout: return deliver(negotiation.response)
        case .reject: return challenge(Array(negotiation.spaces.dropFirst()), by: negotiation.response)
        case .cancel:
            let realm = negotiation.challenge.space.realm
            return end(LoadError(.cancelled, "the challenge of realm \"\(realm)\" was cancelled"), byAnswer: true)
        }
    }

    private mutating func use(
        _ credential: LoadCredential, for space: LoadChallenge.ProtectionSpace
    ) -> [LoadAction] {
        do throws(BasicCredential.Refusal) {
            let sent = try BasicCredential(user: credential.user, password: credential.password)
            authorization = Authorization(space: space, credential: credential, fieldValue: sent.fieldValue)
            return leave()
        } catch {
            return end(LoadError(.userAuthenticationRequired, "\(error)"), byAnswer: true)
        }
    }
}
