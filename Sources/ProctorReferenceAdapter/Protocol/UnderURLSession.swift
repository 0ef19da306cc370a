public import ProctorRecorder
public import ProctorTrace

/// ``ReferenceProtocol`` under the platform's own URLSession: what that does to a URLProtocol, written down.
///
/// One assignment for a process: URLSession asks classes, so what is recorded of its objects goes to one place. On Linux
/// it may trap or hang, which is what there is to see.
public struct UnderURLSession: Sendable {
    private let runner: AssignmentRunner

    /// Nothing happens before ``run()``.
    public init(_ assignment: Assignment, recordingTo recorder: TraceRecorder) {
        var runner = AssignmentRunner(assignment, recordingTo: recorder)
        runner.protocolClasses = [WatchedProtocol.self]
        self.runner = runner
    }

    /// The first line of its trace.
    public var header: TraceHeader {
        var header = runner.header
        header.client = ReferenceIdentity.name
        header.clientVersion = "\(ReferenceIdentity.version()) under \(ClientIdentity.name) \(ClientIdentity.version)"
        header.lanes = [.task, .session, .proto, .handler, .harness]
        return header
    }

    /// Returns when all is done, at the latest at the assignment's deadline.
    public func run() async -> AssignmentRunner.Ending {
        WatchedProtocol.watch(with: runner.recorder)
        return await runner.run()
    }
}
