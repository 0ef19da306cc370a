internal import Foundation
internal import ProctorEvents
import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

// Callbacks without an answer, for every kind of task.
extension SessionCallbacks {
    /// Records `bodySent`, with the totals as given (R23).
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let facts = EventFacts.arithmetic(n: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend)
        calls.record(.bodySent, EventDetail(facts: facts), of: task, in: session) {
            implemented(
                user?.tasks?.urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)
            )?(session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
        }
    }

    /// Records `metrics`, with the number of transactions (R41) and the protocol of the last one.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        var facts: EventFacts = [EventFact(.transactions, .integer(metrics.transactionMetrics.count))]
        if let name = metrics.transactionMetrics.last?.networkProtocolName {
            facts = facts.appending([EventFact(.protocol, .text(name))])
        }
        calls.record(.metrics, EventDetail(facts: facts), of: task, in: session) {
            implemented(user?.tasks?.urlSession(_:task:didFinishCollecting:))?(session, task, metrics)
        }
    }

    /// Records `complete`, the last event of a task (R39).
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let failure = EventDetail(error)
        let record = records.record(of: task)
        record.ended(
            with: failure.argument, response: task.response?.resultFacts(asking: record.fieldNames))
        if let error { record.keepResumeData(of: error) }
        calls.record(.complete, failure, of: task, in: session) {
            implemented(user?.tasks?.urlSession(_:task:didCompleteWithError:))?(session, task, error)
        }
        // A step records its own result, with its resume data.
        if record.step == nil { record.writeResult(hasEnded: true) }
    }

    #if canImport(Darwin)
        /// Records `created`, inside the call that makes the task and not on the delegate queue (R46).
        func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
            calls.record(.created, of: task, in: session) {
                implemented(user?.tasks?.urlSession(_:didCreateTask:))?(session, task)
            }
        }

        /// `waiting`.
        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            calls.record(.waiting, of: task, in: session) {
                implemented(user?.tasks?.urlSession(_:taskIsWaitingForConnectivity:))?(session, task)
            }
        }

        /// `informational`, once for each 1xx (R27).
        @available(iOS 17, *)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            calls.record(.informational, EventDetail(response), of: task, in: session) {
                implemented(user?.tasks?.urlSession(_:task:didReceiveInformationalResponse:))?(session, task, response)
            }
        }
    #endif
}

// Callbacks with an answer, for every kind of task.
extension SessionCallbacks {
    /// Records `redirect`; without an answer the redirect is followed.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var detail = EventDetail(response, asking: records.record(of: task).fieldNames)
        detail.facts.add(.proposed, request.line)
        detail.facts.addNames(.proposedFields, fields: request.headerFields)
        calls.ask(.redirect, detail, of: task, in: session) { answering in
            let ask = implemented(
                user?.tasks?.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:))
            guard let ask else { return answering.answerRedirect(proposed: request, completionHandler) }
            ask(session, task, response, request) { answer in
                let isSame = answer?.isSame(as: request) == true
                answering.recordAnswer(answer == nil ? "refuse" : isSame ? "follow" : "change", to: .redirect)
                completionHandler(answer)
            }
        }
    }

    /// Records `challenge` in lane `task`; without program answers it is not recorded and gets default handling.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if user == nil, records.record(of: task).step?.onChallenge.isEmpty == true {
            let standard = records.certificates.standardAnswer(to: challenge)
            return completionHandler(standard.disposition, standard.credential)
        }
        calls.ask(.challenge, EventDetail(challenge, scope: "task"), of: task, in: session) { answering in
            let noting = answering.notingChallenge(completionHandler)
            if let ask = implemented(user?.tasks?.urlSession(_:task:didReceive:completionHandler:)) {
                ask(session, task, challenge, noting)
            } else if !answering.answerChallenge(challenge, as: records.certificates, completionHandler) {
                noting(.performDefaultHandling, nil)
            }
        }
    }

    /// Records `needBodyStream`; on Linux it is not called on the delegate queue.
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        calls.ask(.needBodyStream, of: task, in: session) { answering in
            let ask = implemented(user?.tasks?.urlSession(_:task:needNewBodyStream:))
            guard let ask else { return answering.answerBodyStream(completionHandler) }
            ask(session, task, answering.notingStream(completionHandler))
        }
    }

    /// Records `delayed`; only background sessions ask.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        calls.ask(.delayed, of: task, in: session) { answering in
            let noting: @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void = { answer, request in
                let word = answer == .cancel ? "cancel" : answer == .useNewRequest ? "change" : "allow"
                answering.recordAnswer(word, to: .delayed)
                completionHandler(answer, request)
            }
            let ask = implemented(user?.tasks?.urlSession(_:task:willBeginDelayedRequest:completionHandler:))
            guard let ask else { return noting(.continueLoading, nil) }
            ask(session, task, request, noting)
        }
    }

    #if canImport(Darwin)
        /// Records `needBodyStream` of a resumable upload, from an offset.
        @available(iOS 17, *)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
            completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            let facts: EventFacts = [EventFact(.offset, .integer(Int(clamping: offset)))]
            calls.ask(.needBodyStream, EventDetail(String(offset), facts: facts), of: task, in: session) { answering in
                let ask = implemented(user?.tasks?.urlSession(_:task:needNewBodyStreamFrom:completionHandler:))
                guard let ask else { return answering.answerBodyStream(completionHandler) }
                ask(session, task, offset, answering.notingStream(completionHandler))
            }
        }
    #endif
}

