public import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Callbacks of every kind of task that ask something.
extension SessionRecorder {
    /// `redirect`; where nobody answers it is followed.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var facts = ResponseFacts(response).facts
        facts.add(.proposed, request.line)
        facts.add(.proposedFields, fields: request.headerFields)
        let call = desk.enter(
            .redirect, String(response.statusCode), of: task, in: session,
            method: "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)", facts: facts)
        defer { call.returns() }
        guard let answering = answering(call) else { return }
        let noting: @Sendable (URLRequest?) -> Void = { answer in
            answering.note(
                answer == nil ? "refuse" : answer?.isSame(as: request) == true ? "follow" : "change", to: .redirect)
            completionHandler(answer)
        }
        if user?.redirected(session, task, response, request, noting) == true { return }
        answering.answerRedirect(of: task, proposed: request, completionHandler)
    }

    /// `challenge` in lane `task`; where the program has no say it is neither recorded nor answered otherwise.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if user == nil, roles.role(of: task).step?.onChallenge.isEmpty == true {
            let standard = roles.certificates.standardAnswer(to: challenge)
            return completionHandler(standard.disposition, standard.credential)
        }
        let facts = ChallengeFacts(challenge, scope: "task")
        let call = desk.enter(
            .challenge, facts.kind, of: task, in: session,
            method: "urlSession(_:task:didReceive:completionHandler:)", facts: facts.facts)
        defer { call.returns() }
        guard let answering = answering(call) else { return }
        let noting = answering.notingChallenge(completionHandler)
        if user?.challenged(session, task, challenge, noting) == true { return }
        guard let script = answering.role.nextChallengeAnswer() else { return noting(.performDefaultHandling, nil) }
        answering.answerChallenge(challenge, of: task, script, as: roles.certificates, completionHandler)
    }

    /// `needBodyStream`; on Linux it is called off the delegate queue.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let call = desk.enter(
            .needBodyStream, of: task, in: session, method: "urlSession(_:task:needNewBodyStream:)")
        defer { call.returns() }
        guard let answering = answering(call) else { return }
        let noting = answering.notingStream(completionHandler)
        if user?.needsBodyStream(session, task, noting) == true { return }
        answering.answerBodyStream(completionHandler)
    }

    /// `delayed`; only background sessions ask.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        let call = desk.enter(
            .delayed, of: task, in: session,
            method: "urlSession(_:task:willBeginDelayedRequest:completionHandler:)")
        defer { call.returns() }
        guard let answering = answering(call) else { return }
        let noting: @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void = { answer, request in
            answering.note(answer == .cancel ? "cancel" : answer == .useNewRequest ? "change" : "allow", to: .delayed)
            completionHandler(answer, request)
        }
        if user?.willBegin(session, task, request, noting) == true { return }
        noting(.continueLoading, nil)
    }

    #if canImport(Darwin)
        /// `needBodyStream` of a resumable upload, from an offset.
        public func urlSession(
            _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
            completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            let call = desk.enter(
                .needBodyStream, String(offset), of: task, in: session,
                method: "urlSession(_:task:needNewBodyStreamFrom:completionHandler:)",
                facts: [EventFact(.offset, .integer(Int(clamping: offset)))])
            defer { call.returns() }
            guard let answering = answering(call) else { return }
            let noting = answering.notingStream(completionHandler)
            if user?.needsBodyStream(session, task, from: offset, noting) == true { return }
            answering.answerBodyStream(completionHandler)
        }
    #endif

    /// Who answers the question of a callback; nil when the task was cancelled instead.
    func answering(_ call: CallbackDesk.Call) -> Answering? {
        guard let role = call.role, !call.isCancelled else { return nil }
        return Answering(recorder: recorder, role: role)
    }
}

extension URLRequest {
    /// Whether both ask for the same; `==` on Linux does not look at header fields.
    fileprivate func isSame(as other: URLRequest) -> Bool {
        url == other.url && httpMethod == other.httpMethod && allHTTPHeaderFields == other.allHTTPHeaderFields
            && httpBody == other.httpBody
    }
}
