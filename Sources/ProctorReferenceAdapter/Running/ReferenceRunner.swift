internal import ProctorBase
package import ProctorEvents
package import ProctorProgram
package import ProctorRecorder

/// Runs an assignment's steps in order with the reference client and records them.
package struct ReferenceRunner: Sendable {
    package let assignment: Assignment
    package let shape: ReferenceShape
    /// nil: the client makes no mistake.
    package let breaking: Breakage?
    package let recorder: TraceRecorder

    package init(
        _ assignment: Assignment, as shape: ReferenceShape = .session, breaking: Breakage? = nil,
        recordingTo recorder: TraceRecorder
    ) {
        self.assignment = assignment
        self.shape = shape
        self.breaking = breaking
        self.recorder = recorder
    }

    package var header: TraceHeader {
        TraceHeader(
            client: ReferenceIdentity.name, clientVersion: ReferenceIdentity.version(breaking: breaking),
            lanes: shape.lanes, abilities: Self.abilities, adapter: "proctor-client-reference",
            adapterVersion: Self.adapterVersion, scenario: assignment.scenario, caseName: assignment.caseName,
            run: assignment.run)
    }

    /// The abilities of the client in any shape; ``ReferenceShape`` says what a shape lacks.
    private static let abilities = Set(Ability.allCases).subtracting([.fetch, .http10])

    /// Increased when the same assignment would have another trace.
    private static let adapterVersion = "1"

    /// Returns at the end, or at the assignment's deadline.
    ///
    /// A client that has not ended by then is cancelled, and its steps record nothing more.
    package func run() async -> AssignmentRunner.Ending {
        let end = assignment.end
        if let reason = shape.missing(for: assignment) { return recorder.refuse(reason) }
        let client: any ReferenceClient
        do throws(CallFailure) {
            client = try shape.client(for: assignment, breaking: breaking, recordingTo: recorder)
        } catch {
            return recorder.refuse("the client can't be set up: \(error)")
        }
        let ending = await assignment.perform(with: client, before: end)
        if ending != .finished {
            // Recorded no more: an end caused by this cancel did not come in time.
            recorder.close(tasks: assignment.steps.indices)
            client.abandon()
        }
        return ending
    }
}

/// The reference client in one shape, for one assignment; ends with ``finish(before:)`` or ``abandon()``.
protocol ReferenceClient: StepClient {
    /// Cancels all loads, also after a late end, and does not wait.
    func abandon()
}

/// The API of Foundation that the reference client imitates; the raw value is the command line's.
package enum ReferenceShape: String, Sendable, CaseIterable {
    /// URLSession, with a delegate or a completion handler: families sessionData, sessionDownload and sessionHandler.
    case session
    /// NSURLConnection: family connection.
    case connection
    /// NSURLConnectionDownloadDelegate: family connectionDownload.
    case connectionDownload = "connection-download"
    /// NSURLDownload: family download.
    case download
    /// A URLProtocol under our own loading system: families urlProtocol and `proto`.
    case urlProtocol = "url-protocol"
}

extension ReferenceShape {
    /// Made before any request; `breaking` is nil for a client without mistakes.
    func client(
        for assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) -> any ReferenceClient {
        switch self {
        case .session: try SessionSteps(assignment, breaking: breaking, recordingTo: recorder)
        case .connection, .connectionDownload, .download:
            try LegacySteps(assignment, as: self, breaking: breaking, recordingTo: recorder)
        case .urlProtocol: try ProtocolSteps(assignment, breaking: breaking, recordingTo: recorder)
        }
    }

    /// The lanes that the shape reports completely.
    var lanes: [Lane] {
        switch self {
        case .session: [.task, .session, .handler, .harness]
        case .connection, .connectionDownload, .download: [.task, .harness]
        case .urlProtocol: [.proto, .protocolClient, .harness]
        }
    }
}

/// The name and version in the header of a trace.
package enum ReferenceIdentity {
    package static let name = "proctor-reference"
    /// The version; with a mistake it names that too: `1 breaking R12`.
    package static func version(breaking breakage: Breakage? = nil) -> String {
        breakage.map { "\(number) breaking \($0.label)" } ?? number
    }

    private static let number = "1"
}
