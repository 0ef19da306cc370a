extension MethodName {
    /// URLSessionDelegate, whose methods name no task.
    static let ofSessions: [MethodName] = [
        MethodName(
            .sessionInvalid, .session, nil, "URLSession:didBecomeInvalidWithError:",
            "urlSession(_:didBecomeInvalidWithError:)"),
        MethodName(
            .challenge, .session, nil, .scope("session"), "URLSession:didReceiveChallenge:completionHandler:",
            "urlSession(_:didReceive:completionHandler:)", "urlSession(_:didReceive:)"),
        MethodName(
            .backgroundEventsDone, .session, nil, "URLSessionDidFinishEventsForBackgroundURLSession:",
            "urlSessionDidFinishEvents(forBackgroundURLSession:)"),
    ]

    /// The delegates of URLSession's tasks; `shared` ones belong to every kind of task.
    static let ofSessionTasks: [MethodName] = ofAnyTask + ofDataTasks + ofDownloadTasks + ofOtherTasks

    private static let ofAnyTask: [MethodName] = [
        MethodName(.created, .task, .US, shared: true, "URLSession:didCreateTask:", "urlSession(_:didCreateTask:)"),
        MethodName(
            .delayed, .task, .US, shared: true, "URLSession:task:willBeginDelayedRequest:completionHandler:",
            "urlSession(_:task:willBeginDelayedRequest:completionHandler:)",
            "urlSession(_:task:willBeginDelayedRequest:)"),
        MethodName(
            .waiting, .task, .US, shared: true, "URLSession:taskIsWaitingForConnectivity:",
            "urlSession(_:taskIsWaitingForConnectivity:)"),
        MethodName(
            .redirect, .task, .US, shared: true, .redirection,
            "URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:",
            "urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)",
            "urlSession(_:task:willPerformHTTPRedirection:newRequest:)"),
        MethodName(
            .challenge, .task, .US, shared: true, .scope("task"),
            "URLSession:task:didReceiveChallenge:completionHandler:",
            "urlSession(_:task:didReceive:completionHandler:)", "urlSession(_:task:didReceive:)"),
        MethodName(
            .needBodyStream, .task, .US, shared: true, "URLSession:task:needNewBodyStream:",
            "urlSession(_:task:needNewBodyStream:)"),
        MethodName(
            .needBodyStream, .task, .US, shared: true,
            "URLSession:task:needNewBodyStreamFromOffset:completionHandler:",
            "urlSession(_:task:needNewBodyStreamFrom:completionHandler:)",
            "urlSession(_:task:needNewBodyStreamFrom:)"),
        MethodName(
            .bodySent, .task, .US, shared: true,
            "URLSession:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:",
            "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)"),
        MethodName(
            .informational, .task, .US, shared: true, "URLSession:task:didReceiveInformationalResponse:",
            "urlSession(_:task:didReceiveInformationalResponse:)"),
        MethodName(
            .metrics, .task, .US, shared: true, "URLSession:task:didFinishCollectingMetrics:",
            "urlSession(_:task:didFinishCollecting:)"),
        MethodName(
            .complete, .task, .US, shared: true, "URLSession:task:didCompleteWithError:",
            "urlSession(_:task:didCompleteWithError:)"),
    ]

    private static let ofDataTasks: [MethodName] = [
        MethodName(
            .response, .task, .US, "URLSession:dataTask:didReceiveResponse:completionHandler:",
            "urlSession(_:dataTask:didReceive:completionHandler:)"),
        MethodName(
            .becameDownload, .task, .US, "URLSession:dataTask:didBecomeDownloadTask:"),
        MethodName(
            .becameStream, .task, .US, "URLSession:dataTask:didBecomeStreamTask:"),
        MethodName(
            .becameDownload, .task, .US, .becoming, "urlSession(_:dataTask:didBecome:)"),
        MethodName(
            .data, .task, .US, "URLSession:dataTask:didReceiveData:", "urlSession(_:dataTask:didReceive:)"),
        MethodName(
            .willCache, .task, .US, "URLSession:dataTask:willCacheResponse:completionHandler:",
            "urlSession(_:dataTask:willCacheResponse:completionHandler:)",
            "urlSession(_:dataTask:willCacheResponse:)"),
    ]

    private static let ofDownloadTasks: [MethodName] = [
        MethodName(
            .fileReady, .task, .UD, "URLSession:downloadTask:didFinishDownloadingToURL:",
            "urlSession(_:downloadTask:didFinishDownloadingTo:)"),
        MethodName(
            .progress, .task, .UD, "URLSession:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:",
            "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)"),
        MethodName(
            .downloadResumed, .task, .UD, "URLSession:downloadTask:didResumeAtOffset:expectedTotalBytes:",
            "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)"),
    ]

    private static let ofOtherTasks: [MethodName] = [
        MethodName(
            .streamReadClosed, .task, .ST, "URLSession:readClosedForStreamTask:", "urlSession(_:readClosedFor:)"),
        MethodName(
            .streamWriteClosed, .task, .ST, "URLSession:writeClosedForStreamTask:", "urlSession(_:writeClosedFor:)"),
        MethodName(
            .betterRoute, .task, .ST, "URLSession:betterRouteDiscoveredForStreamTask:",
            "urlSession(_:betterRouteDiscoveredFor:)"),
        MethodName(
            .streamsCaptured, .task, .ST, "URLSession:streamTask:didBecomeInputStream:outputStream:",
            "urlSession(_:streamTask:didBecome:outputStream:)"),
        MethodName(
            .wsOpen, .task, .WS, "URLSession:webSocketTask:didOpenWithProtocol:",
            "urlSession(_:webSocketTask:didOpenWithProtocol:)"),
        MethodName(
            .wsClose, .task, .WS, "URLSession:webSocketTask:didCloseWithCode:reason:",
            "urlSession(_:webSocketTask:didCloseWith:reason:)"),
    ]
}
