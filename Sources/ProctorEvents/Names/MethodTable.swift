import ProctorBase

extension MethodName {
    /// Every method of every family, in the order of Docs/trace-format.md.
    public static let all: [MethodName] =
        ofSessions + ofSessionTasks + ofConnections + ofDownloads + ofProtocols + ofSenders

    /// The method of that exact spelling.
    public static func named(_ name: String) -> MethodName? {
        let bytes = Array(name.utf8)
        return NameTables.methods.find(bytes.span, 0..<bytes.count).map { NameTables.method(at: $0) }
    }

    /// The nearest spelling or neutral name to an unknown word; slow, so that callers bound how often they ask.
    public static func nearestName(to name: String) -> String? {
        // What differs more in length is no slip of the finger, and not worth a comparison.
        let count = name.utf8.count
        let isNear = { (candidate: String) in abs(candidate.utf8.count - count) <= 3 }
        return NearestName.find(name, in: EventVocabulary.kinds.lazy.map(\.name).filter(isNear))
            ?? NearestName.find(name, in: all.lazy.flatMap(\.spellings).filter(isNear))
    }
}

extension MethodName {
    /// URLSessionDelegate, whose methods name no task.
    static let ofSessions: [MethodName] = [
        MethodName(
            .sessionInvalid, in: .session, spelled: "URLSession:didBecomeInvalidWithError:",
            "urlSession(_:didBecomeInvalidWithError:)"),
        MethodName(
            .challenge, in: .session, meaning: .scope("session"),
            spelled: "URLSession:didReceiveChallenge:completionHandler:",
            "urlSession(_:didReceive:completionHandler:)", "urlSession(_:didReceive:)"),
        MethodName(
            .backgroundEventsDone, in: .session, spelled: "URLSessionDidFinishEventsForBackgroundURLSession:",
            "urlSessionDidFinishEvents(forBackgroundURLSession:)"),
    ]

    /// The delegates of URLSession's tasks; `shared` ones belong to every kind of task.
    static let ofSessionTasks: [MethodName] = ofAnyTask + ofDataTasks + ofDownloadTasks + ofOtherTasks

    private static let ofAnyTask: [MethodName] = [
        MethodName(
            .created, in: .task, of: .sessionData, shared: true, spelled: "URLSession:didCreateTask:",
            "urlSession(_:didCreateTask:)"),
        MethodName(
            .delayed, in: .task, of: .sessionData, shared: true,
            spelled: "URLSession:task:willBeginDelayedRequest:completionHandler:",
            "urlSession(_:task:willBeginDelayedRequest:completionHandler:)",
            "urlSession(_:task:willBeginDelayedRequest:)"),
        MethodName(
            .waiting, in: .task, of: .sessionData, shared: true, spelled: "URLSession:taskIsWaitingForConnectivity:",
            "urlSession(_:taskIsWaitingForConnectivity:)"),
        MethodName(
            .redirect, in: .task, of: .sessionData, shared: true, meaning: .redirection,
            spelled: "URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:",
            "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)",
            "urlSession(_:task:willPerformHTTPRedirection:newRequest:)"),
        MethodName(
            .challenge, in: .task, of: .sessionData, shared: true, meaning: .scope("task"),
            spelled: "URLSession:task:didReceiveChallenge:completionHandler:",
            "urlSession(_:task:didReceive:completionHandler:)", "urlSession(_:task:didReceive:)"),
        MethodName(
            .needBodyStream, in: .task, of: .sessionData, shared: true, spelled: "URLSession:task:needNewBodyStream:",
            "urlSession(_:task:needNewBodyStream:)"),
        MethodName(
            .needBodyStream, in: .task, of: .sessionData, shared: true,
            spelled: "URLSession:task:needNewBodyStreamFromOffset:completionHandler:",
            "urlSession(_:task:needNewBodyStreamFrom:completionHandler:)",
            "urlSession(_:task:needNewBodyStreamFrom:)"),
        MethodName(
            .bodySent, in: .task, of: .sessionData, shared: true,
            spelled: "URLSession:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:",
            "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)"),
        MethodName(
            .informational, in: .task, of: .sessionData, shared: true,
            spelled: "URLSession:task:didReceiveInformationalResponse:",
            "urlSession(_:task:didReceiveInformationalResponse:)"),
        MethodName(
            .metrics, in: .task, of: .sessionData, shared: true, spelled: "URLSession:task:didFinishCollectingMetrics:",
            "urlSession(_:task:didFinishCollecting:)"),
        MethodName(
            .complete, in: .task, of: .sessionData, shared: true, spelled: "URLSession:task:didCompleteWithError:",
            "urlSession(_:task:didCompleteWithError:)"),
    ]

