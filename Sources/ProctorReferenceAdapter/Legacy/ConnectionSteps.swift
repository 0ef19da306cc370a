internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// Steps done as NSURLConnection does them, in one of its two kinds.
struct ConnectionSteps<Kind: ConnectionKind>: ReferenceClient {
    private let steps: LegacySteps

    static func missing(for assignment: Assignment) -> String? {
        LegacySupport.missing(for: assignment, tasks: Kind.tasks, noun: LegacySupport.connection)
    }

    /// Starts the threads.
    init(_ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder) throws(CallFailure) {
        steps = try LegacySteps(assignment, breaking: breaking, recordingTo: recorder)
    }

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        guard let (request, body) = steps.request(of: step, index: index, family: Kind.family) else {
            return .unimplemented
        }
        defer { body.cleanUp() }
        let record = steps.record(
            of: step, index: index, family: Kind.family, challengeMethods: Kind.challengeMethods)
        let load = Kind.load(request, record, timeout: step.timeout.map { .milliseconds($0) }, in: steps)
        return await steps.run(load, record, before: end)
    }

    /// Ends the threads.
    func finish(before end: UInt64) async -> Bool { await steps.finish(before: end) }

    func abandon() { steps.abandon() }
}

/// What one kind of connection has otherwise than the other.
protocol ConnectionKind {
    /// Of its callbacks.
    static var family: CallbackFamily { get }
    /// Of a program, those that it does.
    static var tasks: Set<Assignment.TaskKind> { get }
    /// Those that its delegate has here (R19).
    static var challengeMethods: LegacyChallengeMethods { get }

    /// A load that has not begun, whose delegate writes into the record.
    static func load(
        _ request: ClientRequest, _ record: LegacyRecord, timeout: Duration?, in steps: LegacySteps
    ) -> any LegacyLoading
}

/// NSURLConnection that gives its data to its delegate: family connection.
enum DataConnection: ConnectionKind {
    static let family = CallbackFamily.connection
    static let tasks: Set<Assignment.TaskKind> = [.data, .upload]
    static let challengeMethods = LegacyChallengeMethods.newMethod

    static func load(
        _ request: ClientRequest, _ record: LegacyRecord, timeout: Duration?, in steps: LegacySteps
    ) -> any LegacyLoading {
        ReferenceConnection(
            request, delegate: ConnectionRecorder(record), on: steps.network, scheduledOn: steps.queue,
            timeout: timeout, filter: steps.breaking?.makeCallFilter(of: .connection)?())
    }
}

/// NSURLConnection with an NSURLConnectionDownloadDelegate: family connectionDownload.
enum DownloadingConnection: ConnectionKind {
    static let family = CallbackFamily.connectionDownload
    static let tasks: Set<Assignment.TaskKind> = [.download]
    static let challengeMethods = LegacyChallengeMethods.oldTrio

    static func load(
        _ request: ClientRequest, _ record: LegacyRecord, timeout: Duration?, in steps: LegacySteps
    ) -> any LegacyLoading {
        ReferenceConnectionDownload(
            request, delegate: ConnectionDownloadRecorder(record), on: steps.network, scheduledOn: steps.queue,
            timeout: timeout, filter: steps.breaking?.makeCallFilter(of: .connectionDownload)?())
    }
}

/// The recording delegate of a ``ReferenceConnection``: family connection.
final class ConnectionRecorder: LegacyRecording, ReferenceConnectionDelegate {
    /// Where it writes.
    let record: LegacyRecord

    /// Writes nothing yet.
    init(_ record: LegacyRecord) { self.record = record }

    /// `needBodyStream`.
    func connectionNeedsNewBodyStream(_ connection: ReferenceConnection) -> BodyStream? {
        let call = record.enter(.needBodyStream, method: ":needNewBodyStream:")
        defer { call.returns() }
        guard !call.isCancelled else { return nil }
        return record.answer(orElse: nil) { record.step.answerBodyStream($0) }
    }

    /// `bodySent` (R23).
    func connection(
        _ connection: ReferenceConnection, didSendBodyData n: Int, total: Int, expected: Int
    ) {
        record.enter(
            .bodySent, method: ":didSendBodyData:totalBytesWritten:totalBytesExpectedToWrite:",
            facts: .arithmetic(n: n, total: total, expected: expected)
        ).returns()
    }

    /// `response`.
    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {
        record.step.received(response)
        let facts = ReplyFacts(response)
        record.enter(.response, facts.status, method: ":didReceiveResponse:", facts: facts.facts).returns()
    }

    /// `data`, with the size of the piece.
    func connection(_ connection: ReferenceConnection, didReceive data: [UInt8]) {
        record.step.received(data)
        record.enter(.data, method: ":didReceiveData:", facts: .content(of: data)).returns()
    }

    /// `willCache` (R32).
    func connection(
        _ connection: ReferenceConnection, willCache response: LoadResponse, byteCount: Int
    ) -> Bool {
        let call = record.enter(
            .willCache, method: ":willCacheResponse:", facts: [EventFact(.bytes, .integer(byteCount))])
        defer { call.returns() }
        guard !call.isCancelled else { return false }
        return record.answer(orElse: false) { record.step.answerWillCache($0) }
    }

    /// `complete(ok)`.
    func connectionDidFinishLoading(_ connection: ReferenceConnection) {
        record.step.ended(with: nil)
        record.enter(.complete, FailureFacts(nil).name, method: "DidFinishLoading:").returns()
    }

    /// `complete` with the name of an error.
    func connection(_ connection: ReferenceConnection, didFailWith error: LoadError) { recordFailure(error) }
}

/// The recording delegate of a ``ReferenceConnectionDownload``: family connectionDownload.
final class ConnectionDownloadRecorder: LegacyRecording, ReferenceConnectionDownloadDelegate {
    /// Where it writes.
    let record: LegacyRecord

    /// Writes nothing yet.
    init(_ record: LegacyRecord) { self.record = record }

    /// `progress` (R34).
    func connection(
        _ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int
    ) {
        record.enter(
            .progress, method: ":didWriteData:totalBytesWritten:expectedTotalBytes:",
            facts: .arithmetic(n: n, total: total, expected: expected)
        ).returns()
    }

    /// `downloadResumed`, with the offset; 0 starts over (R36).
    func connectionDidResumeDownloading(
        _ connection: ReferenceConnectionDownload, total: Int, expected: Int
    ) {
        record.enter(
            .downloadResumed, String(total), method: "DidResumeDownloading:totalBytesWritten:expectedTotalBytes:",
            facts: [EventFact(.offset, .integer(total)), EventFact(.expected, .integer(expected))]
        ).returns()
    }

    /// `fileReady`, the end; the file is read here, as it is gone when the callback returns.
    func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String) {
        let body = KeptBody(ofFile: path)
        record.step.received(whole: body ?? KeptBody(), of: connection.response)
        record.step.ended(with: nil)
        let facts = ([EventFact(.file, .text(path))] as EventFacts).appending(body?.contentFacts ?? [])
        record.enter(.fileReady, method: "DidFinishDownloading:destinationURL:", facts: facts).returns()
    }

    /// `complete` with the name of an error.
    func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError) {
        recordFailure(error)
    }
}
