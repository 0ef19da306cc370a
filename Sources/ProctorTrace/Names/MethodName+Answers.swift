extension MethodName {
    /// What a challenge's sender is told, which is an answer to the challenge and no callback (URLAuthenticationChallengeSender).
    ///
    /// Swift's `cancel(_:)` is not among them: anything may have a method of that name.
    static let ofSenders: [MethodName] = [
        MethodName(
            .answer, .harness, nil, .answering("use"), "useCredential:forAuthenticationChallenge:", "use(_:for:)"),
        MethodName(
            .answer, .harness, nil, .answering("use-none"), "continueWithoutCredentialForAuthenticationChallenge:",
            "continueWithoutCredential(for:)"),
        MethodName(.answer, .harness, nil, .answering("cancel"), "cancelAuthenticationChallenge:"),
        MethodName(
            .answer, .harness, nil, .answering("default"), "performDefaultHandlingForAuthenticationChallenge:",
            "performDefaultHandling(for:)"),
        MethodName(
            .answer, .harness, nil, .answering("reject"), "rejectProtectionSpaceAndContinueWithChallenge:",
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
