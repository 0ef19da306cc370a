public import Foundation
internal import ProctorEvents
import ProctorProgram

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Callbacks of every kind of task that only tell.
extension SessionRecorder {
    /// `bodySent`, with the totals as they were given (R23).
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let call = calls.enter(
            .bodySent, of: task, in: session,
            method: "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)",
            facts: .arithmetic(n: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend))
        defer { call.returns() }
        user?.sent(session, task, count: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend)
    }

    /// `metrics`, with the number of transactions (R41).
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let call = calls.enter(
            .metrics, of: task, in: session, method: "urlSession(_:task:didFinishCollecting:)",
            facts: [EventFact(.transactions, .integer(metrics.transactionMetrics.count))])
        defer { call.returns() }
        user?.collected(session, task, metrics: metrics)
    }

    /// `complete`, the last of a task (R39).
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let failure = ErrorFacts(error)
        let record = records.record(of: task)
        record.ended(with: failure.name, response: task.response?.resultFacts)
        if let error { record.keepResumeData(of: error) }
        let call = calls.enter(
            .complete, failure.name, of: task, in: session, method: "urlSession(_:task:didCompleteWithError:)",
            facts: failure.facts)
        user?.completed(session, task, error: error)
        call.returns()
        // A step tells its own result, with what its program left behind.
        if record.step == nil { record.writeResult(hasEnded: true) }
    }

    #if canImport(Darwin)
        /// `created`, inside the call that makes the task and off the delegate queue (R46).
        public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
            let call = calls.enter(.created, of: task, in: session, method: "urlSession(_:didCreateTask:)")
            defer { call.returns() }
            user?.created(session, task)
        }

        /// `waiting`.
        public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            let call = calls.enter(
                .waiting, of: task, in: session, method: "urlSession(_:taskIsWaitingForConnectivity:)")
            defer { call.returns() }
            user?.waits(session, task)
        }

        /// `informational`, once for each 1xx (R27).
        public func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            let call = calls.enter(
                .informational, String(response.statusCode), of: task, in: session,
                method: "urlSession(_:task:didReceiveInformationalResponse:)", facts: ResponseFacts(response).facts)
            defer { call.returns() }
            user?.received(session, task, informational: response)
        }
    #endif
}

// Callbacks of data and upload tasks.
extension SessionRecorder {
    /// `response`, which asks what becomes of the task (R28).
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        records.record(of: dataTask).received(response: response.resultFacts)
        let facts = ResponseFacts(response)
        let call = calls.enter(
            .response, facts.status, of: dataTask, in: session,
            method: "urlSession(_:dataTask:didReceive:completionHandler:)", facts: facts.facts)
        defer { call.returns() }
        guard let answering = call.answering else { return }
        let noting: @Sendable (URLSession.ResponseDisposition) -> Void = { answer in
            answering.note(answer.word, to: .response)
            completionHandler(answer)
        }
        if user?.received(session, dataTask, response: response, handler: noting) == true { return }
        answering.answerResponse(completionHandler)
    }

    /// `data`, with the size of the chunk.
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        records.record(of: dataTask).received(data)
        let call = calls.enter(
            .data, of: dataTask, in: session, method: "urlSession(_:dataTask:didReceive:)",
            facts: .content(of: data))
        defer { call.returns() }
        user?.received(session, dataTask, data: data)
    }

    /// `willCache`, which asks what is stored (R32).
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        let call = calls.enter(
            .willCache, of: dataTask, in: session,
            method: "urlSession(_:dataTask:willCacheResponse:completionHandler:)",
            facts: [EventFact(.bytes, .integer(proposedResponse.data.count))])
        defer { call.returns() }
        guard let answering = call.answering else { return }
        let noting: @Sendable (CachedURLResponse?) -> Void = { answer in
            answering.note(answer == nil ? "none" : "store", to: .willCache)
            completionHandler(answer)
        }
        if user?.willCache(session, dataTask, proposed: proposedResponse, handler: noting) == true { return }
        answering.record.answerWillCache { completionHandler($0 ? proposedResponse : nil) }
    }

    /// `becameDownload`; the new task goes on in the lane of the old one (R29).
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
        recorder.assign(recorder.number(ofTask: dataTask), toTask: downloadTask)
        let call = calls.enter(
            .becameDownload, of: dataTask, in: session, method: "urlSession(_:dataTask:didBecome:)")
        defer { call.returns() }
        user?.became(session, dataTask, download: downloadTask)
    }

    /// `becameStream`; the new task goes on in the lane of the old one (R29).
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask
    ) {
        recorder.assign(recorder.number(ofTask: dataTask), toTask: streamTask)
        let call = calls.enter(
            .becameStream, of: dataTask, in: session, method: "urlSession(_:dataTask:didBecome:)")
        defer { call.returns() }
        user?.became(session, dataTask, stream: streamTask)
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

// Callbacks of download tasks.
extension SessionRecorder {
    /// `progress`, with the totals as they were given (R34).
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let call = calls.enter(
            .progress, of: downloadTask, in: session,
            method: "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)",
            facts: .arithmetic(n: bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite))
        defer { call.returns() }
        user?.wrote(
            session, downloadTask, count: bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite)
    }

    /// `fileReady`; the file is read here, as it is gone when the callback returns (R35).
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let file = DownloadedFile(location)
        records.record(of: downloadTask).received(whole: file.body, response: downloadTask.response?.resultFacts)
        let facts = ([EventFact(.file, .text(location.path))] as EventFacts).appending(file.facts)
        let call = calls.enter(
            .fileReady, of: downloadTask, in: session,
            method: "urlSession(_:downloadTask:didFinishDownloadingTo:)", facts: facts)
        defer { call.returns() }
        user?.finished(session, downloadTask, location: location)
    }

    /// `downloadResumed`, with the offset; 0 starts over (R36).
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        let call = calls.enter(
            .downloadResumed, String(fileOffset), of: downloadTask, in: session,
            method: "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)",
            facts: [
                EventFact(.offset, .integer(Int(clamping: fileOffset))),
                EventFact(.expected, .integer(Int(clamping: expectedTotalBytes))),
            ])
        defer { call.returns() }
        user?.resumed(session, downloadTask, offset: fileOffset, expected: expectedTotalBytes)
    }
}

