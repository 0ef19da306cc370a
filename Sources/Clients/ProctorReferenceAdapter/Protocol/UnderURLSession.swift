internal import ProctorBase
package import ProctorEvents
package import ProctorProgram
package import ProctorRecorder
internal import ProctorReference

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
#else
    internal import Foundation
#endif

/// Runs ``ReferenceProtocol`` under the platform's URLSession and records the calls that URLSession makes to it.
///
/// One assignment for each process: URLSession asks classes, so all objects record into one trace. On Linux URLSession
/// may trap or hang, which the trace then shows.
package struct UnderURLSession: Sendable {
    private let runner: AssignmentRunner

    package init(_ assignment: Assignment, recordingTo recorder: TraceRecorder) {
        var runner = AssignmentRunner(assignment, recordingTo: recorder)
        runner.protocolClasses = [WatchedProtocol.self]
        self.runner = runner
    }

    package var header: TraceHeader {
        var header = runner.header
        header.client = ReferenceIdentity.name
        header.clientVersion = "\(ReferenceIdentity.version()) under \(ClientIdentity.name) \(ClientIdentity.version)"
        header.lanes = [.task, .session, .proto, .handler, .harness]
        return header
    }

    /// Returns at the end, or at the assignment's deadline.
    package func run() async -> AssignmentRunner.Ending {
        WatchedProtocol.watch(with: runner.recorder)
        return await runner.run()
    }
}

/// Records, in lane `proto`, the calls of a loading system to the class and its objects.
final class WatchedProtocol: ReferenceProtocol {
    private static let recorder = Locked<TraceRecorder?>(nil)
    /// The number of the object; 0 before it exists.
    private var number = 0

    /// Makes all later objects of the process record to `recorder`.
    static func watch(with recorder: TraceRecorder) { self.recorder.withLock { $0 = recorder } }

    private static func record(_ name: EventName, object: Int? = nil, _ facts: EventFacts = []) {
        recorder.withLock { $0 }?
            .record(TraceEvent(lane: .proto, object: object, name: name, family: .proto, facts: facts))
    }

    override class func canInit(with request: URLRequest) -> Bool {
        let accepts = super.canInit(with: request)
        record(.pCanInit, [EventFact(.request, .text(request.line)), EventFact(.accepts, .flag(accepts))])
        return accepts
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        let form = super.canonicalRequest(for: request)
        record(.pCanonical, [EventFact(.request, .text(request.line)), EventFact(.proposed, .text(form.line))])
        return form
    }

    override class func requestIsCacheEquivalent(_ request: URLRequest, to other: URLRequest) -> Bool {
        let isEquivalent = super.requestIsCacheEquivalent(request, to: other)
        record(
            .pCacheEquivalent,
            [
                EventFact(.request, .text(request.line)), EventFact(.proposed, .text(other.line)),
                EventFact(.accepts, .flag(isEquivalent)),
            ])
        return isEquivalent
    }

    required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
        super.init(request: request, cachedResponse: cachedResponse, client: client)
        number = Self.recorder.withLock { $0 }?.objectNumber(of: self) ?? 0
        let length = request.httpBody.map(\.count) ?? (request.httpBodyStream == nil ? 0 : -1)
        Self.record(
            .pInit, object: number,
            [EventFact(.request, .text(request.line)), EventFact(.bodyLength, .integer(length))])
    }

    deinit { Self.record(.pDeinit, object: number) }

    override func startLoading() {
        Self.record(.pStart, object: number)
        super.startLoading()
    }

    override func stopLoading() {
        Self.record(.pStop, object: number)
        super.stopLoading()
    }
}
