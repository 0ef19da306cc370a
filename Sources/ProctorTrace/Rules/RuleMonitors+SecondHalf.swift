extension RuleMonitors {
    /// R34 to R58.
    static let secondHalf: [any RuleMonitor.Type] = [
        // Downloads.
        R34ProgressArithmetic.self, R35FileReadyOnce.self, R36ResumptionFirst.self, R37LegacyDownloadOrder.self,
        R38ResumeDataCancel.self,
        // Ends.
        R39OneTerminal.self, R40SilenceAfterEnd.self, R41MetricsOnce.self, R42CancelledBeforeResume.self,
        R42LegacyCancel.self,
        R44StatusIsNoError.self, R45Liveness.self,
        // Threads.
        R47LegacyThread.self, R48ClientThread.self, R49StopBeforeDeinit.self, R50SilenceAfterStop.self,
        R51FollowedRedirect.self,
        R53AnsweredOnce.self,
        // Shapes.
        R54HandlerTask.self, R55DelegateRouting.self, R56EarlyEvents.self, R57WebSocketOrder.self, R58StreamOrder.self,
    ]
    /// What no single load decides.
    static let traceMonitors: [any TraceMonitor.Type] = [
        R43SessionEnd.self, R46DelegateQueue.self, R52CanonicalForm.self,
    ]
}