    private static let ofDataTasks: [MethodName] = [
        MethodName(
            .response, in: .task, of: .sessionData,
            spelled: "URLSession:dataTask:didReceiveResponse:completionHandler:",
            "urlSession(_:dataTask:didReceive:completionHandler:)"),
        MethodName(.becameDownload, in: .task, of: .sessionData, spelled: "URLSession:dataTask:didBecomeDownloadTask:"),
        MethodName(.becameStream, in: .task, of: .sessionData, spelled: "URLSession:dataTask:didBecomeStreamTask:"),
        MethodName(
            .becameDownload, in: .task, of: .sessionData, meaning: .becoming,
            spelled: "urlSession(_:dataTask:didBecome:)"),
        MethodName(
            .data, in: .task, of: .sessionData, spelled: "URLSession:dataTask:didReceiveData:",
            "urlSession(_:dataTask:didReceive:)"),
        MethodName(
            .willCache, in: .task, of: .sessionData,
            spelled: "URLSession:dataTask:willCacheResponse:completionHandler:",
            "urlSession(_:dataTask:willCacheResponse:completionHandler:)",
            "urlSession(_:dataTask:willCacheResponse:)"),
    ]

    private static let ofDownloadTasks: [MethodName] = [
        MethodName(
            .fileReady, in: .task, of: .sessionDownload, spelled: "URLSession:downloadTask:didFinishDownloadingToURL:",
            "urlSession(_:downloadTask:didFinishDownloadingTo:)"),
        MethodName(
            .progress, in: .task, of: .sessionDownload,
            spelled: "URLSession:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:",
            "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)"),
        MethodName(
            .downloadResumed, in: .task, of: .sessionDownload,
            spelled: "URLSession:downloadTask:didResumeAtOffset:expectedTotalBytes:",
            "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)"),
    ]

    private static let ofOtherTasks: [MethodName] = [
        MethodName(
            .streamReadClosed, in: .task, of: .stream, spelled: "URLSession:readClosedForStreamTask:",
            "urlSession(_:readClosedFor:)"),
        MethodName(
            .streamWriteClosed, in: .task, of: .stream, spelled: "URLSession:writeClosedForStreamTask:",
            "urlSession(_:writeClosedFor:)"),
        MethodName(
            .betterRoute, in: .task, of: .stream, spelled: "URLSession:betterRouteDiscoveredForStreamTask:",
            "urlSession(_:betterRouteDiscoveredFor:)"),
        MethodName(
            .streamsCaptured, in: .task, of: .stream,
            spelled: "URLSession:streamTask:didBecomeInputStream:outputStream:",
            "urlSession(_:streamTask:didBecome:outputStream:)"),
        MethodName(
            .wsOpen, in: .task, of: .webSocket, spelled: "URLSession:webSocketTask:didOpenWithProtocol:",
            "urlSession(_:webSocketTask:didOpenWithProtocol:)"),
        MethodName(
            .wsClose, in: .task, of: .webSocket, spelled: "URLSession:webSocketTask:didCloseWithCode:reason:",
            "urlSession(_:webSocketTask:didCloseWith:reason:)"),
    ]
}

