extension MethodName {
    /// NSURLDownloadDelegate.
    static let ofDownloads: [MethodName] = [
        MethodName(.downloadBegin, .task, .DL, "downloadDidBegin:", "downloadDidBegin(_:)"),
        MethodName(
            .canonicalize, .task, .DL, .rewrite, "download:willSendRequest:redirectResponse:",
            "download(_:willSend:redirectResponse:)", "download(_:willSendRequest:redirectResponse:)"),
        MethodName(
            .askCanAuth, .task, .DL, "download:canAuthenticateAgainstProtectionSpace:",
            "download(_:canAuthenticateAgainstProtectionSpace:)"),
        MethodName(
            .askCredStore, .task, .DL, "downloadShouldUseCredentialStorage:",
            "downloadShouldUseCredentialStorage(_:)"),
        MethodName(
            .challenge, .task, .DL, "download:didReceiveAuthenticationChallenge:",
            "download(_:didReceiveAuthenticationChallenge:)"),
        MethodName(
            .challengeCancelled, .task, .DL, "download:didCancelAuthenticationChallenge:",
            "download(_:didCancel:)"),
        MethodName(.response, .task, .DL, "download:didReceiveResponse:", "download(_:didReceiveResponse:)"),
        MethodName(.response, .task, .DL, .receivingNoData, "download(_:didReceive:)"),
        MethodName(
            .downloadResumed, .task, .DL, "download:willResumeWithResponse:fromByte:",
            "download(_:willResumeWith:fromByte:)"),
        MethodName(
            .progress, .task, .DL, "download:didReceiveDataOfLength:", "download(_:didReceiveDataOfLength:)"),
        MethodName(
            .shouldDecode, .task, .DL, "download:shouldDecodeSourceDataOfMIMEType:",
            "download(_:shouldDecodeSourceDataOfMIMEType:)"),
        MethodName(
            .destination, .task, .DL, "download:decideDestinationWithSuggestedFilename:",
            "download(_:decideDestinationWithSuggestedFilename:)"),
        MethodName(
            .destinationCreated, .task, .DL, "download:didCreateDestination:", "download(_:didCreateDestination:)"),
        MethodName(.complete, .task, .DL, .success, "downloadDidFinish:", "downloadDidFinish(_:)"),
        MethodName(
            .complete, .task, .DL, .failure, "download:didFailWithError:", "download(_:didFailWithError:)"),
    ]
}
