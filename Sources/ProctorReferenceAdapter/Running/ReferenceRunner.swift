internal import ProctorBase
public import ProctorEvents
public import ProctorProgram
public import ProctorRecorder

/// Does with the reference client what an assignment says, one step after the other, and records what comes of it.
public struct ReferenceRunner: Sendable {
    /// What is to be done.
    public let assignment: Assignment
    /// As which API.
    public let shape: ReferenceShape
    /// What it does wrong; nil: nothing.
    public let breaking: Breakage?
    /// Where it is written down; without a header when the caller wrote none.
    public let recorder: TraceRecorder

    /// Nothing happens before ``run()``.
    public init(
        _ assignment: Assignment, as shape: ReferenceShape = .session, breaking: Breakage? = nil,
        recordingTo recorder: TraceRecorder
    ) {
        self.assignment = assignment
        self.shape = shape
        self.breaking = breaking
        self.recorder = recorder
    }

    /// The first line of its trace, for a caller that writes one or has it graded.
    public var header: TraceHeader {
        TraceHeader(
            client: ReferenceIdentity.name, clientVersion: ReferenceIdentity.version(breaking: breaking),
            lanes: shape.lanes, abilities: Self.abilities, adapter: "proctor-client-reference",
            adapterVersion: Self.adapterVersion, scenario: assignment.scenario, caseName: assignment.caseName,
            run: assignment.run)
    }

    /// What the client has, whatever its shape; what a shape has no calls for, its adapter says.
    private static let abilities = Set(Ability.allCases).subtracting([.fetch, .http10])

    /// Raised when the same assignment would have another trace.
    private static let adapterVersion = "1"

    /// Returns when all is done, at the latest at the assignment's deadline.
    ///
    /// A client that did not come to its end is cancelled then, and nothing more is recorded of its steps.
    public func run() async -> AssignmentRunner.Ending {
        let end = assignment.end
        let type = shape.client
        if let reason = StepSupport.missing(for: assignment) ?? type.missing(for: assignment) {
            return recorder.refuse(reason)
        }
        let client: any ReferenceClient
        do throws(CallFailure) {
            client = try type.init(assignment, breaking: breaking, recordingTo: recorder)
        } catch {
            return recorder.refuse("the client can't be set up: \(error)")
        }
        let ending = await assignment.perform(with: client, before: end)
        if ending != .finished {
            // Silently: an end that comes of this is none that came in time.
            recorder.close(tasks: assignment.steps.indices)
            client.abandon()
        }
        return ending
    }
}

/// The reference client in one of its shapes; made once for an assignment.
///
/// Ended once: by ``finish(before:)`` after the last step, by ``abandon()`` where there is no such end.
protocol ReferenceClient: StepClient {
    /// Why this shape cannot do the assignment, in words that name the key; nil when it can.
    ///
    /// Asked before anything is done. What every shape lacks is found by the caller: see ``StepSupport``.
    static func missing(for assignment: Assignment) -> String?

    /// Sets up what the steps share; no request is made.
    ///
    /// `breaking` is what this client is to do wrong, nil for one that does all right.
    init(_ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder) throws(CallFailure)

    /// Cancels what is under way and lets go of threads and connections; waits for none of that.
    ///
    /// Also after an end that did not come in time. What callbacks still come is for the caller to leave out.
    func abandon()
}

/// As which API of Foundation the reference client does an assignment; the raw value stands on command lines.
public enum ReferenceShape: String, Sendable, CaseIterable {
    /// URLSession, with a delegate or a completion handler: families sessionData, sessionDownload and sessionHandler.
    case session
    /// NSURLConnection: family connection.
    case connection
    /// NSURLConnectionDownloadDelegate: family connectionDownload.
    case connectionDownload = "connection-download"
    /// NSURLDownload: family download.
    case download
    /// A URLProtocol under a loading system of ours: families urlProtocol and `proto`.
    case urlProtocol = "url-protocol"
}

extension ReferenceShape {
    /// The type that does its steps.
    var client: any ReferenceClient.Type {
        switch self {
        case .session: SessionSteps.self
        case .connection: ConnectionSteps<DataConnection>.self
        case .connectionDownload: ConnectionSteps<DownloadingConnection>.self
        case .download: DownloadSteps.self
        case .urlProtocol: ProtocolSteps.self
        }
    }

    /// What it reports completely.
    var lanes: [Lane] {
        switch self {
        case .session: [.task, .session, .handler, .harness]
        case .connection, .connectionDownload, .download: [.task, .harness]
        case .urlProtocol: [.proto, .protocolClient, .harness]
        }
    }
}

/// Which client this is, for the header of a trace.
public enum ReferenceIdentity {
    /// As ledgers are named.
    public static let name = "proctor-reference"
    /// Of what it does right; a broken one says what it does not: `1 breaking R12`.
    public static func version(breaking breakage: Breakage? = nil) -> String {
        breakage.map { "\(number) breaking \($0.label)" } ?? number
    }

    private static let number = "1"
}
