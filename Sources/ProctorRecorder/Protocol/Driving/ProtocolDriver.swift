public import ProctorEvents
public import ProctorProgram

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads a request with a URLProtocol as a loading system does, without any, and writes down both sides.
///
/// Asks the class, makes the object, starts and stops it on one thread whose run loop runs, answers its questions,
/// follows its redirects with further objects. Class calls and `init` come from another thread, as they may (R48).
///
/// The object is told nothing that a loading system of Apple's would not tell it; what it does wrong shows in the trace
/// and crashes nothing. Lanes: `proto`, `protocolClient`, `harness`; objects count from 0.
public struct ProtocolDriver: Sendable {
    /// The class under test.
    public let protocolClass: URLProtocol.Type
    let maker: ProtocolMaker

    /// Nothing is registered anywhere: the class need not be known to Foundation.
    public init(_ protocolClass: URLProtocol.Type) {
        self.init(protocolClass) { protocolClass.init(request: $0, cachedResponse: $1, client: $2) }
    }

    /// With objects that the caller makes, of the class or of one below it; on any thread.
    public init(
        _ protocolClass: URLProtocol.Type,
        making make:
            @escaping @Sendable (URLRequest, CachedURLResponse?, any URLProtocolClient) -> URLProtocol
    ) {
        self.protocolClass = protocolClass
        maker = ProtocolMaker(protocolClass: protocolClass, make: make)
    }

    /// The trace of one load, which ends in a `result`; comes at the deadline at the latest, whatever the protocol does.
    ///
    /// At the deadline, or when the task is cancelled, the trace ends without a terminal event and without `p.stop`: the
    /// object is stopped behind its end. A thread that the protocol blocks for ever is left behind.
    public func run(
        _ request: URLRequest, program: ProtocolProgram = ProtocolProgram(),
        cachedResponse: CachedURLResponse? = nil, deadline: Duration = .seconds(5)
    ) async -> [TraceEvent] {
        await run(
            request, program: program, cachedResponse: cachedResponse, deadline: deadline, in: LoadTrace())
    }

    /// The same as a part of a longer trace; returns the events of its task alone.
    package func run(
        _ request: URLRequest, program: ProtocolProgram, cachedResponse: CachedURLResponse? = nil,
        deadline: Duration, in place: LoadTrace
    ) async -> [TraceEvent] {
        let run = ProtocolRun(
            maker, program: program, cachedResponse: cachedResponse, deadline: deadline, place: place)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { run.start(request, for: $0) }
        } onCancel: {
            run.giveUp("the test was cancelled")
        }
    }
}

/// The class that is asked, and how its objects come to be.
struct ProtocolMaker: Sendable {
    let protocolClass: URLProtocol.Type
    let make: @Sendable (URLRequest, CachedURLResponse?, any URLProtocolClient) -> URLProtocol
}

extension ProtocolDriver {
    /// Plays the script of a step with a ``ScriptedProtocol`` and answers as the step says; without a session.
    ///
    /// A step without a script makes no object: no class takes its request. The trace begins its sequence at 1.
    public static func play(_ step: Assignment.Step, deadline: Duration = .seconds(5)) async -> [TraceEvent] {
        await play(step, program: ProtocolProgram(step), deadline: deadline, in: LoadTrace())
    }

    /// The request of a step with its body in it, as data or as a stream; nil when the URL is none for Foundation.
    ///
    /// A file comes to a protocol as a stream whose length is told: a request has no place for a file.
    package static func request(of step: Assignment.Step) -> URLRequest? {
        guard var request = StepRequest.make(step) else { return nil }
        guard step.body != nil else { return request }
        let body = BodySource(step.body)
        switch step.bodyForm {
        case .requestStream: request.httpBodyStream = body.stream()
        case .file:
            request.httpBodyStream = body.stream()
            request.setValue(String(body.data.count), forHTTPHeaderField: "Content-Length")
        default: request.httpBody = body.data
        }
        return request
    }

    /// The same as a part of a longer trace.
    static func play(
        _ step: Assignment.Step, program: ProtocolProgram, deadline: Duration, in place: LoadTrace
    ) async -> [TraceEvent] {
        guard let request = request(of: step) else {
            place.recorder.close(
                with: TraceEvent(
                    lane: .harness, task: place.task, name: .unimplemented,
                    argument: "Foundation cannot read the URL \"\(step.url)\""))
            return place.recorder.events.filter { $0.task == place.task }
        }
        let load = step.protocolScript.map { ScriptedLoad($0, for: request) }
        defer { withExtendedLifetime(load) {} }
        return await ProtocolDriver(ScriptedProtocol.self)
            .run(load?.request ?? request, program: program, deadline: deadline, in: place)
    }
}

/// A URLProtocol that wants to know when its redirect is refused.
///
/// Foundation's URLProtocol has no call for that: a loading system of Apple's follows by itself and stops the object. One
/// that can refuse, as a ``ProtocolDriver`` does, has to say so; a class that does not conform just goes on (R51).
public protocol RedirectAnswering: URLProtocol {
    /// The redirect that the object told of last is not followed: it may deliver that response itself (R5).
    ///
    /// Called on the client thread, at most once for a redirect, after the call that told of it has returned.
    func redirectRefused()
}

/// The part of a trace that one load writes, of a whole program.
package struct LoadTrace: Sendable {
    /// Takes the events of other loads too, one after the other.
    package var recorder: TraceRecorder
    /// The number of the step; nothing is recorded of it behind its `result`.
    package var task: Int
    /// The number of the first object; objects count through all steps, because rules know them by it.
    package var firstObject: Int

    /// A trace of its own, where nothing else is said.
    package init(recorder: TraceRecorder = TraceRecorder(), task: Int = 0, firstObject: Int = 0) {
        self.recorder = recorder
        self.task = task
        self.firstObject = firstObject
    }

    /// The part of the step that follows on this one, whose objects are numbered behind all so far.
    package var next: LoadTrace {
        let last = recorder.events.lazy.compactMap(\.object).max()
        return LoadTrace(recorder: recorder, task: task + 1, firstObject: last.map { $0 + 1 } ?? firstObject)
    }
}
