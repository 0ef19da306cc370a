internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// What the program says to questions, in the forms of the reference client.
extension StepRecord {
    /// Whether the program has a say in challenges; where it has none its shape behaves as without the method.
    var answersChallenges: Bool { step?.onChallenge.isEmpty == false }

    /// nil refuses.
    func answerRedirect(proposed: ClientRequest, _ give: @escaping @Sendable (ClientRequest?) -> Void) {
        answerRedirect(
            proposed: proposed, change: { proposed.changed(method: $0, url: $1, headers: $2) }, give)
    }

    /// False where the program has no say: then nothing is written and nothing is answered.
    func answerChallenge(_ give: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void) -> Bool {
        answerChallenge(plan: \.planWithFiles) { answer in
            switch answer {
            case .trust: give(.trust)
            case .identity(let identity): give((try? identity?.loaded()).map { .identify($0) } ?? .goOnWithout)
            case .use(let credential): give(.use(LoadCredential(credential)))
            case .cancel: give(.cancel)
            case .reject: give(.reject)
            case .performDefault: give(.byDefault)
            default: give(.goOnWithout)
            }
        }
    }

    /// nil is no stream.
    func answerBodyStream(_ give: @escaping @Sendable (BodyStream?) -> Void) {
        answerBodyStream { [step] isFresh in give(isFresh ? step.map(StepBody.stream) : nil) }
    }
}

/// What the reference client brings.
extension StepRecord {
    /// A new response makes what came before it void (R26); what comes after the end changes nothing.
    func received(_ response: LoadResponse) { received(response: response.resultFacts) }

    /// All of the body at once: a finished file, or what a completion handler was given.
    func received(whole body: KeptBody, of response: LoadResponse?) {
        received(whole: body, response: response?.resultFacts)
    }

    /// The end, with the response the task has in the end where no callback brought one.
    func ended(with error: LoadError?, response: LoadResponse? = nil) {
        ended(with: FailureFacts(error).name, response: response?.resultFacts)
    }
}

extension LoadResponse {
    /// What a `result` has of it.
    fileprivate var resultFacts: EventFacts { ReplyFacts(self, hasFields: false).facts }
}

extension Assignment.ChallengeAnswer {
    /// An identity that can't be read is said to be none.
    fileprivate var planWithFiles: [PlannedAct<Self>] {
        guard case .identity(let identity) = self else { return plan }
        do throws(CallFailure) {
            guard let identity else {
                return [.unimplemented("onChallenge: identity without files"), .answer(.performDefault)]
            }
            _ = try identity.loaded()
            return plan
        } catch {
            return [.unimplemented("onChallenge: identity: \(error)"), .answer(.performDefault)]
        }
    }
}

extension LoadCredential {
    fileprivate init(_ credential: Assignment.Credential) {
        let kept: LoadCredential.Persistence =
            switch credential.persistence {
            case .none: .none
            case .session: .session
            case .permanent: .permanent
            }
        if let token = credential.token {
            self.init(token: token, persistence: kept)
        } else {
            self.init(user: credential.user, password: credential.password, persistence: kept)
        }
    }
}

extension ClientRequest {
    /// The request of a redirect with what the program wants otherwise; nil when its URL is none.
    fileprivate func changed(method: String?, url text: String?, headers: [[String]]) -> ClientRequest? {
        var request = self
        if let text {
            guard let url = try? url.resolving(location: Array(text.utf8)) else { return nil }
            request.url = url
        }
        if let method { request.method = method }
        for header in headers where header.count == 2 { request.fields.set(header[0], to: header[1]) }
        return request
    }
}
