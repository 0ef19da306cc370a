extension MethodName {
    /// NSURLConnection's delegates; `shared` ones belong to NSURLConnectionDownloadDelegate as well.
    static let ofConnections: [MethodName] = ofAnyConnection + ofDataConnections + ofDownloadingConnections

    private static let ofAnyConnection: [MethodName] = [
        MethodName(
            .canonicalize, .task, .UC, shared: true, .rewrite, "connection:willSendRequest:redirectResponse:",
            "connection(_:willSend:redirectResponse:)", "connection(_:willSendRequest:redirectResponse:)"),
        MethodName(
            .askCanAuth, .task, .UC, shared: true, "connection:canAuthenticateAgainstProtectionSpace:",
            "connection(_:canAuthenticateAgainstProtectionSpace:)"),
        MethodName(
            .askCredStore, .task, .UC, shared: true, "connectionShouldUseCredentialStorage:",
            "connectionShouldUseCredentialStorage(_:)"),
        MethodName(
            .challenge, .task, .UC, shared: true, "connection:willSendRequestForAuthenticationChallenge:",
            "connection(_:willSendRequestFor:)"),
        MethodName(
            .challenge, .task, .UC, shared: true, "connection:didReceiveAuthenticationChallenge:",
            "connection(_:didReceiveAuthenticationChallenge:)"),
        MethodName(
            .challengeCancelled, .task, .UC, shared: true, "connection:didCancelAuthenticationChallenge:",
            "connection(_:didCancel:)"),
        MethodName(
            .complete, .task, .UC, shared: true, .failure, "connection:didFailWithError:",
            "connection(_:didFailWithError:)"),
    ]

    private static let ofDataConnections: [MethodName] = [
        MethodName(
            .needBodyStream, .task, .UC, "connection:needNewBodyStream:", "connection(_:needNewBodyStream:)"),
        MethodName(
            .bodySent, .task, .UC, "connection:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:",
            "connection(_:didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:)"),
        MethodName(
            .response, .task, .UC, "connection:didReceiveResponse:", "connection(_:didReceiveResponse:)"),
        MethodName(.data, .task, .UC, "connection:didReceiveData:", "connection(_:didReceiveData:)"),
        MethodName(.data, .task, .UC, .receiving, "connection(_:didReceive:)"),
        // The last spelling stands in notes that are much copied from.
        MethodName(
            .willCache, .task, .UC, "connection:willCacheResponse:", "connection(_:willCacheResponse:)",
            "connnection:willCacheResponse:"),
        MethodName(
            .complete, .task, .UC, .success, "connectionDidFinishLoading:", "connectionDidFinishLoading(_:)"),
    ]

    private static let ofDownloadingConnections: [MethodName] = [
        MethodName(
            .downloadResumed, .task, .CD, "connectionDidResumeDownloading:totalBytesWritten:expectedTotalBytes:",
            "connectionDidResumeDownloading(_:totalBytesWritten:expectedTotalBytes:)"),
        MethodName(
            .progress, .task, .CD, "connection:didWriteData:totalBytesWritten:expectedTotalBytes:",
            "connection(_:didWriteData:totalBytesWritten:expectedTotalBytes:)"),
        MethodName(
            .fileReady, .task, .CD, "connectionDidFinishDownloading:destinationURL:",
            "connectionDidFinishDownloading(_:destinationURL:)"),
    ]
}
