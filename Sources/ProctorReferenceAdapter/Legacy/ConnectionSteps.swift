package import ProctorBase
package import ProctorRecorder
internal import ProctorReference
package import ProctorTrace

/// Steps done as NSURLConnection does them: family UC.
package struct ConnectionSteps: StepClient {
    private let steps: LegacySteps

    /// Names what a connection can't do.
    package static func missing(for assignment: Assignment) -> String? {
        LegacySupport.missing(for: assignment, tasks: ["data", "upload"], noun: LegacySupport.connection)
    }

    /// Starts the threads.
    package init(
        _ assignment: Assignment, breaking: BrokenRule?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        steps = try LegacySteps(assignment, breaking: breaking, recordingTo: recorder)
    }

    /// Does one step; its delegate has the newer method for challenges.
    package func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> StepEnd {
        guard let (request, body) = steps.request(of: step, index: index, family: .UC) else { return .unimplemented }
        defer { body.cleanUp() }
        let record = steps.record(of: step, index: index, family: .UC, challengeMethods: .newMethod)
        let connection = ReferenceConnection(
            request, delegate: ConnectionRecorder(record), on: steps.network, scheduledOn: steps.queue,
            timeout: step.timeout.map { .milliseconds($0) }, filter: steps.breaking?.makeConnectionFilter?())
        return await steps.run(connection, record, before: end)
    }

    /// Ends the threads.
    package func finish(before end: UInt64) async -> Bool {
        await steps.finish()
        return true
    }
}

/// Steps done as NSURLConnection's downloads do them: family CD.
package struct ConnectionDownloadSteps: StepClient {
    private let steps: LegacySteps

    /// Names what such a download can't do.
    package static func missing(for assignment: Assignment) -> String? {
        LegacySupport.missing(for: assignment, tasks: ["download"], noun: LegacySupport.connection)
    }

    /// Starts the threads.
    package init(
        _ assignment: Assignment, breaking: BrokenRule?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        steps = try LegacySteps(assignment, breaking: breaking, recordingTo: recorder)
    }

    /// Does one step; its delegate has the old methods for challenges.
    package func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> StepEnd {
        guard let (request, body) = steps.request(of: step, index: index, family: .CD) else { return .unimplemented }
        defer { body.cleanUp() }
        let record = steps.record(of: step, index: index, family: .CD, challengeMethods: .oldTrio)
        let connection = ReferenceConnectionDownload(
            request, delegate: ConnectionDownloadRecorder(record), on: steps.network, scheduledOn: steps.queue,
            timeout: step.timeout.map { .milliseconds($0) }, filter: steps.breaking?.makeConnectionDownloadFilter?())
        return await steps.run(connection, record, before: end)
    }

    /// Ends the threads.
    package func finish(before end: UInt64) async -> Bool {
        await steps.finish()
        return true
    }
}
