internal import ProctorBase
internal import ProctorEvents
public import ProctorHarness
internal import ProctorProgram
internal import ProctorRecorder

extension Exam {
    /// Has a client, which is a function, make the loads of the case, one after the other; what it throws is its error.
    ///
    ///     try await withScenario("redirect/302-get-stays-get", case: "follow") { exam in
    ///         try await exam.client { load in … }
    ///     }
    ///
    /// The requests and the results are judged, and no callbacks, of which such a client reports none.
    public func client(_ client: @Sendable (ExamLoad) async throws -> ExamResult) async throws {
        (run as? LocalRun)?.tellsResultsAlone.withLock { $0 = true }
        if let cannot = try await makeLoads(client) {
            throw ExamFailure("\(scenarioID)#\(caseName): the client can't be told so: \(cannot.reason)")
        }
    }

    /// The reason why the client can't make a load, after which no other one is made; nil where all were made.
    func makeLoads(_ client: @Sendable (ExamLoad) async throws -> ExamResult) async throws -> ExamLoad.Cannot? {
        let assignment = try await assignment()
        let kept = Locked<[any Sendable]>([])
        for (index, step) in assignment.steps.enumerated() {
            recorder.record(TraceEvent(lane: .harness, task: index, name: .resume))
            let result: ExamResult
            do {
                result = try await client(ExamLoad(step, assignment.session, kept: kept))
            } catch let cannot as ExamLoad.Cannot {
                recorder.record(
                    TraceEvent(lane: .harness, task: index, name: .unimplemented, argument: cannot.reason))
                return cannot
            } catch {
                result = ExamResult(error)
            }
            recorder.record(
                TraceEvent(
                    lane: .harness, task: index, name: .result, facts: result.facts(lookingUp: step.fieldNames)))
        }
        return nil
    }
}
