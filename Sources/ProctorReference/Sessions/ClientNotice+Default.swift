extension ClientNotice {
    /// What a client answers that nobody watches (R55); nil where the load waits for no answer.
    var defaultAnswer: LoadEvent? {
        switch self {
        case .canonicalize: .canonicalAnswered(isAccepted: true)
        case .redirect(let next, _): .redirectAnswered(next)
        case .challenge: .challengeAnswered(.byDefault)
        case .needBodyStream: .bodyStreamAnswered(nil)
        case .response: .responseAnswered(isAllowed: true)
        case .willCache: .cacheAnswered(isStored: true)
        case .challengeCancelled, .bodySent, .informational, .data, .metrics, .complete: nil
        }
    }
}

extension SessionCall {
    /// The question of the load that this call hands on; nil where the load waits for no answer.
    var question: ClientNotice? {
        switch self {
        case .redirect(let next, let response): .redirect(to: next, from: response)
        case .challenge(let challenge), .sessionChallenge(let challenge): .challenge(challenge)
        case .needBodyStream: .needBodyStream
        case .response(let response): .response(response)
        case .willCache(let response, _): .willCache(response)
        case .created, .bodySent, .informational, .data, .becameDownload, .downloadResumed, .progress, .fileReady,
            .metrics, .complete, .handler, .sessionInvalid:
            nil
        }
    }
}