extension MethodName {
    /// NSURLConnection's delegates; `shared` ones belong to NSURLConnectionDownloadDelegate as well.
    static let ofConnections: [MethodName] = ofAnyConnection + ofDataConnections + ofDownloadingConnections

    private static let ofAnyConnection: [MethodName] = [
        MethodName(
            .canonicalize, in: .task, of: .connection, shared: true, meaning: .rewrite,
            spelled: "connection:willSendRequest:redirectResponse:",
            "connection(_:willSend:redirectResponse:)", "connection(_:willSendRequest:redirectResponse:)"),
        MethodName(
            .askCanAuth, in: .task, of: .connection, shared: true,
            spelled: "connection:canAuthenticateAgainstProtectionSpace:",
            "connection(_:canAuthenticateAgainstProtectionSpace:)"),
        MethodName(
            .askCredStore, in: .task, of: .connection, shared: true, spelled: "connectionShouldUseCredentialStorage:",
            "connectionShouldUseCredentialStorage(_:)"),
        MethodName(
            .challenge, in: .task, of: .connection, shared: true,
            spelled: "connection:willSendRequestForAuthenticationChallenge:",
            "connection(_:willSendRequestFor:)"),
        MethodName(
            .challenge, in: .task, of: .connection, shared: true,
            spelled: "connection:didReceiveAuthenticationChallenge:",
            "connection(_:didReceiveAuthenticationChallenge:)"),
        MethodName(
            .challengeCancelled, in: .task, of: .connection, shared: true,
            spelled: "connection:didCancelAuthenticationChallenge:",
            "connection(_:didCancel:)"),
        MethodName(
            .complete, in: .task, of: .connection, shared: true, meaning: .failure,
            spelled: "connection:didFailWithError:",
            "connection(_:didFailWithError:)"),
    ]

    private static let ofDataConnections: [MethodName] = [
        MethodName(
            .needBodyStream, in: .task, of: .connection, spelled: "connection:needNewBodyStream:",
            "connection(_:needNewBodyStream:)"),
        MethodName(
            .bodySent, in: .task, of: .connection,
            spelled: "connection:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:",
            "connection(_:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:)"),
        MethodName(
            .response, in: .task, of: .connection, spelled: "connection:didReceiveResponse:",
            "connection(_:didReceiveResponse:)"),
        MethodName(
            .data, in: .task, of: .connection, spelled: "connection:didReceiveData:", "connection(_:didReceiveData:)"),
        MethodName(.data, in: .task, of: .connection, meaning: .receiving, spelled: "connection(_:didReceive:)"),
        // The last spelling stands in notes that are much copied from.
        MethodName(
            .willCache, in: .task, of: .connection, spelled: "connection:willCacheResponse:",
            "connection(_:willCacheResponse:)",
            "connnection:willCacheResponse:"),
        MethodName(
            .complete, in: .task, of: .connection, meaning: .success, spelled: "connectionDidFinishLoading:",
            "connectionDidFinishLoading(_:)"),
    ]

    private static let ofDownloadingConnections: [MethodName] = [
        MethodName(
            .downloadResumed, in: .task, of: .connectionDownload,
            spelled: "connectionDidResumeDownloading:totalBytesWritten:expectedTotalBytes:",
            "connectionDidResumeDownloading(_:totalBytesWritten:expectedTotalBytes:)"),
        MethodName(
            .progress, in: .task, of: .connectionDownload,
            spelled: "connection:didWriteData:totalBytesWritten:expectedTotalBytes:",
            "connection(_:didWriteData:totalBytesWritten:expectedTotalBytes:)"),
        MethodName(
            .fileReady, in: .task, of: .connectionDownload, spelled: "connectionDidFinishDownloading:destinationURL:",
            "connectionDidFinishDownloading(_:destinationURL:)"),
    ]
}

