public import ProctorTrace

extension Case {
    /// The client's programs with everything late-bound filled in: what an adapter is told.
    ///
    /// `context` speaks of the run that serves the scenario. A sidecar file is read now. Throws when it cannot be, or
    /// when a body is longer than an assignment may carry.
    public func assignment(
        scenario: String, run: String? = nil, in context: TemplateContext
    ) throws(AssignmentFailure) -> Assignment {
        var steps: [Assignment.Step] = []
        let program = client.first?.session
        let urls = AssignedURL(context: context, ownScheme: program?.scheme)
        for (index, program) in client.enumerated() {
            var step = try program.step(in: context, urls)
            step.redirectCount = redirectCount(ofStep: index)
            step.challengeCount = challengeCount(ofStep: index)
            steps.append(step)
        }
        var session = program?.setup(in: context) ?? SessionSetup()
        if !context.names.isEmpty { session.names = context.names }
        session.namesProxy = context.namesProxy
        if program?.trust ?? .authority == .authority { session.trust = context.trust?.authority }
        return Assignment(
            scenario: scenario, caseName: name, base: String(decoding: context.base, as: UTF8.self), run: run,
            deadline: client.deadline, session: session, steps: steps)
    }
}

extension ClientProgram {
    fileprivate func step(
        in context: TemplateContext, _ urls: AssignedURL
    ) throws(AssignmentFailure) -> Assignment.Step {
        var step = Assignment.Step(method: method, url: urls.of(self))
        step.headers = headers.assigned(in: context)
        step.body = try body.map { source throws(AssignmentFailure) in try source.assigned(in: context) }
        step.bodyForm = bodyForm.rawValue
        step.task = task.rawValue
        step.onRedirect = onRedirect.map { $0.assigned(in: context, urls) }
        step.onChallenge = onChallenge.map { $0.assigned(in: context) }
        step.onResponse = onResponse.rawValue
        step.onBodyStream = onBodyStream.rawValue
        step.onWillCache = onWillCache.rawValue
        step.answerAfter = answerAfter?.wholeMilliseconds
        step.cancelAt = cancelAt?.assigned
        step.suspendAt = suspendAt?.assigned
        step.suspendFor = suspendAt == nil ? 0 : suspendFor.wholeMilliseconds
        step.timeout = timeout?.wholeMilliseconds
        step.resume = resume
        step.producesResumeData = producesResumeData
        step.cachePolicy = cachePolicy?.rawValue
        step.protocolScript = protocolScript?.map { $0.assigned(in: context) }
        return step
    }
}

extension [ReplyField] {
    fileprivate func assigned(in context: TemplateContext) -> [[String]] {
        map { field in
            [
                String(decoding: field.name, as: UTF8.self),
                String(decoding: field.value.rendered(in: context), as: UTF8.self),
            ]
        }
    }
}

extension ClientProgram.RedirectAnswer {
    fileprivate func assigned(in context: TemplateContext, _ urls: AssignedURL) -> Assignment.RedirectAnswer {
        switch self {
        case .follow: Assignment.RedirectAnswer("follow")
        case .refuse: Assignment.RedirectAnswer("refuse")
        case .cancel: Assignment.RedirectAnswer("cancel")
        case .cancelThenFollow: Assignment.RedirectAnswer("cancel-then-follow")
        case .cancelThenRefuse: Assignment.RedirectAnswer("cancel-then-refuse")
        case .never: Assignment.RedirectAnswer("never")
        case .twice: Assignment.RedirectAnswer("twice")
        case .change(let method, let url, let headers):
            Assignment.RedirectAnswer(
                "change", method: method, url: url.map { urls.of($0) },
                headers: headers.isEmpty ? nil : headers.assigned(in: context))
        }
    }
}

extension ClientProgram.ChallengeAnswer {
    fileprivate func assigned(in context: TemplateContext) -> Assignment.ChallengeAnswer {
        switch self {
        case .trust: Assignment.ChallengeAnswer("trust")
        case .identity(let name):
            Assignment.ChallengeAnswer("identity", identity: context.trust?.identities[name])
        case .use(let credential): credential.assigned("use")
        case .twice(let credential): credential.assigned("twice")
        case .cancelTaskThenUse(let credential): credential.assigned("cancel-task-then-use")
        case .cancelTask: Assignment.ChallengeAnswer("cancel-task")
        case .useNone: Assignment.ChallengeAnswer("use-none")
        case .performDefault: Assignment.ChallengeAnswer("default")
        case .cancel: Assignment.ChallengeAnswer("cancel")
        case .reject: Assignment.ChallengeAnswer("reject")
        case .never: Assignment.ChallengeAnswer("never")
        }
    }
}

extension ClientProgram.Credential {
    fileprivate func assigned(_ answer: String) -> Assignment.ChallengeAnswer {
        guard let token else {
            return Assignment.ChallengeAnswer(
                answer, user: user, password: password, persistence: persistence.rawValue)
        }
        return Assignment.ChallengeAnswer(answer, token: token, persistence: persistence.rawValue)
    }
}
