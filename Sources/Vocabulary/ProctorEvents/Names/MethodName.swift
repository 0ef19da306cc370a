import ProctorBase

/// A delegate method, or a call on or by a URLProtocol, with its neutral event.
package struct MethodName: Sendable, Equatable {
    /// nil for a method that no rule and no expression uses.
    package let event: EventName?
    package let lane: Lane
    /// nil for methods of a session.
    package let family: CallbackFamily?
    /// Whether no other family has it; the methods of URLSession's task delegate belong to all kinds of tasks.
    package let isOfOneFamily: Bool
    /// The Objective-C selector, then the Swift name, then other accepted spellings.
    package let spellings: [String]
    let meaning: Meaning

    /// What the name leaves open, or adds to the event.
    enum Meaning: Sendable, Equatable {
        case plain
        case success
        case failure
        /// `willSendRequest`: a redirect only where there is a response; a log that does not say has none (R7).
        case rewrite
        /// A redirect, unless the log says that there was no response (R7).
        case redirection
        /// Swift's `didBecome`, of a download or of a stream.
        case becoming
        /// Swift's `connection(_:didReceive:)`: of a response, of data or of a challenge.
        case receiving
        /// Swift's `download(_:didReceive:)`: of a response or of a challenge.
        case receivingNoData
        case scope(String)
        case answering(String)
    }
}

extension MethodName {
    /// Every method of every family, in the order of Docs/judging/methods.md.
    package static let all: [MethodName] =
        ofSessions + ofSessionTasks + ofConnections + ofDownloads + ofProtocols + ofSenders

    package static func named(_ name: String) -> MethodName? {
        let bytes = Array(name.utf8)
        return NameTables.methods.find(bytes.span, 0..<bytes.count).map { NameTables.method(at: $0) }
    }

    /// The spelling or neutral name that is nearest to an unknown word; slow, so that callers bound the number of
    /// calls.
    package static func nearestName(to name: String) -> String? {
        // A word of very different length is no typing error, and is not compared.
        let count = name.utf8.count
        let isNear = { (candidate: String) in abs(candidate.utf8.count - count) <= 3 }
        return NearestName.find(name, in: EventVocabulary.kinds.lazy.map(\.name).filter(isNear))
            ?? NearestName.find(name, in: all.lazy.flatMap(\.spellings).filter(isNear))
    }
}

extension MethodName {
    /// A method without the values that its group shares.
    private struct Row {
        let event: EventName?
        let spellings: [String]
        let meaning: Meaning

        /// The Objective-C selector, then the Swift name, then other accepted spellings.
        init(_ event: EventName?, _ spellings: String..., meaning: Meaning = .plain) {
            self.event = event
            self.spellings = spellings
            self.meaning = meaning
        }
    }

    /// The methods of one group; `shared` ones belong to other families as well.
    private static func rows(
        in lane: Lane, of family: CallbackFamily? = nil, shared: Bool = false, _ rows: Row...
    ) -> [MethodName] {
        rows.map { row in
            MethodName(
                event: row.event, lane: lane, family: family, isOfOneFamily: family != nil && !shared,
                spellings: row.spellings, meaning: row.meaning)
        }
    }

    static let ofSessions: [MethodName] = rows(
        in: .session,
        Row(.sessionInvalid, "URLSession:didBecomeInvalidWithError:", "urlSession(_:didBecomeInvalidWithError:)"),
        Row(
            .challenge, "URLSession:didReceiveChallenge:completionHandler:",
            "urlSession(_:didReceive:completionHandler:)", "urlSession(_:didReceive:)", meaning: .scope("session")),
        Row(
            .backgroundEvents, "application:handleEventsForBackgroundURLSession:completionHandler:",
            "application(_:handleEventsForBackgroundURLSession:completionHandler:)"),
        Row(
            .backgroundEventsDone, "URLSessionDidFinishEventsForBackgroundURLSession:",
            "urlSessionDidFinishEvents(forBackgroundURLSession:)"))

    /// The delegates of URLSession's tasks; `shared` ones belong to every kind of task.
    static let ofSessionTasks: [MethodName] =
        ofAnyTask + ofDataTasks + ofDownloadTasks + ofStreamTasks + ofWebSocketTasks

