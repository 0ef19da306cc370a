internal import ProctorBase
internal import ProctorRecorder
internal import ProctorReference
internal import ProctorTrace

/// Steps done as NSURLConnection does them, in one of its two kinds.
struct ConnectionSteps<Kind: ConnectionKind>: StepClient {
    private let steps: LegacySteps

    static func missing(for assignment: Assignment) -> String? {
        LegacySupport.missing(for: assignment, tasks: Kind.tasks, noun: LegacySupport.connection)
    }

    /// Starts the threads.
    init(_ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder) throws(CallFailure) {
        steps = try LegacySteps(assignment, breaking: breaking, recordingTo: recorder)
    }

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> StepEnd {
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
    static var tasks: Set<String> { get }
    /// Those that its delegate has here (R19).
    static var challengeMethods: LegacyChallengeMethods { get }

    /// A load that has not begun, whose delegate writes into the record.
    static func load(
        _ request: ClientRequest, _ record: LegacyRecord, timeout: Duration?, in steps: LegacySteps
    ) -> any LegacyLoading
}

/// NSURLConnection that gives its data to its delegate: family UC.
enum DataConnection: ConnectionKind {
    static let family = CallbackFamily.UC
    static let tasks: Set = ["data", "upload"]
    static let challengeMethods = LegacyChallengeMethods.newMethod

    static func load(
        _ request: ClientRequest, _ record: LegacyRecord, timeout: Duration?, in steps: LegacySteps
    ) -> any LegacyLoading {
        ReferenceConnection(
            request, delegate: ConnectionRecorder(record), on: steps.network, scheduledOn: steps.queue,
            timeout: timeout, filter: steps.breaking?.makeConnectionFilter?())
    }
}

/// NSURLConnection with an NSURLConnectionDownloadDelegate: family CD.
enum DownloadingConnection: ConnectionKind {
    static let family = CallbackFamily.CD
    static let tasks: Set = ["download"]
    static let challengeMethods = LegacyChallengeMethods.oldTrio

    static func load(
        _ request: ClientRequest, _ record: LegacyRecord, timeout: Duration?, in steps: LegacySteps
    ) -> any LegacyLoading {
        ReferenceConnectionDownload(
            request, delegate: ConnectionDownloadRecorder(record), on: steps.network, scheduledOn: steps.queue,
            timeout: timeout, filter: steps.breaking?.makeConnectionDownloadFilter?())
    }
}
