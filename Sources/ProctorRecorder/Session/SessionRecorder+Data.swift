public import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Callbacks of data and upload tasks.
extension SessionRecorder {
    /// `response`, which asks what becomes of the task (R28).
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        roles.role(of: dataTask).received(response)
        let facts = ResponseFacts(response)
        let call = desk.enter(
            .response, facts.status, of: dataTask, in: session,
            method: "urlSession(_:dataTask:didReceive:completionHandler:)", facts: facts.facts)
        defer { call.returns() }
        guard let answering = answering(call) else { return }
        let noting: @Sendable (URLSession.ResponseDisposition) -> Void = { answer in
            answering.note(answer.word, to: .response)
            completionHandler(answer)
        }
        if user?.received(session, dataTask, response, noting) == true { return }
        answering.answerResponse(completionHandler)
    }

    /// `data`, with the size of the chunk.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        roles.role(of: dataTask).received(data)
        let call = desk.enter(
            .data, of: dataTask, in: session, method: "urlSession(_:dataTask:didReceive:)",
            facts: .content(of: data))
        defer { call.returns() }
        user?.received(session, dataTask, data)
    }

    /// `willCache`, which asks what is stored (R32).
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        let call = desk.enter(
            .willCache, of: dataTask, in: session,
            method: "urlSession(_:dataTask:willCacheResponse:completionHandler:)",
            facts: [EventFact(.bytes, .integer(proposedResponse.data.count))])
        defer { call.returns() }
        guard let answering = answering(call) else { return }
        let noting: @Sendable (CachedURLResponse?) -> Void = { answer in
            answering.note(answer == nil ? "none" : "store", to: .willCache)
            completionHandler(answer)
        }
        if user?.willCache(session, dataTask, proposedResponse, noting) == true { return }
        answering.answerWillCache(proposedResponse, completionHandler)
    }

    /// `becameDownload`; the new task goes on in the lane of the old one (R29).
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
        recorder.assign(recorder.number(ofTask: dataTask), toTask: downloadTask)
        let call = desk.enter(
            .becameDownload, of: dataTask, in: session, method: "urlSession(_:dataTask:didBecome:)")
        call.role?.become(.UD)
        defer { call.returns() }
        user?.became(session, dataTask, downloadTask)
    }

    /// `becameStream`; the new task goes on in the lane of the old one (R29).
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask
    ) {
        recorder.assign(recorder.number(ofTask: dataTask), toTask: streamTask)
        let call = desk.enter(
            .becameStream, of: dataTask, in: session, method: "urlSession(_:dataTask:didBecome:)")
        call.role?.become(.ST)
        defer { call.returns() }
        user?.became(session, dataTask, streamTask)
    }
}

extension URLSession.ResponseDisposition {
    /// As the argument of `answer`.
    fileprivate var word: String {
        switch self {
        case .cancel: "cancel"
        case .allow: "allow"
        case .download: "becomeDownload"
        default: "becomeStream"
        }
    }
}