extension MethodName {
    /// NSURLDownloadDelegate.
    static let ofDownloads: [MethodName] = [
        MethodName(.downloadBegin, in: .task, of: .download, spelled: "downloadDidBegin:", "downloadDidBegin(_:)"),
        MethodName(
            .canonicalize, in: .task, of: .download, meaning: .rewrite,
            spelled: "download:willSendRequest:redirectResponse:",
            "download(_:willSend:redirectResponse:)", "download(_:willSendRequest:redirectResponse:)"),
        MethodName(
            .askCanAuth, in: .task, of: .download, spelled: "download:canAuthenticateAgainstProtectionSpace:",
            "download(_:canAuthenticateAgainstProtectionSpace:)"),
        MethodName(
            .askCredStore, in: .task, of: .download, spelled: "downloadShouldUseCredentialStorage:",
            "downloadShouldUseCredentialStorage(_:)"),
        MethodName(
            .challenge, in: .task, of: .download, spelled: "download:didReceiveAuthenticationChallenge:",
            "download(_:didReceiveAuthenticationChallenge:)"),
        MethodName(
            .challengeCancelled, in: .task, of: .download, spelled: "download:didCancelAuthenticationChallenge:",
            "download(_:didCancel:)"),
        MethodName(
            .response, in: .task, of: .download, spelled: "download:didReceiveResponse:",
            "download(_:didReceiveResponse:)"),
        MethodName(.response, in: .task, of: .download, meaning: .receivingNoData, spelled: "download(_:didReceive:)"),
        MethodName(
            .downloadResumed, in: .task, of: .download, spelled: "download:willResumeWithResponse:fromByte:",
            "download(_:willResumeWith:fromByte:)"),
        MethodName(
            .progress, in: .task, of: .download, spelled: "download:didReceiveDataOfLength:",
            "download(_:didReceiveDataOfLength:)"),
        MethodName(
            .shouldDecode, in: .task, of: .download, spelled: "download:shouldDecodeSourceDataOfMIMEType:",
            "download(_:shouldDecodeSourceDataOfMIMEType:)"),
        MethodName(
            .destination, in: .task, of: .download, spelled: "download:decideDestinationWithSuggestedFilename:",
            "download(_:decideDestinationWithSuggestedFilename:)"),
        MethodName(
            .destinationCreated, in: .task, of: .download, spelled: "download:didCreateDestination:",
            "download(_:didCreateDestination:)"
        ),
        MethodName(
            .complete, in: .task, of: .download, meaning: .success, spelled: "downloadDidFinish:",
            "downloadDidFinish(_:)"),
        MethodName(
            .complete, in: .task, of: .download, meaning: .failure, spelled: "download:didFailWithError:",
            "download(_:didFailWithError:)"),
    ]
}

extension MethodName {
    /// URLProtocol, as the loading system calls it, and URLProtocolClient, as a protocol calls it.
    static let ofProtocols: [MethodName] = ofProtocolObjects + ofProtocolClients

    private static let ofProtocolObjects: [MethodName] = [
        MethodName(
            .pCanInit, in: .proto, of: .proto, spelled: "canInitWithRequest:", "canInit(with:)", "canInitWithTask:"),
        MethodName(
            .pCanonical, in: .proto, of: .proto, spelled: "canonicalRequestForRequest:", "canonicalRequest(for:)"),
        MethodName(
            in: .proto, of: .proto, spelled: "requestIsCacheEquivalent:toRequest:", "requestIsCacheEquivalent(_:to:)"),
        MethodName(
            .pInit, in: .proto, of: .proto, spelled: "initWithRequest:cachedResponse:client:",
            "init(request:cachedResponse:client:)"),
        MethodName(
            .pInit, in: .proto, of: .proto, spelled: "initWithTask:cachedResponse:client:",
            "init(task:cachedResponse:client:)"),
        MethodName(.pStart, in: .proto, of: .proto, spelled: "startLoading", "startLoading()"),
        MethodName(.pStop, in: .proto, of: .proto, spelled: "stopLoading", "stopLoading()"),
        MethodName(.pDeinit, in: .proto, of: .proto, spelled: "dealloc", "deinit"),
    ]

