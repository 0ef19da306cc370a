public import Foundation
internal import ProctorEvents
import ProctorProgram

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Callbacks of every kind of task that ask something.
extension SessionRecorder {
    /// `redirect`; without an answer it is followed.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var facts = ResponseFacts(response).facts
        facts.add(.proposed, request.line)
        facts.add(.proposedFields, fields: request.headerFields)
        let call = calls.enter(
            .redirect, String(response.statusCode), of: task, in: session,
            method: "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)", facts: facts)
        defer { call.returns() }
        guard let answering = call.answering else { return }
        let noting: @Sendable (URLRequest?) -> Void = { answer in
            answering.note(
                answer == nil ? "refuse" : answer?.isSame(as: request) == true ? "follow" : "change", to: .redirect)
            completionHandler(answer)
        }
        if user?.redirected(session, task, response: response, request: request, handler: noting) == true { return }
        answering.answerRedirect(proposed: request, completionHandler)
    }

    /// `challenge` in lane `task`; where the program has no say it is neither recorded nor answered otherwise.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if user == nil, records.record(of: task).step?.onChallenge.isEmpty == true {
            let standard = records.certificates.standardAnswer(to: challenge)
            return completionHandler(standard.disposition, standard.credential)
        }
        let facts = ChallengeFacts(challenge, scope: "task")
        let call = calls.enter(
            .challenge, facts.kind, of: task, in: session,
            method: "urlSession(_:task:didReceive:completionHandler:)", facts: facts.facts)
        defer { call.returns() }
        guard let answering = call.answering else { return }
        let noting = answering.notingChallenge(completionHandler)
        if user?.challenged(session, task, challenge: challenge, handler: noting) == true { return }
        if !answering.answerChallenge(challenge, as: records.certificates, completionHandler) {
            noting(.performDefaultHandling, nil)
        }
    }

    /// `needBodyStream`; on Linux it is called off the delegate queue.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let call = calls.enter(
            .needBodyStream, of: task, in: session, method: "urlSession(_:task:needNewBodyStream:)")
        defer { call.returns() }
        guard let answering = call.answering else { return }
        let noting = answering.notingStream(completionHandler)
        if user?.needsBodyStream(session, task, handler: noting) == true { return }
        answering.answerBodyStream(completionHandler)
    }

    /// `delayed`; only background sessions ask.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        let call = calls.enter(
            .delayed, of: task, in: session,
            method: "urlSession(_:task:willBeginDelayedRequest:completionHandler:)")
        defer { call.returns() }
        guard let answering = call.answering else { return }
        let noting: @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void = { answer, request in
            answering.note(answer == .cancel ? "cancel" : answer == .useNewRequest ? "change" : "allow", to: .delayed)
            completionHandler(answer, request)
        }
        if user?.willBegin(session, task, request: request, handler: noting) == true { return }
        noting(.continueLoading, nil)
    }

    #if canImport(Darwin)
        /// `needBodyStream` of a resumable upload, from an offset.
        public func urlSession(
            _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
            completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            let call = calls.enter(
                .needBodyStream, String(offset), of: task, in: session,
                method: "urlSession(_:task:needNewBodyStreamFrom:completionHandler:)",
                facts: [EventFact(.offset, .integer(Int(clamping: offset)))])
            defer { call.returns() }
            guard let answering = call.answering else { return }
            let noting = answering.notingStream(completionHandler)
            if user?.needsBodyStream(session, task, from: offset, handler: noting) == true { return }
            answering.answerBodyStream(completionHandler)
        }
    #endif

}

extension URLRequest {
    /// Whether both ask for the same; `==` on Linux does not look at header fields.
    fileprivate func isSame(as other: URLRequest) -> Bool {
        url == other.url && httpMethod == other.httpMethod && allHTTPHeaderFields == other.allHTTPHeaderFields
            && httpBody == other.httpBody
    }
}
