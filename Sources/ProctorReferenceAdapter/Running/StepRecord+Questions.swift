internal import ProctorBase
internal import ProctorHTTP
internal import ProctorRecorder
package import ProctorReference
package import ProctorTrace

/// What the program says to questions; each answer is written down before it is given, now or later from another thread.
extension StepRecord {
    /// Whether the program has a say in challenges; where it has none its shape behaves as without the method.
    package var answersChallenges: Bool { !step.onChallenge.isEmpty }

    /// nil refuses.
    package func answerRedirect(
        proposed: ClientRequest, _ give: @escaping @Sendable (ClientRequest?) -> Void
    ) {
        let script = state.withLock { $0.redirects.take() } ?? Assignment.RedirectAnswer("follow")
        var plan = script.plan
        let changed = proposed.changed(by: script)
        if plan == [.answer("change")], changed == nil {
            plan = [
                .unimplemented("onRedirect: '\(script.url ?? "")' is no URL this client can make"),
                .answer("refuse"),
            ]
        }
        carryOut(plan, to: .redirect) { word in
            give(word == "refuse" ? nil : word == "change" ? changed : proposed)
        }
    }

    /// False where the program has no say: then nothing is written and nothing is answered.
    package func answerChallenge(_ give: @escaping @Sendable (LoadEvent.ChallengeAnswer) -> Void) -> Bool {
        guard let script = state.withLock({ $0.challenges.take() }) else { return false }
        let identity = try? script.identity?.loaded()
        carryOut(script.wholePlan, to: .challenge) { word in
            switch word {
            case "trust": give(.trust)
            case "identity": give(identity.map { .identify($0) } ?? .goOnWithout)
            case "use": give(script.credential.map { .use($0) } ?? .goOnWithout)
            case "cancel": give(.cancel)
            case "reject": give(.reject)
            case "default": give(.byDefault)
            default: give(.goOnWithout)
            }
        }
        return true
    }

    /// nil is no stream.
    package func answerBodyStream(_ give: @escaping @Sendable (BodyStream?) -> Void) {
        carryOut(step.bodyStreamPlan, to: .needBodyStream) { [step] word in
            give(word == "stream" ? StepBody.stream(of: step) : nil)
        }
    }

    /// `word` is `allow`, `cancel`, `becomeDownload` or `becomeStream`.
    package func answerResponse(_ give: @escaping @Sendable (_ word: String) -> Void) {
        carryOut(step.responsePlan, to: .response, give)
    }

    /// Whether it is stored.
    package func answerWillCache(_ give: @escaping @Sendable (_ isStored: Bool) -> Void) {
        carryOut(step.willCachePlan, to: .willCache) { word in give(word == "store") }
    }

    /// For questions of one shape, whose answers no program decides: at once or when the program answers.
    package func answer(_ word: String, to question: EventName, _ give: @escaping @Sendable () -> Void) {
        carryOut([.answer(word)], to: question) { _ in give() }
    }

    private func carryOut(
        _ plan: [PlannedAct], to question: EventName, _ give: @escaping @Sendable (_ word: String) -> Void
    ) {
        notes.carryOut(plan, to: question, after: step.answerAfter, cancel: { cancel() }, give)
    }
}

extension Assignment.ChallengeAnswer {
    /// An identity that can't be read is said to be none.
    fileprivate var wholePlan: [PlannedAct] {
        guard answer == "identity" || answer == "trust" else { return plan }
        guard answer == "identity" else { return [.answer(answer)] }
        do throws(CallFailure) {
            guard let identity else {
                return [.unimplemented("onChallenge: identity without files"), .answer("default")]
            }
            _ = try identity.loaded()
            return [.answer(answer)]
        } catch {
            return [.unimplemented("onChallenge: identity: \(error)"), .answer("default")]
        }
    }

    /// nil where the program names none.
    fileprivate var credential: LoadCredential? {
        let kept: LoadCredential.Persistence =
            switch persistence {
            case "session": .session
            case "permanent": .permanent
            default: .none
            }
        if let token { return LoadCredential(token: token, persistence: kept) }
        return user.map { LoadCredential(user: $0, password: password ?? "", persistence: kept) }
    }
}

extension ClientRequest {
    /// The request of a redirect with what the program wants otherwise; nil when its URL is none.
    fileprivate func changed(by answer: Assignment.RedirectAnswer) -> ClientRequest? {
        var request = self
        if let text = answer.url {
            guard let url = try? url.resolving(location: Array(text.utf8)) else { return nil }
            request.url = url
        }
        if let method = answer.method { request.method = method }
        for header in answer.headers ?? [] where header.count == 2 {
            request.fields.set(header[0], to: header[1])
        }
        return request
    }
}
