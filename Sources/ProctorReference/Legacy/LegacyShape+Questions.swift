internal import ProctorBase
internal import ProctorLoop

/// The questions that all loads of the old kind ask.
extension LegacyShape {
    /// On the callback thread.
    func makeCommon(_ call: LegacyCall, of load: Load, to delegate: any LegacyDelegate) {
        switch call {
        case .shouldUseCredentialStorage:
            let isUsed = delegate.shouldUseCredentialStorage(for: self)
            core.usesCredentialStorage = isUsed
            load.answer(.storageAnswered(isUsed: isUsed))
        case .willSend(let request, let response):
            let answer = delegate.load(self, willSend: request, redirectResponse: response)
            if response == nil {
                announced(request, answer, of: load)
            } else if let answer {
                load.answer(.redirectAnswered(answer))
            } else {
                refuseRedirect(of: load)
            }
        case .canAuthenticate(let challenge):
            let isAble = delegate.load(self, canAuthenticateAgainst: challenge.space)
            load.loop.submit { [self] in decide(challenge, isAble: isAble, of: load) }
        case .challenge(let challenge):
            delegate.load(
                self,
                didReceive: LegacyChallenge(challenge) { load.answer(.challengeAnswered($0)) })
        case .challengeCancelled(let challenge): delegate.load(self, didCancel: challenge)
        }
    }

    /// The loader sends what it announced, so that another request takes another load.
    private func announced(_ request: ClientRequest, _ answer: ClientRequest?, of load: Load) {
        guard let answer, answer != request else {
            return load.answer(.canonicalAnswered(isAccepted: answer != nil))
        }
        load.loop.submit { [self] in
            guard core.load === load, !core.isSilent else { return }
            run(makeLoad(answer, announces: false))
            load.answer(.cancel)
        }
    }

    // MARK: Challenges, on the network's thread

    func ask(_ challenge: LoadChallenge, of load: Load) {
        core.openChallenge = challenge
        core.isChallengeTold = false
        switch core.challengeMethods {
        case .none: load.answer(.challengeAnswered(.byDefault))
        case .oldTrio: place(Self.common(.canAuthenticate(challenge)), of: load)
        case .newMethod: place(Self.common(.challenge(challenge)), of: load)
        }
    }

    private func decide(_ challenge: LoadChallenge, isAble: Bool, of load: Load) {
        guard core.load === load, core.openChallenge == challenge, !core.isChallengeTold else { return }
        guard isAble else { return load.answer(.challengeAnswered(.byDefault)) }
        core.isChallengeTold = true
        place(Self.common(.challenge(challenge)), of: load)
    }

    func withdraw(_ challenge: LoadChallenge, of load: Load) {
        if core.isChallengeTold { place(Self.common(.challengeCancelled(challenge)), of: load) }
        core.openChallenge = nil
        core.isChallengeTold = false
    }
}