    private static let ofProtocolClients: [MethodName] = [
        MethodName(
            .redirect, in: .protocolClient, of: .urlProtocol, meaning: .redirection,
            spelled: "URLProtocol:wasRedirectedToRequest:redirectResponse:",
            "urlProtocol(_:wasRedirectedTo:redirectResponse:)"),
        MethodName(
            .cacheValidated, in: .protocolClient, of: .urlProtocol, spelled: "URLProtocol:cachedResponseIsValid:",
            "urlProtocol(_:cachedResponseIsValid:)"),
        MethodName(
            .response, in: .protocolClient, of: .urlProtocol,
            spelled: "URLProtocol:didReceiveResponse:cacheStoragePolicy:",
            "urlProtocol(_:didReceive:cacheStoragePolicy:)"),
        MethodName(
            .data, in: .protocolClient, of: .urlProtocol, spelled: "URLProtocol:didLoadData:", "urlProtocol(_:didLoad:)"
        ),
        MethodName(
            .complete, in: .protocolClient, of: .urlProtocol, meaning: .success,
            spelled: "URLProtocolDidFinishLoading:",
            "urlProtocolDidFinishLoading(_:)"),
        MethodName(
            .complete, in: .protocolClient, of: .urlProtocol, meaning: .failure,
            spelled: "URLProtocol:didFailWithError:",
            "urlProtocol(_:didFailWithError:)"),
        MethodName(
            .challenge, in: .protocolClient, of: .urlProtocol,
            spelled: "URLProtocol:didReceiveAuthenticationChallenge:",
            "urlProtocol(_:didReceive:)"),
        MethodName(
            .challengeCancelled, in: .protocolClient, of: .urlProtocol,
            spelled: "URLProtocol:didCancelAuthenticationChallenge:",
            "urlProtocol(_:didCancel:)"),
    ]
}

extension MethodName {
    /// What a challenge's sender is told, which is an answer to the challenge and no callback (URLAuthenticationChallengeSender).
    ///
    /// Swift's `cancel(_:)` is not among them: anything may have a method of that name.
    static let ofSenders: [MethodName] = [
        MethodName(
            .answer, in: .harness, meaning: .answering("use"), spelled: "useCredential:forAuthenticationChallenge:",
            "use(_:for:)"),
        MethodName(
            .answer, in: .harness, meaning: .answering("use-none"),
            spelled: "continueWithoutCredentialForAuthenticationChallenge:",
            "continueWithoutCredential(for:)"),
        MethodName(.answer, in: .harness, meaning: .answering("cancel"), spelled: "cancelAuthenticationChallenge:"),
        MethodName(
            .answer, in: .harness, meaning: .answering("default"),
            spelled: "performDefaultHandlingForAuthenticationChallenge:",
            "performDefaultHandling(for:)"),
        MethodName(
            .answer, in: .harness, meaning: .answering("reject"),
            spelled: "rejectProtectionSpaceAndContinueWithChallenge:",
            "rejectProtectionSpaceAndContinue(with:)"),
    ]

    /// The answers that a completion handler of URLSession is given, as either language names them.
    static let dispositions: [(word: String, answer: String)] = [
        ("NSURLSessionAuthChallengeUseCredential", "use"), ("useCredential", "use"),
        ("NSURLSessionAuthChallengePerformDefaultHandling", "default"), ("performDefaultHandling", "default"),
        ("NSURLSessionAuthChallengeCancelAuthenticationChallenge", "cancel"),
        ("cancelAuthenticationChallenge", "cancel"),
        ("NSURLSessionAuthChallengeRejectProtectionSpace", "reject"), ("rejectProtectionSpace", "reject"),
    ]
}
