internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
package import Testing

extension Exam {
    /// Runs `body` within ``patience``, waits for its tasks, grades the events, reports the verdict, and ends the run.
    ///
    /// The run ends in every case. An error of `body` is thrown after the verdict was reported.
    package func run<Result>(
        at place: SourceLocation, isolation: isolated (any Actor)?, _ body: (Exam) async throws -> Result
    ) async throws -> Result {
        let ending = await withoutActuallyEscaping(body) { body in
            await BoundedBody.run(self, at: place, isolation: isolation, body)
        }
        let cut = self.cut
        // A cancelled test gets no verdict.
        if cut == nil, Task.isCancelled {
            abandonSessions()
            _ = await run.stop()
            return try ending.get()
        }
        let (events, judged) = await outcome(cut)
        if let complaint = await run.stop() { TestIssue.record(complaint, severity: .warning, at: place) }
        switch (ending, judged) {
        case (.success(let result), .success(let verdict)):
            try report(verdict, events).report(at: place)
            return result
        case (.success, .failure(let failure)):
            throw failure
        case (.failure(let error), _):
            switch judged {
            case .success(let verdict): report(verdict, events).report(besides: error, at: place)
            case .failure(let failure): TestIssue.record("\(failure)", severity: .warning, at: place)
            }
            guard cut != nil else { throw error }
            throw ExamFailure(
                "the body had not ended after \(patience.wholeMilliseconds) ms (within:), so it was cancelled; it threw "
                    + "\(error)")
        }
    }

    private func outcome(_ cut: Cut?) async -> (events: [TraceEvent], Swift.Result<any ExamVerdict, ExamFailure>) {
        if let cut {
            abandonSessions()
            return (cut.events, cut.judged)
        }
        let isFinished = await finished()
        let events = recorder.events
        // Events that come while sessions are invalidated are not graded.
        abandonSessions()
        let end = ExamEnd(hungAfter: isFinished ? nil : patience.wholeMilliseconds, isCut: false)
        return (events, await judge(events, at: end))
    }

    private func report(_ verdict: any ExamVerdict, _ events: [TraceEvent]) -> VerdictIssue {
        let hint = MissingReports.hint(requestCount: verdict.requestCount, events, hasRecorders: hasRecorders)
        return VerdictIssue(run: run, verdict: verdict, events: events, hint: hint)
    }

    func tellEndlessBody(at place: SourceLocation) {
        guard let cut else { return }
        let seen =
            switch cut.judged {
            case .success(let verdict): verdict.timeline
            case .failure(let failure): failure.description
            }
        TestIssue.record(
            """
            the body of withScenario("\(scenarioID)") has not ended, though it was cancelled after \
            \(patience.wholeMilliseconds) ms (within:): it waits for something that knows no cancellation

            \(seen)
            """, at: place)
    }
}