extension URLRequest {
    /// Whether both requests are equal; `==` on Linux ignores header fields.
    fileprivate func isSame(as other: URLRequest) -> Bool {
        url == other.url && httpMethod == other.httpMethod && allHTTPHeaderFields == other.allHTTPHeaderFields
            && httpBody == other.httpBody
    }
}

// Callbacks of data and upload tasks.
extension SessionCallbacks {
    /// Records `response`, which asks how the task continues (R28).
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let record = records.record(of: dataTask)
        record.receivedResponse(response.resultFacts(asking: record.fieldNames))
        calls.ask(.response, EventDetail(response), of: dataTask, in: session) { answering in
            let noting: @Sendable (URLSession.ResponseDisposition) -> Void = { answer in
                answering.recordAnswer(answer.word, to: .response)
                completionHandler(answer)
            }
            if user?.answers(response, of: dataTask, in: session, by: noting) == true { return }
            answering.answerResponse(completionHandler)
        }
    }

    /// Records `data`, with the number of bytes.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        records.record(of: dataTask).received(data)
        calls.record(.data, EventDetail(facts: .content(of: data)), of: dataTask, in: session) {
            implemented(user?.data?.urlSession(_:dataTask:didReceive:))?(session, dataTask, data)
        }
    }

    /// Records `willCache`, which asks what is stored (R32).
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        let facts: EventFacts = [
            EventFact(.bytes, .integer(proposedResponse.data.count)),
            EventFact(.storage, .text(CacheStorageName.name(of: proposedResponse.storagePolicy))),
        ]
        calls.ask(.willCache, EventDetail(facts: facts), of: dataTask, in: session) { answering in
            let ask = implemented(user?.data?.urlSession(_:dataTask:willCacheResponse:completionHandler:))
            guard let ask else {
                return answering.record.answerWillCache { completionHandler($0.response(inPlaceOf: proposedResponse)) }
            }
            ask(session, dataTask, proposedResponse) { answer in
                answering.recordAnswer(answer == nil ? "none" : "store", to: .willCache)
                completionHandler(answer)
            }
        }
    }

    /// Records `becameDownload`; the new task continues in the lane of the old one (R29).
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
    ) {
        recorder.assign(recorder.taskNumber(of: dataTask), toTask: downloadTask)
        calls.record(.becameDownload, of: dataTask, in: session) {
            implemented(user?.data?.urlSession(_:dataTask:didBecome:))?(session, dataTask, downloadTask)
        }
    }

    /// Records `becameStream`; the new task continues in the lane of the old one (R29).
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask
    ) {
        recorder.assign(recorder.taskNumber(of: dataTask), toTask: streamTask)
        calls.record(.becameStream, of: dataTask, in: session) {
            implemented(user?.data?.urlSession(_:dataTask:didBecome:))?(session, dataTask, streamTask)
        }
    }
}

extension URLSession.ResponseDisposition {
    /// The argument of `answer`.
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
extension SessionCallbacks {
    /// Records `progress`, with the totals as given (R34).
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let facts = EventFacts.arithmetic(
            n: bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite)
        calls.record(.progress, EventDetail(facts: facts), of: downloadTask, in: session) {
            implemented(
                user?.downloads?
                    .urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)
            )?(session, downloadTask, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
        }
    }

