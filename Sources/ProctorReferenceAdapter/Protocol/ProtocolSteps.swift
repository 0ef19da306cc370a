package import ProctorBase
package import ProctorRecorder
internal import ProctorReference
package import ProctorTrace

#if canImport(FoundationNetworking)
    internal import Foundation
    internal import FoundationNetworking
#else
    internal import Foundation
#endif

/// Steps done by ``ReferenceProtocol`` under a ``ProtocolDriver``, which writes all of it down: families PC and `proto`.
///
/// A step with a script is done by the ``ScriptedProtocol`` in its place, and what sits the exam then is the driver alone.
package struct ProtocolSteps: StepClient {
    private let setup: SessionSetup
    private let driver: ProtocolDriver
    private let recorder: TraceRecorder
    private let place: Locked<TracePlace>
    private let fault: ProtocolProgram.Fault?

    /// Connections are shared with every other protocol object of the process.
    package init(
        _ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        setup = assignment.session
        self.recorder = recorder
        place = Locked(TracePlace(recorder: recorder))
        var options = ReferenceProtocol.options
        options.resourceLimit = setup.resourceTimeout.map { .milliseconds($0) }
        options.proxy = setup.proxyOrigin
        options.sparesLoopback = setup.sparesLoopback
        options.names = (try? setup.hostTable()) ?? HostTable()
        options.transportFault = breaking?.transportFault
        options.security = try setup.security(breaking: breaking)
        // The driver has no cookies, as a loading system would: the objects share a store of their own.
        options.cookieStore = ReferenceCookieStore()
        options.cookiePolicy = setup.cookiePolicy ?? .always
        options.cookieFault = breaking?.cookieFault
        options.ownSchemes = setup.ownSchemes
        options.forwardsTrust = breaking?.forwardsTrust ?? false
        options.makeActionFilter = breaking?.makeActionFilter
        options.makeCallFilter = breaking?.makeProtocolFilter
        options.ignoresStop = breaking?.ignoresStop ?? false
        fault = breaking?.driverFault
        CalledProtocol.add(setup.ownSchemes)
        let asked = setup.ownScheme == nil ? SecuredProtocol.self : CalledProtocol.self
        driver = ProtocolDriver(options.proxy == nil && options.names.isEmpty ? asked : NamedProtocol.self) {
            [options] request, cachedResponse, client in
            ReferenceProtocol(request: request, cachedResponse: cachedResponse, client: client, options: options)
        }
    }

    /// Says what a URLProtocol has no call for.
    package static func missing(for assignment: Assignment) -> String? { ProtocolSupport.missing(for: assignment) }

    /// The driver's trace has no `resume`: its objects begin with `p.start`.
    package func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> StepEnd {
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
            script?.request ?? request, program: program, deadline: .left(until: end),
            in: place.withLock { $0 })
        place.withLock { $0 = $0.next }
        if events.contains(where: { $0.name == .unimplemented }) { return .unimplemented }
        return MonotonicClock.nanoseconds < end ? .finished : .outOfTime
    }

    /// Every object was stopped by its own step.
    package func finish(before end: UInt64) async -> Bool { true }

    /// The driver stops its objects at the end of their time.
    package func abandon() {}
}

/// Asked in the place of its parent, which takes `https` with anchors alone; which ones, the objects are told.
private class SecuredProtocol: ReferenceProtocol {
    override class var options: Options {
        var options = super.options
        options.takesHTTPS = true
        return options
    }
}

/// Asked in the place of its parent where the assignment has a scheme of its own.
private class CalledProtocol: SecuredProtocol {
    /// Of every assignment of the process: a class has nothing else to know them by.
    private static let schemes = Locked<Set<String>>([])

    static func add(_ schemes: Set<String>) { self.schemes.withLock { $0.formUnion(schemes) } }

    override class var options: Options {
        var options = super.options
        options.ownSchemes = schemes.withLock { $0 }
        return options
    }
}

/// Asked in the place of its parent where hosts have names; who finds them, the objects are told.
private final class NamedProtocol: CalledProtocol {
    override class var options: Options {
        var options = super.options
        options.takesHTTPS = true
        options.takesHostNames = true
        return options
    }
}