    private static let ofAnyTask: [MethodName] = rows(
        in: .task, of: .sessionData, shared: true,
        Row(.created, "URLSession:didCreateTask:", "urlSession(_:didCreateTask:)"),
        Row(
            .delayed, "URLSession:task:willBeginDelayedRequest:completionHandler:",
            "urlSession(_:task:willBeginDelayedRequest:completionHandler:)",
            "urlSession(_:task:willBeginDelayedRequest:)"),
        Row(.waiting, "URLSession:taskIsWaitingForConnectivity:", "urlSession(_:taskIsWaitingForConnectivity:)"),
        Row(
            .redirect, "URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:",
            "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)",
            "urlSession(_:task:willPerformHTTPRedirection:newRequest:)", meaning: .redirection),
        Row(
            .challenge, "URLSession:task:didReceiveChallenge:completionHandler:",
            "urlSession(_:task:didReceive:completionHandler:)", "urlSession(_:task:didReceive:)",
            meaning: .scope("task")),
        Row(.needBodyStream, "URLSession:task:needNewBodyStream:", "urlSession(_:task:needNewBodyStream:)"),
        Row(
            .needBodyStream, "URLSession:task:needNewBodyStreamFromOffset:completionHandler:",
            "urlSession(_:task:needNewBodyStreamFrom:completionHandler:)",
            "urlSession(_:task:needNewBodyStreamFrom:)"),
        Row(
            .bodySent, "URLSession:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:",
            "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)"),
        Row(
            .informational, "URLSession:task:didReceiveInformationalResponse:",
            "urlSession(_:task:didReceiveInformationalResponse:)"),
        Row(.metrics, "URLSession:task:didFinishCollectingMetrics:", "urlSession(_:task:didFinishCollecting:)"),
        Row(.complete, "URLSession:task:didCompleteWithError:", "urlSession(_:task:didCompleteWithError:)"))

    private static let ofDataTasks: [MethodName] = rows(
        in: .task, of: .sessionData,
        Row(
            .response, "URLSession:dataTask:didReceiveResponse:completionHandler:",
            "urlSession(_:dataTask:didReceive:completionHandler:)"),
        Row(.becameDownload, "URLSession:dataTask:didBecomeDownloadTask:"),
        Row(.becameStream, "URLSession:dataTask:didBecomeStreamTask:"),
        Row(.becameDownload, "urlSession(_:dataTask:didBecome:)", meaning: .becoming),
        Row(.data, "URLSession:dataTask:didReceiveData:", "urlSession(_:dataTask:didReceive:)"),
        Row(
            .willCache, "URLSession:dataTask:willCacheResponse:completionHandler:",
            "urlSession(_:dataTask:willCacheResponse:completionHandler:)",
            "urlSession(_:dataTask:willCacheResponse:)"))

    private static let ofDownloadTasks: [MethodName] = rows(
        in: .task, of: .sessionDownload,
        Row(
            .fileReady, "URLSession:downloadTask:didFinishDownloadingToURL:",
            "urlSession(_:downloadTask:didFinishDownloadingTo:)"),
        Row(
            .progress, "URLSession:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:",
            "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)"),
        Row(
            .downloadResumed, "URLSession:downloadTask:didResumeAtOffset:expectedTotalBytes:",
            "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)"))

    private static let ofStreamTasks: [MethodName] = rows(
        in: .task, of: .stream,
        Row(.streamReadClosed, "URLSession:readClosedForStreamTask:", "urlSession(_:readClosedFor:)"),
        Row(.streamWriteClosed, "URLSession:writeClosedForStreamTask:", "urlSession(_:writeClosedFor:)"),
        Row(
            .betterRoute, "URLSession:betterRouteDiscoveredForStreamTask:",
            "urlSession(_:betterRouteDiscoveredFor:)"),
        Row(
            .streamsCaptured, "URLSession:streamTask:didBecomeInputStream:outputStream:",
            "urlSession(_:streamTask:didBecome:outputStream:)"))

    private static let ofWebSocketTasks: [MethodName] =
        rows(
            in: .handler, of: .webSocket,
            Row(.wsSent, "sendMessage:completionHandler:", "send(_:completionHandler:)"),
            Row(.wsReceived, "receiveMessageWithCompletionHandler:", "receive(completionHandler:)"),
            Row(.wsPong, "sendPingWithPongReceiveHandler:", "sendPing(pongReceiveHandler:)"))
        + rows(
            in: .task, of: .webSocket,
            Row(
                .wsOpen, "URLSession:webSocketTask:didOpenWithProtocol:",
                "urlSession(_:webSocketTask:didOpenWithProtocol:)"),
            Row(
                .wsClose, "URLSession:webSocketTask:didCloseWithCode:reason:",
                "urlSession(_:webSocketTask:didCloseWith:reason:)"))
}

extension MethodName {
    /// NSURLConnection's delegates; `shared` ones belong to NSURLConnectionDownloadDelegate as well.
    static let ofConnections: [MethodName] =
        ofAnyConnection + ofDataConnections + ofDownloadingConnections + ofSynchronousRequests + ofQueuedRequests