    /// Records `fileReady`; reads the file, which is removed when the callback returns (R35).
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let file = DownloadedFile(location)
        let record = records.record(of: downloadTask)
        record.receivedWhole(
            file.body, response: downloadTask.response?.resultFacts(asking: record.fieldNames))
        record.receivedFile(at: location.path)
        let facts = ([EventFact(.file, .text(location.path))] as EventFacts).appending(file.facts)
        calls.record(.fileReady, EventDetail(facts: facts), of: downloadTask, in: session) {
            user?.downloads?.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location)
        }
    }

    /// Records `downloadResumed`, with the offset; 0 means from the beginning (R36).
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        let facts: EventFacts = [
            EventFact(.offset, .integer(Int(clamping: fileOffset))),
            EventFact(.expected, .integer(Int(clamping: expectedTotalBytes))),
        ]
        calls.record(.downloadResumed, EventDetail(String(fileOffset), facts: facts), of: downloadTask, in: session) {
            implemented(
                user?.downloads?.urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)
            )?(session, downloadTask, fileOffset, expectedTotalBytes)
        }
    }
}

// Callbacks of WebSocket and stream tasks; Foundation on Linux declares those of stream tasks and never calls them.
extension SessionCallbacks {
    /// `wsOpen`, with the sub-protocol (R57).
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
    ) {
        calls.record(.wsOpen, EventDetail(`protocol`), of: webSocketTask, in: session) {
            implemented(
                user?.webSockets?.urlSession(_:webSocketTask:didOpenWithProtocol:)
            )?(session, webSocketTask, `protocol`)
        }
    }

    /// `wsClose`, with the close code (RFC 6455 §7.4).
    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
        calls.record(.wsClose, EventDetail(String(closeCode.rawValue)), of: webSocketTask, in: session) {
            implemented(
                user?.webSockets?.urlSession(_:webSocketTask:didCloseWith:reason:)
            )?(session, webSocketTask, closeCode, reason)
        }
    }

    /// `streamReadClosed`.
    func urlSession(_ session: URLSession, readClosedFor streamTask: URLSessionStreamTask) {
        calls.record(.streamReadClosed, of: streamTask, in: session) {
            implemented(user?.streams?.urlSession(_:readClosedFor:))?(session, streamTask)
        }
    }

    /// `streamWriteClosed`.
    func urlSession(_ session: URLSession, writeClosedFor streamTask: URLSessionStreamTask) {
        calls.record(.streamWriteClosed, of: streamTask, in: session) {
            implemented(user?.streams?.urlSession(_:writeClosedFor:))?(session, streamTask)
        }
    }

    /// `betterRoute`.
    func urlSession(_ session: URLSession, betterRouteDiscoveredFor streamTask: URLSessionStreamTask) {
        calls.record(.betterRoute, of: streamTask, in: session) {
            implemented(user?.streams?.urlSession(_:betterRouteDiscoveredFor:))?(session, streamTask)
        }
    }

    /// Records `streamsCaptured`, the last event of its lane (R58).
    func urlSession(
        _ session: URLSession, streamTask: URLSessionStreamTask, didBecome inputStream: InputStream,
        outputStream: OutputStream
    ) {
        calls.record(.streamsCaptured, of: streamTask, in: session) {
            implemented(
                user?.streams?.urlSession(_:streamTask:didBecome:outputStream:)
            )?(session, streamTask, inputStream, outputStream)
        }
    }
}

// Callbacks of the session.
extension SessionCallbacks {
    /// Records `sessionInvalid`, the last event of a session (R43).
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        let failure = EventDetail(error)
        calls.record(.sessionInvalid, failure, in: session) {
            implemented(user?.object.urlSession(_:didBecomeInvalidWithError:))?(session, error)
        }
    }

    /// Records `challenge` in lane `session`, which the running step answers; only challenges about a connection come
    /// here (R18).
    ///
    /// Not recorded when the program has no answers.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if user == nil, let record = records.current, record.step?.onChallenge.isEmpty == true {
            let standard = records.certificates.standardAnswer(to: challenge)
            return completionHandler(standard.disposition, standard.credential)
        }
        calls.record(.challenge, EventDetail(challenge, scope: "session"), in: session) {
            let record = records.current ?? StepRecord(nil, number: 0, family: .sessionData, recordingTo: recorder)
            let answering = Answering(record: record)
            let noting = answering.notingChallenge(completionHandler)
            if let ask = implemented(user?.object.urlSession(_:didReceive:completionHandler:)) {
                ask(session, challenge, noting)
            } else if !answering.answerChallenge(challenge, as: records.certificates, completionHandler) {
                noting(.performDefaultHandling, nil)
            }
        }
    }

    #if canImport(Darwin)
        /// `backgroundEventsDone`.
        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            calls.record(.backgroundEventsDone, in: session) {
                implemented(user?.object.urlSessionDidFinishEvents(forBackgroundURLSession:))?(session)
            }
        }
    #endif
}
