extension MethodName {
    /// URLProtocol, as the loading system calls it, and URLProtocolClient, as a protocol calls it.
    static let ofProtocols: [MethodName] = ofProtocolObjects + ofProtocolClients

    private static let ofProtocolObjects: [MethodName] = [
        MethodName(.pCanInit, .proto, .proto, "canInitWithRequest:", "canInit(with:)", "canInitWithTask:"),
        MethodName(.pCanonical, .proto, .proto, "canonicalRequestForRequest:", "canonicalRequest(for:)"),
        MethodName(nil, .proto, .proto, "requestIsCacheEquivalent:toRequest:", "requestIsCacheEquivalent(_:to:)"),
        MethodName(
            .pInit, .proto, .proto, "initWithRequest:cachedResponse:client:", "init(request:cachedResponse:client:)"),
        MethodName(.pInit, .proto, .proto, "initWithTask:cachedResponse:client:", "init(task:cachedResponse:client:)"),
        MethodName(.pStart, .proto, .proto, "startLoading", "startLoading()"),
        MethodName(.pStop, .proto, .proto, "stopLoading", "stopLoading()"),
        MethodName(.pDeinit, .proto, .proto, "dealloc", "deinit"),
    ]

    private static let ofProtocolClients: [MethodName] = [
        MethodName(
            .redirect, .protocolClient, .PC, .redirection, "URLProtocol:wasRedirectedToRequest:redirectResponse:",
            "urlProtocol(_:wasRedirectedTo:redirectResponse:)"),
        MethodName(
            .cacheValidated, .protocolClient, .PC, "URLProtocol:cachedResponseIsValid:",
            "urlProtocol(_:cachedResponseIsValid:)"),
        MethodName(
            .response, .protocolClient, .PC, "URLProtocol:didReceiveResponse:cacheStoragePolicy:",
            "urlProtocol(_:didReceive:cacheStoragePolicy:)"),
        MethodName(.data, .protocolClient, .PC, "URLProtocol:didLoadData:", "urlProtocol(_:didLoad:)"),
        MethodName(
            .complete, .protocolClient, .PC, .success, "URLProtocolDidFinishLoading:",
            "urlProtocolDidFinishLoading(_:)"),
        MethodName(
            .complete, .protocolClient, .PC, .failure, "URLProtocol:didFailWithError:",
            "urlProtocol(_:didFailWithError:)"),
        MethodName(
            .challenge, .protocolClient, .PC, "URLProtocol:didReceiveAuthenticationChallenge:",
            "urlProtocol(_:didReceive:)"),
        MethodName(
            .challengeCancelled, .protocolClient, .PC, "URLProtocol:didCancelAuthenticationChallenge:",
            "urlProtocol(_:didCancel:)"),
    ]
}