    private static let ofAnyConnection: [MethodName] = rows(
        in: .task, of: .connection, shared: true,
        Row(
            .canonicalize, "connection:willSendRequest:redirectResponse:",
            "connection(_:willSend:redirectResponse:)", "connection(_:willSendRequest:redirectResponse:)",
            meaning: .rewrite),
        Row(
            .askCanAuth, "connection:canAuthenticateAgainstProtectionSpace:",
            "connection(_:canAuthenticateAgainstProtectionSpace:)"),
        Row(.askCredStore, "connectionShouldUseCredentialStorage:", "connectionShouldUseCredentialStorage(_:)"),
        Row(
            .challenge, "connection:willSendRequestForAuthenticationChallenge:", "connection(_:willSendRequestFor:)"
        ),
        Row(
            .challenge, "connection:didReceiveAuthenticationChallenge:",
            "connection(_:didReceiveAuthenticationChallenge:)"),
        Row(.challengeCancelled, "connection:didCancelAuthenticationChallenge:", "connection(_:didCancel:)"),
        Row(.complete, "connection:didFailWithError:", "connection(_:didFailWithError:)", meaning: .failure))

    private static let ofDataConnections: [MethodName] = rows(
        in: .task, of: .connection,
        Row(.needBodyStream, "connection:needNewBodyStream:", "connection(_:needNewBodyStream:)"),
        Row(
            .bodySent, "connection:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:",
            "connection(_:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:)"),
        Row(.response, "connection:didReceiveResponse:", "connection(_:didReceiveResponse:)"),
        Row(.data, "connection:didReceiveData:", "connection(_:didReceiveData:)"),
        Row(.data, "connection(_:didReceive:)", meaning: .receiving),
        // The last spelling stands in notes that many people copy from.
        Row(
            .willCache, "connection:willCacheResponse:", "connection(_:willCacheResponse:)",
            "connnection:willCacheResponse:"),
        Row(.complete, "connectionDidFinishLoading:", "connectionDidFinishLoading(_:)", meaning: .success))

    private static let ofDownloadingConnections: [MethodName] = rows(
        in: .task, of: .connectionDownload,
        Row(
            .downloadResumed, "connectionDidResumeDownloading:totalBytesWritten:expectedTotalBytes:",
            "connectionDidResumeDownloading(_:totalBytesWritten:expectedTotalBytes:)"),
        Row(
            .progress, "connection:didWriteData:totalBytesWritten:expectedTotalBytes:",
            "connection(_:didWriteData:totalBytesWritten:expectedTotalBytes:)"),
        Row(
            .fileReady, "connectionDidFinishDownloading:destinationURL:",
            "connectionDidFinishDownloading(_:destinationURL:)"))
}

extension MethodName {
    /// A line that names the call stands for its return; the spelling with one letter less is that of old notes.
    private static let ofSynchronousRequests: [MethodName] = rows(
        in: .handler, of: .connectionSync,
        Row(
            .awaited, "sendSynchronousRequest:returningResponse:error:", "sendSynchronousRequest(_:returning:)",
            "sendSynchronousRequest:returningReponse:error:"))

    /// A line that names the method stands for the call of its block.
    private static let ofQueuedRequests: [MethodName] = rows(
        in: .handler, of: .connectionQueued,
        Row(
            .handler, "sendAsynchronousRequest:queue:completionHandler:",
            "sendAsynchronousRequest(_:queue:completionHandler:)"))
}

extension MethodName {
    static let ofDownloads: [MethodName] = rows(
        in: .task, of: .download,
        Row(.downloadBegin, "downloadDidBegin:", "downloadDidBegin(_:)"),
        Row(
            .canonicalize, "download:willSendRequest:redirectResponse:", "download(_:willSend:redirectResponse:)",
            "download(_:willSendRequest:redirectResponse:)", meaning: .rewrite),
        Row(
            .askCanAuth, "download:canAuthenticateAgainstProtectionSpace:",
            "download(_:canAuthenticateAgainstProtectionSpace:)"),
        Row(.askCredStore, "downloadShouldUseCredentialStorage:", "downloadShouldUseCredentialStorage(_:)"),
        Row(
            .challenge, "download:didReceiveAuthenticationChallenge:",
            "download(_:didReceiveAuthenticationChallenge:)"),
        Row(.challengeCancelled, "download:didCancelAuthenticationChallenge:", "download(_:didCancel:)"),
        Row(.response, "download:didReceiveResponse:", "download(_:didReceiveResponse:)"),
        Row(.response, "download(_:didReceive:)", meaning: .receivingNoData),
        Row(.downloadResumed, "download:willResumeWithResponse:fromByte:", "download(_:willResumeWith:fromByte:)"),
        Row(.progress, "download:didReceiveDataOfLength:", "download(_:didReceiveDataOfLength:)"),
        Row(
            .shouldDecode, "download:shouldDecodeSourceDataOfMIMEType:",
            "download(_:shouldDecodeSourceDataOfMIMEType:)"),
        Row(
            .destination, "download:decideDestinationWithSuggestedFilename:",
            "download(_:decideDestinationWithSuggestedFilename:)"),
        Row(.destinationCreated, "download:didCreateDestination:", "download(_:didCreateDestination:)"),
        Row(.complete, "downloadDidFinish:", "downloadDidFinish(_:)", meaning: .success),
        Row(.complete, "download:didFailWithError:", "download(_:didFailWithError:)", meaning: .failure))
}

