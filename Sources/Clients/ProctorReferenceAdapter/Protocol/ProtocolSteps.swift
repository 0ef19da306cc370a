public import ProctorAssignments
internal import ProctorBase
internal import ProctorDialling
package import ProctorEvents
package import ProctorProgram
package import ProctorRecorder
public import ProctorReference

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
#else
    internal import Foundation
#endif

/// Runs steps with ``ReferenceProtocol`` or a ``ScriptedProtocol`` under a ``ProtocolDriver``: family urlProtocol.
struct ProtocolSteps: ReferenceClient {
    private let setup: SessionSetup
    private let driver: ProtocolDriver
    private let recorder: TraceRecorder
    private let place: Locked<LoadTrace>
    private let fault: ProtocolProgram.Fault?

    /// All protocol objects of the process share connections.
    init(_ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder) throws(CallFailure) {
        setup = assignment.session
        self.recorder = recorder
        place = Locked(LoadTrace(recorder: recorder))
        var options = ReferenceProtocol.options
        options.configuration = try ReferenceConfiguration(assignment, breaking: breaking)
        // The driver has no cookie handling, unlike a loading system, so the objects share a store.
        options.cookieStore = ReferenceCookieStore()
        options.makeCallFilter = breaking?.makeCallFilter(of: .urlProtocol)
        options.ownSchemes = setup.ownSchemes
        options.fault = breaking?.asFault()
        fault = breaking?.asFault()
        CalledProtocol.add(setup.ownSchemes)
        let asked = setup.ownScheme == nil ? SecuredProtocol.self : CalledProtocol.self
        let whole = !options.configuration.hasProxy && options.names.isEmpty ? asked : NamedProtocol.self
        driver = ProtocolDriver(breaking?.asFault(ProtocolClassFault.self)?.protocolClass ?? whole) {
            [options] request, cachedResponse, client in
            ReferenceProtocol(request: request, cachedResponse: cachedResponse, client: client, options: options)
        }
    }

    /// The driver's trace has no `resume`: its objects begin with `p.start`.
    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        guard var request = ProtocolDriver.request(of: step) else {
            StepNotes(index, recorder: recorder).unimplemented(
                "steps[\(index)].url: Foundation can't read '\(step.url)'")
            return .unimplemented
        }
        if setup.cookiePolicy == .mainDocument { request.mainDocumentURL = request.url }
        if let timeout = step.timeout ?? setup.requestTimeout {
            request.timeoutInterval = Double(max(1, timeout)) / 1000
        }
        var program = ProtocolProgram(examining: step)
        program.fault = fault
        program.asksEquivalence = true
        program.callsAtOnce = setup.callsAtOnce
        program.keepsFor = setup.keepsObjects ? .milliseconds(1_500) : nil
        let (driver, script) = driver(for: step, request)
        defer { withExtendedLifetime(script) {} }
        let events = await driver.run(
            script?.request ?? request, program: program, deadline: .left(until: end), in: place.withLock { $0 })
        place.withLock { $0 = $0.next }
        return AssignmentRunner.Ending(of: events, before: end)
    }

    /// The driver of a step; a script has its own, unless classes are asked whether they load the request.
    private func driver(
        for step: Assignment.Step, _ request: URLRequest
    ) -> (ProtocolDriver, ScriptedLoad?) {
        guard setup.protocols.isEmpty else {
            let script = ScriptedLoad(step.protocolScript ?? [], for: request, classes: setup.protocols)
            return (driver.asking(setup.protocols, isShared: setup.isShared), script)
        }
        guard let script = step.protocolScript.map({ ScriptedLoad($0, for: request) }) else { return (driver, nil) }
        return (ProtocolDriver(ScriptedProtocol.self), script)
    }

    /// Nothing remains to be ended, since each step stopped its objects.
    func finish(before end: UInt64) async -> Bool { true }

    /// Does nothing, since the driver stops its objects at their deadline.
    func abandon() {}
}

/// Accepts `https` for objects that have anchors; the superclass accepts it only when the class has anchors.
private class SecuredProtocol: ReferenceProtocol {
    override class var options: Options {
        var options = super.options
        options.takesHTTPS = true
        return options
    }
}

/// Used in place of its superclass when the assignment has its own scheme.
private class CalledProtocol: SecuredProtocol {
    /// The schemes of all assignments in the process; a class can't get them in another way.
    private static let schemes = Locked<Set<String>>([])

    static func add(_ schemes: Set<String>) { self.schemes.withLock { $0.formUnion(schemes) } }

    override class var options: Options {
        var options = super.options
        options.ownSchemes = schemes.withLock { $0 }
        return options
    }
}

/// Used in place of its superclass when hosts have names; the objects have the addresses.
private class NamedProtocol: CalledProtocol {
    override class var options: Options {
        var options = super.options
        options.takesHTTPS = true
        options.takesHostNames = true
        return options
    }
}

/// A deliberate fault of a URLProtocol class, which its objects do not have, by the label of its breakage.
enum ProtocolClassFault: String, Sendable, CaseIterable {
    case sharesScratch = "R52b"
    case comparesSpellings = "R52c"

    fileprivate var protocolClass: ReferenceProtocol.Type {
        switch self {
        case .sharesScratch: ScratchProtocol.self
        case .comparesSpellings: SpellingProtocol.self
        }
    }
}

private final class ScratchProtocol: NamedProtocol {
    private static let scratch = Locked<URL?>(nil)

    /// Another thread may change the variable between its two uses.
    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        scratch.withLock { $0 = request.url }
        Thread.sleep(forTimeInterval: 0.0005)
        var kept = request
        kept.url = scratch.withLock { $0 }
        return super.canonicalRequest(for: kept)
    }
}

private final class SpellingProtocol: NamedProtocol {
    override class func requestIsCacheEquivalent(_ request: URLRequest, to other: URLRequest) -> Bool {
        request.line == other.line
    }
}

/// Lets a ``ProtocolDriver`` refuse redirects.
extension ReferenceProtocol: RedirectAnswering {}

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
        header.clientVersion = "\(ReferenceIdentity.version()) under \(AdapterIdentity.name) \(AdapterIdentity.version)"
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
