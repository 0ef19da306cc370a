/// The keys of WireMock's mappings.
enum WireMockKeys {
    static let file = SourceKeys("mappings", ignored: ["meta": "it counts the mappings"])
    static let stub = SourceKeys(
        "request response priority scenarioName requiredScenarioState newScenarioState",
        ignored: [
            "id uuid name metadata comment": "they are for people and for WireMock's own API",
            "persistent insertionIndex": "they are WireMock's own",
        ])
    /// Those that are read to be refused or told among them.
    static let request = SourceKeys(
        "method url urlPath urlPattern urlPathPattern urlPathTemplate pathParameters queryParameters headers cookies "
            + "basicAuthCredentials basicAuth bodyPatterns multipartPatterns formParameters customMatcher host port scheme "
            + "clientIp")
    static let response = SourceKeys(
        "status statusMessage headers body jsonBody base64Body bodyFileName fixedDelayMilliseconds delayDistribution "
            + "chunkedDribbleDelay fault transformers proxyBaseUrl",
        ignored: ["fromConfiguredStub": "it is what WireMock writes of itself"])
}