extension MethodName {
    /// URLProtocol's methods, which the loading system calls, and those of URLProtocolClient, which a protocol calls.
    static let ofProtocols: [MethodName] = ofProtocolObjects + ofProtocolClients

    private static let ofProtocolObjects: [MethodName] = rows(
        in: .proto, of: .proto,
        Row(.pCanInit, "canInitWithRequest:", "canInit(with:)", "canInitWithTask:"),
        Row(.pCanonical, "canonicalRequestForRequest:", "canonicalRequest(for:)"),
        Row(.pCacheEquivalent, "requestIsCacheEquivalent:toRequest:", "requestIsCacheEquivalent(_:to:)"),
        Row(.pInit, "initWithRequest:cachedResponse:client:", "init(request:cachedResponse:client:)"),
        Row(.pInit, "initWithTask:cachedResponse:client:", "init(task:cachedResponse:client:)"),
        Row(.pStart, "startLoading", "startLoading()"),
        Row(.pStop, "stopLoading", "stopLoading()"),
        Row(.pDeinit, "dealloc", "deinit"))

    private static let ofProtocolClients: [MethodName] = rows(
        in: .protocolClient, of: .urlProtocol,
        Row(
            .redirect, "URLProtocol:wasRedirectedToRequest:redirectResponse:",
            "urlProtocol(_:wasRedirectedTo:redirectResponse:)", meaning: .redirection),
        Row(.cacheValidated, "URLProtocol:cachedResponseIsValid:", "urlProtocol(_:cachedResponseIsValid:)"),
        Row(
            .response, "URLProtocol:didReceiveResponse:cacheStoragePolicy:",
            "urlProtocol(_:didReceive:cacheStoragePolicy:)"),
        Row(.data, "URLProtocol:didLoadData:", "urlProtocol(_:didLoad:)"),
        Row(.complete, "URLProtocolDidFinishLoading:", "urlProtocolDidFinishLoading(_:)", meaning: .success),
        Row(.complete, "URLProtocol:didFailWithError:", "urlProtocol(_:didFailWithError:)", meaning: .failure),
        Row(.challenge, "URLProtocol:didReceiveAuthenticationChallenge:", "urlProtocol(_:didReceive:)"),
        Row(.challengeCancelled, "URLProtocol:didCancelAuthenticationChallenge:", "urlProtocol(_:didCancel:)"))
}

extension MethodName {
    /// The methods of a challenge's sender, which are answers to the challenge and no callbacks
    /// (URLAuthenticationChallengeSender).
    ///
    /// Without Swift's `cancel(_:)`, because any type may have a method of that name.
    static let ofSenders: [MethodName] = rows(
        in: .harness,
        Row(.answer, "useCredential:forAuthenticationChallenge:", "use(_:for:)", meaning: .answering("use")),
        Row(
            .answer, "continueWithoutCredentialForAuthenticationChallenge:", "continueWithoutCredential(for:)",
            meaning: .answering("use-none")),
        Row(.answer, "cancelAuthenticationChallenge:", meaning: .answering("cancel")),
        Row(
            .answer, "performDefaultHandlingForAuthenticationChallenge:", "performDefaultHandling(for:)",
            meaning: .answering("default")),
        Row(
            .answer, "rejectProtectionSpaceAndContinueWithChallenge:", "rejectProtectionSpaceAndContinue(with:)",
            meaning: .answering("reject")))

    /// The dispositions that a test gives to URLSession's completion handlers, by their names in both languages.
    static let dispositions: [(word: String, answer: String)] = [
        ("NSURLSessionAuthChallengeUseCredential", "use"), ("useCredential", "use"),
        ("NSURLSessionAuthChallengePerformDefaultHandling", "default"), ("performDefaultHandling", "default"),
        ("NSURLSessionAuthChallengeCancelAuthenticationChallenge", "cancel"),
        ("cancelAuthenticationChallenge", "cancel"),
        ("NSURLSessionAuthChallengeRejectProtectionSpace", "reject"), ("rejectProtectionSpace", "reject"),
    ]
}
