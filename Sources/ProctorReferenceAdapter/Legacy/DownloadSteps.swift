internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// Steps done as NSURLDownload does them: family download.
struct DownloadSteps: ReferenceClient {
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
    static func missing(for assignment: Assignment) -> String? {
        LegacySupport.missing(for: assignment, tasks: [.download], noun: LegacySupport.download)
    }

    /// Starts the threads and makes a folder for the files, which goes with this.
    init(
        _ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        resumed = Set(assignment.steps.compactMap(\.resume))
        steps = try LegacySteps(assignment, breaking: breaking, recordingTo: recorder)
    }

    /// Does one step; a refused redirect cancels it (R5).
    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let record = steps.record(of: step, index: index, family: .download, challengeMethods: .oldTrio)
        guard step.resume == nil else { return await resume(step, record, before: end) }
        guard let (request, body) = steps.request(of: step, index: index, family: .download) else {
            return .unimplemented
        }
        defer { body.cleanUp() }
        let recorder = DownloadRecorder(record, folder: steps.folder)
        let download = ReferenceDownload(
            request, delegate: recorder, on: steps.network, scheduledOn: steps.queue, refusedRedirect: .cancel,
            timeout: step.timeout.map { .milliseconds($0) }, filter: steps.breaking?.makeCallFilter(of: .download)?())
        return await run(download, recorder, before: end)
    }

    private func resume(_ step: Assignment.Step, _ record: LegacyRecord, before end: UInt64) async
        -> AssignmentRunner.Ending
    {
        let left = step.resume.flatMap { earlier in resumeData.withLock { $0[earlier] } }
        guard let left else { return refuse(step, record) }
        let recorder = DownloadRecorder(record, folder: steps.folder, destination: left.path)
        let download = ReferenceDownload(
            resuming: left.data, delegate: recorder, on: steps.network, scheduledOn: steps.queue,
            refusedRedirect: .cancel, timeout: step.timeout.map { .milliseconds($0) },
            filter: steps.breaking?.makeCallFilter(of: .download)?())
        guard let download else { return refuse(step, record) }
        return await run(download, recorder, before: end)
    }

    private func refuse(_ step: Assignment.Step, _ record: LegacyRecord) -> AssignmentRunner.Ending {
        record.step.notes.unimplemented(
            "steps[\(record.step.number)].resume: step \(step.resume ?? 0) left no resume data")
        return .unimplemented
    }

    private func run(_ download: ReferenceDownload, _ recorder: DownloadRecorder, before end: UInt64) async
        -> AssignmentRunner.Ending
    {
        let record = recorder.record
        // A file that is deleted leaves nothing to go on with.
        download.deletesFileUponFailure =
            record.step.step?.producesResumeData != true && !resumed.contains(record.step.number)
        let ending = await steps.run(download, record, before: end)
        if let data = download.resumeData, let path = recorder.path {
            resumeData.withLock { $0[record.step.number] = Left(data: data, path: path) }
        }
        return ending
    }

    /// Ends the threads.
    func finish(before end: UInt64) async -> Bool { await steps.finish(before: end) }

    /// Has the threads end.
    func abandon() { steps.abandon() }
}

/// The recording delegate of a ``ReferenceDownload``: family download.
final class DownloadRecorder: LegacyRecording, ReferenceDownloadDelegate {
    /// Where it writes.
    let record: LegacyRecord
    /// Where files are put.
    private let folder: String
    private let destination: Locked<String?>

    /// Writes nothing yet; `destination` is the file of a download that goes on.
    init(_ record: LegacyRecord, folder: String, destination: String? = nil) {
        self.record = record
        self.folder = folder
        self.destination = Locked(destination)
    }

    /// Of the file; nil before it is made.
    var path: String? { destination.withLock { $0 } }

    /// `downloadBegin`, the first (R37).
    func downloadDidBegin(_ download: ReferenceDownload) {
        record.enter(.downloadBegin, method: "DidBegin:").returns()
    }

    /// `response`.
    func download(_ download: ReferenceDownload, didReceive response: LoadResponse) {
        record.step.received(response)
        let facts = ReplyFacts(response)
        record.enter(.response, facts.status, method: ":didReceiveResponse:", facts: facts.facts).returns()
    }

    /// `downloadResumed`, in place of `response`, with the offset; 0 starts over (R36).
    func download(
        _ download: ReferenceDownload, willResumeWith response: LoadResponse, fromByte offset: Int
    ) {
        record.step.received(response)
        var facts = ReplyFacts(response).facts
        facts.add(.offset, offset)
        record.enter(
            .downloadResumed, String(offset), method: ":willResumeWithResponse:fromByte:", facts: facts
        ).returns()
    }

    /// `progress`, with the bytes that came.
    func download(_ download: ReferenceDownload, didReceiveDataOfLength byteCount: Int) {
        record.enter(
            .progress, method: ":didReceiveDataOfLength:", facts: [EventFact(.n, .integer(byteCount))]
        ).returns()
    }

    /// `shouldDecode`; yes, as no program has a say in it.
    func download(
        _ download: ReferenceDownload, shouldDecodeSourceDataOfMIMEType type: String
    ) -> Bool {
        record.enter(
            .shouldDecode, type, method: ":shouldDecodeSourceDataOfMIMEType:",
            facts: [EventFact(.accepts, .flag(true))]
        ).returns()
        return true
    }

    /// `destination`, with the name that was offered; it is taken.
    func download(_ download: ReferenceDownload, decideDestinationWithSuggestedFilename name: String) {
        let call = record.enter(
            .destination, name, method: ":decideDestinationWithSuggestedFilename:",
            facts: [EventFact(.suggestedName, .text(name))])
        defer { call.returns() }
        if !call.isCancelled { download.setDestination("\(folder)/\(name)", allowingOverwrite: false) }
    }

    /// `destinationCreated`.
    func download(_ download: ReferenceDownload, didCreateDestination path: String) {
        destination.withLock { $0 = path }
        record.enter(
            .destinationCreated, method: ":didCreateDestination:", facts: [EventFact(.file, .text(path))]
        ).returns()
    }

    /// `complete(ok)`; the file stays.
    func downloadDidFinish(_ download: ReferenceDownload) {
        if let path { record.step.received(whole: KeptBody(ofFile: path) ?? KeptBody(), of: nil) }
        record.step.ended(with: nil)
        record.enter(.complete, FailureFacts(nil).name, method: "DidFinish:").returns()
    }

    /// `complete` with the name of an error.
    func download(_ download: ReferenceDownload, didFailWith error: LoadError) { recordFailure(error) }
}
