extension RuleMonitors {
    /// R1 to R33.
    static let firstHalf: [any RuleMonitor.Type] = [
        R1ThreePhases.self, R2SuccessNeedsResponse.self, R3RedirectsFirst.self, R4FollowedRedirect.self,
        R5RefusedRedirect.self, R6CancelInRedirect.self, R7Canonicalization.self, R8SilenceInRedirect.self,
        R9BoundedRedirects.self,
        R10OneChallengeAtATime.self, R11WithdrawBeforeFailing.self, R12ChallengeInsteadOfResponse.self,
        R13AbandonedChallenge.self, R14CancelledChallenge.self, R15RejectMovesOn.self, R16NoHeaderNoChallenge.self,
        R17FailureCount.self, R18TLSFirst.self, R19LegacyQuestions.self, R20ForwardedChallenges.self,
        R21FirstStream.self, R22NewStream.self, R23UploadArithmetic.self,
        R25DataAfterResponse.self, R26RepeatedResponse.self, R27InterimIsNotFinal.self,
        R28SilenceUntilDisposition.self, R29DispositionTakesEffect.self, R30EachByteOnce.self, R31NoBodyNoData.self,
        R32WillCache.self, R33CachedAnswer.self,
    ]
    /// The parts of R18 and R24 that no single load decides.
    static let firstHalfOfTraces: [any TraceMonitor.Type] = [R18Routing.self, R24NoBodyForProtocols.self]
}
