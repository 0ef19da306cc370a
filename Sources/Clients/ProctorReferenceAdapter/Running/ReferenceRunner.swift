package import ProctorAssignments
internal import ProctorBase
package import ProctorEvents
package import ProctorProgram
package import ProctorRecorder
internal import ProctorReference
internal import ProctorReferenceStorage

/// Runs an assignment's steps in order with the reference client and records them.
package struct ReferenceRunner: Sendable {
    package let assignment: Assignment
    package let shape: ReferenceShape
    /// The deliberate fault; nil: none.
    package let breaking: Breakage?
    package let recorder: TraceRecorder
    /// Whether a refused redirect makes an NSURLDownload load the redirect itself, instead of cancelling it (R5).
    package var deliversRefusedDownload = false
    /// The program that runs auto-configuration files of proxies, which calls `PACProcess.answerQuestion()`; nil: the client has
    /// no such files.
    package var pacCommand: [String]?

    package init(
        _ assignment: Assignment, as shape: ReferenceShape = .session, breaking: Breakage? = nil,
        recordingTo recorder: TraceRecorder
    ) {
        (self.assignment, self.shape, self.breaking, self.recorder) = (assignment, shape, breaking, recorder)
    }

    package var header: TraceHeader {
        TraceHeader(
            client: ReferenceIdentity.name, clientVersion: ReferenceIdentity.version(breaking: breaking),
            lanes: assignment.opensEventSources ? [.task, .harness] : shape.lanes,
            facts: assignment.opensEventSources ? Assignment.factsOfEventSources : shape.facts,
            abilities: shape.abilities.subtracting(missingAbilities),
            adapter: "proctor-client-reference",
            adapterVersion: Self.adapterVersion, scenario: assignment.scenario, caseName: assignment.caseName,
            run: assignment.run)
    }

    /// What the program that runs the client has not given it.
    private var missingAbilities: Set<Ability> {
        Set(pacCommand == nil ? [.pac] : []).union(QUICLibrary.isRegistered ? [] : [.h3])
    }

    /// Must change when the same assignment has another trace than before.
    private static let adapterVersion = "1"

    /// Returns at the end, or at the assignment's deadline.
    ///
    /// A client that has not ended by then is cancelled, and its steps record nothing more.
    package func run() async -> AssignmentRunner.Ending {
        let end = assignment.end
        let assignment = assignment.encoded(by: FormEncoder(fault: breaking?.asFault()))
        if let reason = shape.missing(for: assignment) { return recorder.refuse(reason) }
        let storage = assignment.storage.map {
            ReferenceStorage(in: $0, cacheByteLimit: assignment.session.cache, fault: breaking?.asFault())
        }
        for problem in storage?.problems ?? [] { _ = FullWrite.write(Array("\(problem)\n".utf8), to: 2) }
        let client: any ReferenceClient
        do throws(CallFailure) {
            client = try shape.client(
                for: assignment, breaking: breaking, deliversRefusedDownload: deliversRefusedDownload,
                routing: try await routing(of: assignment), storage: storage, recordingTo: recorder)
        } catch {
            return recorder.refuse("the client can't be set up: \(error)")
        }
        let ending = await assignment.perform(with: client, recordingTo: recorder, before: end)
        if ending != .finished {
            // Records nothing more, since an end that this cancel causes did not come in time.
            recorder.close(tasks: assignment.steps.indices)
            client.abandon()
            return ending
        }
        do throws(CallFailure) {
            try storage?.save()
        } catch {
            return recorder.refuse("storage: it can't be written: \(error)")
        }
        return ending
    }
}

extension ReferenceRunner {
    /// nil: the assignment has no auto-configuration file.
    private func routing(of assignment: Assignment) async throws(CallFailure) -> PACRouting? {
        guard let url = assignment.session.pac, let pacCommand else { return nil }
        return try await PACRouting(url, of: assignment, by: pacCommand, breaking: breaking)
    }
}

/// The reference client in one shape, for one assignment; ends with ``finish(before:)`` or ``abandon()``.
protocol ReferenceClient: StepClient {
    /// Cancels all loads, even after their deadline, and does not wait.
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
    /// Synchronous requests of NSURLConnection: family connectionSync.
    case connectionSync = "connection-sync"
    /// Queued requests of NSURLConnection: family connectionQueued.
    case connectionQueued = "connection-queued"
    /// A URLProtocol under our own loading system: families urlProtocol and `proto`.
    case urlProtocol = "url-protocol"
    /// Loads whose response is a sequence that one Swift task reads: family sequence.
    case sequence
}

extension ReferenceShape {
    /// Makes the client before any request; `breaking` is nil for a client without a fault.
    func client(
        for assignment: Assignment, breaking: Breakage?, deliversRefusedDownload: Bool = false,
        routing: PACRouting? = nil, storage: ReferenceStorage? = nil, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) -> any ReferenceClient {
        switch self {
        case .session where assignment.opensEventSources:
            try EventSourceSteps(assignment, breaking: breaking, recordingTo: recorder)
        case .session:
            try SessionSteps(assignment, breaking: breaking, routing: routing, storage: storage, recordingTo: recorder)
        case .connection, .connectionDownload, .download:
            try LegacySteps(
                assignment, as: self, breaking: breaking, refusedRedirect: deliversRefusedDownload ? .deliver : .cancel,
                storage: storage, recordingTo: recorder)
        case .connectionSync, .connectionQueued:
            try RequestSteps(assignment, as: self, breaking: breaking, storage: storage, recordingTo: recorder)
        case .urlProtocol: try ProtocolSteps(assignment, breaking: breaking, recordingTo: recorder)
        case .sequence: try SequenceSteps(assignment, breaking: breaking, recordingTo: recorder)
        }
    }

    /// The abilities of the client in the shape; ``missing(for:)`` reports what else a single program needs.
    var abilities: Set<Ability> {
        Set(
            Ability.allCases.filter { ability in
                switch ability.row.reference {
                case "all": true
                case "none": false
                // What asks a running load, or tells it something.
                case "with a delegate": self != .connectionSync && self != .connectionQueued && self != .sequence
                case "with a running load": self != .connectionSync && self != .connectionQueued
                case let shapes: shapes.split(separator: " ").contains { $0 == rawValue }
                }
            })
    }

    /// The facts that a result can have; nil: all.
    ///
    /// The responses of a URLProtocol are objects of Foundation's class. On Linux that class finds a charset only by
    /// `charset` in lower case, and makes file names in another way than Foundation documents, whatever the protocol
    /// passes to it.
    var facts: [FactKey]? {
        #if canImport(Darwin)
            nil
        #else
            self == .urlProtocol
                ? [
                    .url, .status, .statusText, .mime, .expectedLength, .header, .bytes, .body, .bodyBase64, .error,
                    .message,
                ] : nil
        #endif
    }

    /// The lanes that the shape reports completely.
    var lanes: [Lane] {
        switch self {
        case .session: [.task, .session, .handler, .harness]
        case .connection, .connectionDownload, .download, .sequence: [.task, .harness]
        case .connectionSync, .connectionQueued: [.task, .handler, .harness]
        case .urlProtocol: [.proto, .protocolClient, .harness]
        }
    }
}

/// The name and version in the header of a trace.
package enum ReferenceIdentity {
    package static let name = "proctor-reference"
    /// The version; with a fault it names that too: `1 breaking R12`.
    package static func version(breaking breakage: Breakage? = nil) -> String {
        breakage.map { "\(number) breaking \($0.label)" } ?? number
    }

    private static let number = "1"
}
