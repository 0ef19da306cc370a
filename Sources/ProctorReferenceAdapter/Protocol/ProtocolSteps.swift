internal import ProctorBase
internal import ProctorProgram
public import ProctorRecorder
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
        options.configuration = try ReferenceConfiguration(setup, breaking: breaking)
        // The driver has no cookies, as a loading system would, so the objects share a store.
        options.cookieStore = ReferenceCookieStore()
        options.makeCallFilter = breaking?.makeCallFilter(of: .urlProtocol)
        options.ownSchemes = setup.ownSchemes
        options.forwardsTrust = breaking?.forwardsTrust ?? false
        options.ignoresStop = breaking?.ignoresStop ?? false
        fault = breaking?.driverFault
        CalledProtocol.add(setup.ownSchemes)
        let asked = setup.ownScheme == nil ? SecuredProtocol.self : CalledProtocol.self
        driver = ProtocolDriver(options.proxy == nil && options.names.isEmpty ? asked : NamedProtocol.self) {
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
        let script = step.protocolScript.map { ScriptedLoad($0, for: request) }
        defer { withExtendedLifetime(script) {} }
        let driver = script == nil ? driver : ProtocolDriver(ScriptedProtocol.self)
        let events = await driver.run(
            script?.request ?? request, program: program, deadline: .left(until: end), in: place.withLock { $0 })
        place.withLock { $0 = $0.next }
        return AssignmentRunner.Ending(of: events, before: end)
    }

    /// Each step stopped its objects.
    func finish(before end: UInt64) async -> Bool { true }

    /// The driver stops its objects at the end of their time.
    func abandon() {}
}

/// Its parent accepts `https` only with anchors, which the class does not have; the objects have them.
private class SecuredProtocol: ReferenceProtocol {
    override class var options: Options {
        var options = super.options
        options.takesHTTPS = true
        return options
    }
}

/// Replaces its parent where the assignment has its own scheme.
private class CalledProtocol: SecuredProtocol {
    /// The schemes of all assignments of the process, since a class has no other source for them.
    private static let schemes = Locked<Set<String>>([])

    static func add(_ schemes: Set<String>) { self.schemes.withLock { $0.formUnion(schemes) } }

    override class var options: Options {
        var options = super.options
        options.ownSchemes = schemes.withLock { $0 }
        return options
    }
}

/// Replaces its parent where hosts have names; the objects know the addresses.
private final class NamedProtocol: CalledProtocol {
    override class var options: Options {
        var options = super.options
        options.takesHTTPS = true
        options.takesHostNames = true
        return options
    }
}

/// A ``ProtocolDriver`` refuses redirects through it.
extension ReferenceProtocol: RedirectAnswering {}