// Callbacks of WebSocket and stream tasks; on Linux the latter are declared and never called.
extension SessionRecorder {
    /// `wsOpen`, with the sub-protocol (R57).
    public func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        let call = calls.enter(
            .wsOpen, `protocol`, of: webSocketTask, in: session,
            method: "urlSession(_:webSocketTask:didOpenWithProtocol:)")
        defer { call.returns() }
        user?.opened(session, webSocketTask, subprotocol: `protocol`)
    }

    /// `wsClose`, with the close code (RFC 6455 §7.4).
    public func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        let call = calls.enter(
            .wsClose, String(closeCode.rawValue), of: webSocketTask, in: session,
            method: "urlSession(_:webSocketTask:didCloseWith:reason:)")
        defer { call.returns() }
        user?.closed(session, webSocketTask, code: closeCode, reason: reason)
    }

    /// `streamReadClosed`.
    public func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {
        let call = calls.enter(.streamReadClosed, of: streamTask, in: session, method: "urlSession(_:readClosedFor:)")
        defer { call.returns() }
        user?.readClosed(session, streamTask)
    }

    /// `streamWriteClosed`.
    public func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask) {
        let call = calls.enter(
            .streamWriteClosed, of: streamTask, in: session, method: "urlSession(_:writeClosedFor:)")
        defer { call.returns() }
        user?.writeClosed(session, streamTask)
    }

    /// `betterRoute`.
    public func urlSession(_ session: URLSession, betterRouteDiscoveredFor streamTask: URLSessionStreamTask) {
        let call = calls.enter(
            .betterRoute, of: streamTask, in: session, method: "urlSession(_:betterRouteDiscoveredFor:)")
        defer { call.returns() }
        user?.foundBetterRoute(session, streamTask)
    }

    /// `streamsCaptured`, the last of its lane (R58).
    public func urlSession(
        _ session: URLSession, streamTask: URLSessionStreamTask, didBecome inputStream: InputStream,
        outputStream: OutputStream
    ) {
        let call = calls.enter(
            .streamsCaptured, of: streamTask, in: session, method: "urlSession(_:streamTask:didBecome:outputStream:)")
        defer { call.returns() }
        user?.captured(session, streamTask, input: inputStream, output: outputStream)
    }
}

// Callbacks that name no task.
extension SessionRecorder {
    /// `sessionInvalid`, the last of a session (R43).
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        let failure = ErrorFacts(error)
        let call = calls.enter(
            .sessionInvalid, failure.name, in: session, method: "urlSession(_:didBecomeInvalidWithError:)",
            facts: failure.facts)
        defer { call.returns() }
        user?.becameInvalid(session, error)
    }

    /// `challenge` in lane `session`, answered by the step that runs; kinds that belong to a connection come here (R18).
    ///
    /// Where the program has no say it is not recorded.
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if user == nil, let record = records.current, record.step?.onChallenge.isEmpty == true {
            let standard = records.certificates.standardAnswer(to: challenge)
            return completionHandler(standard.disposition, standard.credential)
        }
        let facts = ChallengeFacts(challenge, scope: "session")
        let call = calls.enter(
            .challenge, facts.kind, in: session, method: "urlSession(_:didReceive:completionHandler:)",
            facts: facts.facts)
        defer { call.returns() }
        let record = records.current ?? StepRecord(nil, number: 0, family: .sessionData, recordingTo: recorder)
        let answering = Answering(record: record)
        let noting = answering.notingChallenge(completionHandler)
        if user?.challenged(session, challenge, handler: noting) == true { return }
        if !answering.answerChallenge(challenge, as: records.certificates, completionHandler) {
            noting(.performDefaultHandling, nil)
        }
    }

    #if canImport(Darwin)
        /// `backgroundEventsDone`.
        public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            let call = calls.enter(
                .backgroundEventsDone, in: session, method: "urlSessionDidFinishEvents(forBackgroundURLSession:)")
            defer { call.returns() }
            user?.finishedBackgroundEvents(session)
        }
    #endif
}
