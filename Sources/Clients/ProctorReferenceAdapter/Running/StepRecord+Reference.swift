internal import ProctorAssignments
internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorHTTPClient
internal import ProctorLoop
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

extension StepRecord {
    /// Records what this client lacks for a key of the step, which the reason names.
    func lacks(_ reason: String) -> AssignmentRunner.Ending { refuse("steps[\(number)].\(reason)") }

    /// The content of the step's request; nil where it can't be put into a file, which is recorded.
    func makeBody(breaking fault: SourceFault? = nil) -> StepBody? {
        do {
            return try step.map { try StepBody($0, of: self, fault: fault) }
        } catch {
            _ = lacks("body: it can't be put into a file: \(error)")
            return nil
        }
    }

    /// Whether the program answers challenges; otherwise the method counts as missing.
    var answersChallenges: Bool { step?.onChallenge.isEmpty == false }

    /// Answers a redirect; nil refuses it.
    func answerRedirect(proposed: ClientRequest, _ give: @escaping @Sendable (ClientRequest?) -> Void) {
        answerRedirect(proposed: proposed, change: { proposed.changed(method: $0, url: $1, headers: $2) }, give)
    }

    /// Answers the canonical form; nil refuses it, which fails the load.
    func answerCanonicalForm(of request: ClientRequest, _ give: @escaping @Sendable (ClientRequest?) -> Void) {
        answerCanonicalForm(of: request, change: { request.changed(method: $0, url: $1, headers: $2) }, give)
    }

    /// Answers a challenge; false when the program has no answers: then nothing is recorded or answered.
    func answerChallenge(_ give: @escaping @Sendable (ChallengeAnswer) -> Void) -> Bool {
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

    /// Answers `answerWillCache`, in the client's own types.
    func answerStoring(_ give: @escaping @Sendable (StoringAnswer) -> Void) {
        answerWillCache { answer in
            switch answer {
            case .store: give(.store)
            case .none: give(.refuse)
            case .change(let wanted):
                var change = StoredChange(content: wanted.body.map { Array($0.utf8) }, notes: wanted.notes)
                change.storage = wanted.storage?.policy
                give(.change(change))
            }
        }
    }

    /// Answers a request for a body stream; nil is no stream.
    func answerBodyStream(_ give: @escaping @Sendable (BodyStream?) -> Void) {
        answerBodyStream { [step] isFresh in give(isFresh ? step.map(StepBody.stream) : nil) }
    }
}

extension StepRecord {
    /// A new response replaces the content so far (R26); calls after the end are ignored.
    func received(_ response: LoadResponse) { receivedResponse(response.resultFacts(asking: fieldNames)) }

    /// Sets the whole body: that of a finished file, or of a completion handler.
    func received(whole body: KeptBody, of response: LoadResponse?) {
        receivedWhole(body, response: response?.resultFacts(asking: fieldNames))
    }

    /// Sets the end, and the task's response when no callback had one.
    func ended(with error: LoadError?, response: LoadResponse? = nil) {
        ended(with: EventDetail(end: error).argument, response: response?.resultFacts(asking: fieldNames))
    }
}

extension LoadResponse {
    fileprivate func resultFacts(asking names: [String]) -> EventFacts {
        EventDetail(self, hasFields: false, asking: names).facts
    }
}

extension ScriptedStorage {
    fileprivate var policy: CacheStoragePolicy {
        switch self {
        case .allowed: .allowed
        case .memory: .allowedInMemoryOnly
        case .notAllowed: .notAllowed
        }
    }
}

extension Assignment.ChallengeAnswer {
    /// The plan, in which an identity that can't be read counts as none.
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
    /// The request of a redirect with the program's changes; nil when its URL is invalid.
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

extension EventDetail {
    /// The event of a response, by its status; `hasFields` is false for a step's result, which has only fields asked
    /// for by name.
    init(_ response: LoadResponse, hasFields: Bool = true, asking names: [String] = []) {
        self.init(String(response.status))
        facts.add(.url, response.url.text)
        facts.add(.status, response.status)
        facts.add(.statusText, StatusPhrase.registered(response.status)?.lowercased())
        facts.add(.mime, response.mimeType)
        facts.add(.textEncodingName, response.charset)
        facts.add(.suggestedName, response.suggestedName)
        facts.add(.expectedLength, response.expectedByteCount ?? -1)
        if hasFields { facts.addNames(.fields, fields: response.fields.map { ($0.name, $0.value) }) }
        facts.addFields(names) { response.value(ofField: $0) }
    }

    /// The event of a challenge, by its kind; `scope` is `task` or `session`, and nil in families without a scope.
    init(_ challenge: LoadChallenge, scope: String?) {
        self.init(challenge.space.kind)
        facts.add(.scope, scope)
        facts.add(.realm, challenge.space.realm)
        facts.add(.host, challenge.space.origin.host)
        facts.add(.port, challenge.space.origin.port)
        if !challenge.space.isProxy { facts.add(.protocol, challenge.space.origin.scheme.rawValue) }
        facts.add(.failures, challenge.previousFailureCount)
        facts.add(.proposedUser, challenge.proposedCredential?.user)
    }

    /// The event of a question about storing, with the policy that the client proposes.
    init(storing response: LoadResponse, byteCount: Int) {
        self.init(facts: [
            EventFact(.bytes, .integer(byteCount)),
            EventFact(.storage, .text(response.url.origin.scheme == .https ? "memory" : "allowed")),
        ])
    }

    init(end error: LoadError?) {
        self =
            error.map { EventDetail(domain: URLErrorName.domain, code: $0.code, message: $0.sentence) } ?? .success
    }
}

extension EventFacts {
    /// Method, URL and header fields of the request that a redirect proposes.
    static func proposed(_ request: ClientRequest) -> EventFacts {
        var facts: EventFacts = [EventFact(.proposed, .text("\(request.method) \(request.url.text)"))]
        facts.addNames(.proposedFields, fields: request.fields.map { ($0.name, $0.value) })
        return facts
    }
}

extension KeptBody {
    /// The content of a download's file; nil when it can't be read.
    init?(ofFile path: String) {
        do throws(CallFailure) {
            let file = try OpenFile(path: path)
            let start = try file.bytes(from: 0, byteCount: min(file.byteCount, Self.limit))
            self.init(start, byteCount: file.byteCount)
        } catch {
            return nil
        }
    }
}
