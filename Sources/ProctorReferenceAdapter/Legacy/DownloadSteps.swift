package import ProctorBase
package import ProctorRecorder
internal import ProctorReference
package import ProctorTrace

/// Steps done as NSURLDownload does them: family DL.
package struct DownloadSteps: StepClient {
    private let steps: LegacySteps
    /// Those that a later step goes on with.
    private let resumed: Set<Int>
    private let resumeData = Locked<[Int: Left]>([:])

    /// What a step left behind for another one.
    private struct Left {
        let data: ResumeData
        /// Of the file.
        let path: String
    }

    /// Names what a download can't do.
    package static func missing(for assignment: Assignment) -> String? {
        LegacySupport.missing(for: assignment, tasks: ["download"], noun: LegacySupport.download)
    }

    /// Starts the threads and makes a folder for the files, which goes with this.
    package init(
        _ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        resumed = Set(assignment.steps.compactMap(\.resume))
        steps = try LegacySteps(assignment, breaking: breaking, recordingTo: recorder)
    }

    /// Does one step; a refused redirect cancels it (R5).
    package func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> StepEnd {
        let record = steps.record(of: step, index: index, family: .DL, challengeMethods: .oldTrio)
        guard step.resume == nil else { return await resume(step, record, before: end) }
        guard let (request, body) = steps.request(of: step, index: index, family: .DL) else { return .unimplemented }
        defer { body.cleanUp() }
        let recorder = DownloadRecorder(record, folder: steps.folder)
        let download = ReferenceDownload(
            request, delegate: recorder, on: steps.network, scheduledOn: steps.queue, refusedRedirect: .cancel,
            timeout: step.timeout.map { .milliseconds($0) }, filter: steps.breaking?.makeDownloadFilter?())
        return await run(download, recorder, before: end)
    }

    private func resume(_ step: Assignment.Step, _ record: LegacyRecord, before end: UInt64) async -> StepEnd {
        let left = step.resume.flatMap { earlier in resumeData.withLock { $0[earlier] } }
        guard let left else { return refuse(step, record) }
        let recorder = DownloadRecorder(record, folder: steps.folder, destination: left.path)
        let download = ReferenceDownload(
            resuming: left.data, delegate: recorder, on: steps.network, scheduledOn: steps.queue,
            refusedRedirect: .cancel, timeout: step.timeout.map { .milliseconds($0) },
            filter: steps.breaking?.makeDownloadFilter?())
        guard let download else { return refuse(step, record) }
        return await run(download, recorder, before: end)
    }

    private func refuse(_ step: Assignment.Step, _ record: LegacyRecord) -> StepEnd {
        record.step.notes.unimplemented(
            "steps[\(record.step.number)].resume: step \(step.resume ?? 0) left no resume data")
        return .unimplemented
    }

    private func run(_ download: ReferenceDownload, _ recorder: DownloadRecorder, before end: UInt64) async -> StepEnd {
        let record = recorder.record
        // A file that is deleted leaves nothing to go on with.
        download.deletesFileUponFailure =
            !record.step.step.producesResumeData && !resumed.contains(record.step.number)
        let ending = await steps.run(download, record, before: end)
        if let data = download.resumeData, let path = recorder.path {
            resumeData.withLock { $0[record.step.number] = Left(data: data, path: path) }
        }
        return ending
    }

    /// Ends the threads.
    package func finish(before end: UInt64) async -> Bool { await steps.finish(before: end) }

    /// Has the threads end.
    package func abandon() { steps.abandon() }
}
