import ProctorTrace
import Testing

/// Answers to challenges, as logs have them.
struct LogAnswerTests {
    @Test(arguments: [
        ("-[Sender useCredential:forAuthenticationChallenge:] <NSURLCredential: 0x1>", "use"),
        ("-[Sender useCredential:forAuthenticationChallenge:] (null)", "use-none"),
        ("use(_:for:) user", "use"), ("continueWithoutCredentialForAuthenticationChallenge:", "use-none"),
        ("continueWithoutCredential(for:)", "use-none"), ("cancelAuthenticationChallenge:", "cancel"),
        ("performDefaultHandlingForAuthenticationChallenge:", "default"), ("performDefaultHandling(for:)", "default"),
        ("rejectProtectionSpaceAndContinueWithChallenge:", "reject"),
        ("rejectProtectionSpaceAndContinue(with:)", "reject"),
        ("completionHandler(.useCredential, credential)", "use"),
        ("completionHandler(.useCredential, nil)", "use-none"),
        ("calling completionHandler(NSURLSessionAuthChallengePerformDefaultHandling, nil)", "default"),
        ("disposition=URLSession.AuthChallengeDisposition.rejectProtectionSpace", "reject"),
        ("NSURLSessionAuthChallengeCancelAuthenticationChallenge", "cancel"),
    ])
    func `an answer is read`(line: String, answer: String) {
        let seen = TraceVerifier.seen(line)
        #expect(seen.symbols == "answer(\(answer))", "\(line)")
        #expect(seen.events.first?.lane == .harness && seen.events.first?.facts.text(.to) == "challenge")
    }

    @Test func `task and object stand beside it`() {
        let seen = TraceVerifier.seen("task=2 completionHandler(.performDefaultHandling, nil)\nobject=1 use(_:for:)\n")
        #expect(seen.events.map(\.task) == [2, 0] && seen.events.map(\.object) == [nil, 1])
    }

    @Test func `words that are no answers are none`() {
        for line in ["cancel(_:)", "user", "completionHandler(nil)", "useCredential:", "default", "cancelled"] {
            #expect(TraceVerifier.seen(line).events.isEmpty, "\(line)")
        }
    }
}
