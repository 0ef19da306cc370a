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

/// Steps done by ``ReferenceProtocol`` under a ``ProtocolDriver``, which writes all of it down: families urlProtocol and `proto`.
///
/// A step with a script is done by the ``ScriptedProtocol`` in its place, and what sits the exam then is the driver alone.
struct ProtocolSteps: ReferenceClient {
    private let setup: SessionSetup
    private let driver: ProtocolDriver
    private let recorder: TraceRecorder
    private let place: Locked<LoadTrace>
    private let fault: ProtocolProgram.Fault?

    /// Connections are shared with every other protocol object of the process.
    init(
        _ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder
    ) throws(CallFailure) {
        setup = assignment.session
        self.recorder = recorder
        place = Locked(LoadTrace(recorder: recorder))
        var options = ReferenceProtocol.options
        options.resourceLimit = setup.resourceTimeout.map { .milliseconds($0) }
        options.proxy = setup.proxyOrigin
        options.sparesLoopback = setup.sparesLoopback
        options.names = (try? setup.hostTable()) ?? HostTable()
        options.transportFault = breaking?.transportFault
        options.security = try setup.security(breaking: breaking)
        // The driver has no cookies, as a loading system would: the objects share a store of their own.
        options.cookieStore = ReferenceCookieStore()
        options.cookiePolicy = setup.cookiePolicy
        options.cookieFault = breaking?.cookieFault
        options.ownSchemes = setup.ownSchemes
        options.forwardsTrust = breaking?.forwardsTrust ?? false
        options.makeActionFilter = breaking?.makeActionFilter
        options.makeCallFilter = breaking?.makeCallFilter(of: .urlProtocol)
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
    static func missing(for assignment: Assignment) -> String? { ProtocolSupport.missing(for: assignment) }

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
            script?.request ?? request, program: program, deadline: .left(until: end),
            in: place.withLock { $0 })
        place.withLock { $0 = $0.next }
        return AssignmentRunner.Ending(of: events, before: end)
    }

    /// Every object was stopped by its own step.
    func finish(before end: UInt64) async -> Bool { true }

    /// The driver stops its objects at the end of their time.
    func abandon() {}
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

/// What a URLProtocol under a driver has no call for.
enum ProtocolSupport {
    /// Calls on a client, and what a driver knows besides.
    private static let moments: Set = [
        "before-resume", "after-resume", "redirect", "challenge", "challengeCancelled", "response", "data",
        "cacheValidated", "complete",
    ]

    /// In words that name the key; nil when nothing is in the way.
    static func missing(for assignment: Assignment) -> String? {
        let setup = assignment.session
        if setup.delegates != .session { return "session.delegates: a URLProtocol has one client and no delegates" }
        if setup.queue != .serial, setup.queue != .default {
            return "session.queue: a URLProtocol calls its client on the thread that started it"
        }
        if setup.endAt != nil { return "session.endAt: there is no session without URLSession" }
        if setup.cache != nil { return "session.cache: a URLProtocol is given its cached response, it keeps none" }
        for (index, step) in assignment.steps.enumerated() {
            if let reason = missing(for: step) { return "steps[\(index)].\(reason)" }
        }
        return nil
    }

    private static func missing(for step: Assignment.Step) -> String? {
        if step.task != .data, step.task != .upload {
            return "task: a URLProtocol knows nothing of \(step.task) tasks"
        }
        if step.body != nil, step.bodyForm.isAskedFor {
            return "bodyForm: a URLProtocol gets its body with the request, not as \(step.bodyForm.rawValue)"
        }
        if step.onResponse != .allow { return "onResponse: a URLProtocol takes no answer to a response" }
        if step.suspendAt != nil { return "suspendAt: a URLProtocol cannot be suspended" }
        if step.resume != nil || step.producesResumeData { return "resume: a URLProtocol has no resume data" }
        if let moment = step.cancelAt, !moments.contains(moment.word) {
            return "cancelAt: a URLProtocol tells nothing of \(moment.word)"
        }
        if step.onChallenge.contains(where: { $0.credential?.token != nil }) {
            return "onChallenge: token: a URLProtocol forwards no challenge of Bearer (R20)"
        }
        if step.onChallenge.contains(where: { ($0.credential?.persistence ?? .none) != .none }) {
            return "onChallenge: persistence: the loading system keeps credentials, a URLProtocol keeps none"
        }
        if let answer = step.onRedirect.first(where: { !$0.isForProtocols }) {
            return "onRedirect: \(answer.word): a URLProtocol is answered once"
        }
        return nil
    }
}

/// So a ``ProtocolDriver`` can refuse its redirects.
extension ReferenceProtocol: RedirectAnswering {}
