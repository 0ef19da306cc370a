public import ProctorEvents
public import ProctorProgram
package import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Loads a request with a URLProtocol as a loading system does, without URLSession, and records the calls of both
/// sides.
///
/// It calls the class, makes the object, starts and stops it on one thread whose run loop runs, answers its questions,
/// and follows redirects with further objects. Class methods and `init` are called on another thread, which R48
/// permits.
///
/// It behaves like Apple's loading systems; mistakes of the object are recorded and cause no crash. Lanes: `proto`,
/// `protocolClient`, `harness`; objects count from 0.
public struct ProtocolDriver: Sendable {
    /// The class under test.
    package let protocolClass: URLProtocol.Type
    /// The classes in the order in which they are asked; the first one that accepts a request loads it.
    let makers: [ProtocolMaker]

    /// Makes a driver; the class needs no registration with Foundation.
    public init(_ protocolClass: URLProtocol.Type) {
        self.init(protocolClass) { protocolClass.init(request: $0, cachedResponse: $1, client: $2) }
    }

    /// Makes a driver with a function that makes the objects, of the class or a subclass; `make` is called on any
    /// thread.
    package init(
        _ protocolClass: URLProtocol.Type,
        making make:
            @escaping @Sendable (URLRequest, CachedURLResponse?, any URLProtocolClient) -> URLProtocol
    ) {
        self.protocolClass = protocolClass
        makers = [ProtocolMaker(protocolClass: protocolClass, make: make)]
    }

    /// A copy of the driver with the classes of a list before its own, for requests of ``ScriptedLoad``.
    ///
    /// Only the shared session asks registered classes, the last registered one first (registerClass).
    package func asking(_ list: [ProtocolClass], isShared: Bool) -> ProtocolDriver {
        let named = zip(list, NamedProtocols.all).map { item, type in
            (
                item.place,
                ProtocolMaker(name: item.name, protocolClass: type) {
                    type.init(request: $0, cachedResponse: $1, client: $2)
                }
            )
        }
        let registered = isShared ? named.filter { $0.0 == .global }.map(\.1).reversed() : []
        return ProtocolDriver(
            protocolClass, makers: named.filter { $0.0 == .session }.map(\.1) + registered + makers)
    }

    private init(_ protocolClass: URLProtocol.Type, makers: [ProtocolMaker]) {
        (self.protocolClass, self.makers) = (protocolClass, makers)
    }

    /// The trace of one load, which ends in a `result`; returns at the deadline at the latest.
    ///
    /// At the deadline, or when the task is cancelled, the trace ends without a terminal event and without `p.stop`:
    /// the object is stopped afterwards. A thread that the protocol blocks for ever is not ended.
    public func run(
        _ request: URLRequest, program: ProtocolProgram = ProtocolProgram(),
        cachedResponse: CachedURLResponse? = nil, deadline: Duration = .seconds(5)
    ) async -> [TraceEvent] {
        await run(
            request, program: program, cachedResponse: cachedResponse, deadline: deadline, in: LoadTrace())
    }

    /// Records the load as part of a longer trace; returns only the events of its task.
    package func run(
        _ request: URLRequest, program: ProtocolProgram, cachedResponse: CachedURLResponse? = nil,
        deadline: Duration, in place: LoadTrace
    ) async -> [TraceEvent] {
        let run = ProtocolRun(
            makers, program: program, cachedResponse: cachedResponse, deadline: deadline, place: place)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { run.start(request, for: $0) }
        } onCancel: {
            run.giveUp("the test was cancelled")
        }
    }
}

/// A class and the function that makes its objects.
struct ProtocolMaker: Sendable {
    /// The name in the trace; nil: it is the only class.
    var name: String?
    let protocolClass: URLProtocol.Type
    let make: @Sendable (URLRequest, CachedURLResponse?, any URLProtocolClient) -> URLProtocol
}

extension ProtocolDriver {
    /// Plays a step's script with a ``ScriptedProtocol`` and the step's answers, without a session.
    ///
    /// A step without a script makes no object, since no class accepts its request. The trace begins with sequence 1.
    public static func runScript(_ step: Assignment.Step, deadline: Duration = .seconds(5)) async -> [TraceEvent] {
        await runScript(step, program: ProtocolProgram(step), deadline: deadline, in: LoadTrace())
    }

    /// The request of a step with its body as data or stream; nil when its URL is invalid for Foundation.
    ///
    /// A file becomes a stream of known length, since a request cannot refer to a file.
    package static func request(of step: Assignment.Step) -> URLRequest? {
        guard var request = StepRequest.make(step) else { return nil }
        guard step.body != nil else { return request }
        let body = BodySource(step.body)
        switch step.bodyForm {
        case .requestStream, .requestFileStream, .requestBoundPair: request.httpBodyStream = body.stream()
        case .file:
            request.httpBodyStream = body.stream()
            request.setValue(String(body.data.count), forHTTPHeaderField: "Content-Length")
        default: request.httpBody = body.data
        }
        return request
    }

    /// Plays the script as part of a longer trace.
    static func runScript(
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

/// A URLProtocol with a method that is called when its redirect is refused.
///
/// Foundation's URLProtocol has no such method: Apple's loading systems follow the redirect themselves and stop the
/// object. A ``ProtocolDriver`` can refuse, and then calls this method; a class without it just continues (R51).
public protocol RedirectAnswering: URLProtocol {
    /// Called when the last redirect is not followed; the object may deliver that response itself (R5).
    ///
    /// Called on the client thread, at most once for each redirect, after the redirect call has returned.
    func redirectRefused()
}

/// The part of a program's trace that one load writes.
package struct LoadTrace: Sendable {
    /// The recorder, which also receives the events of other loads, one load after the other.
    package var recorder: TraceRecorder
    /// The number of the step; after its `result` no event of it is recorded.
    package var task: Int
    /// The number of the first object; numbers continue through all steps, since rules identify objects by them.
    let firstObject: Int

    package init(recorder: TraceRecorder = TraceRecorder(), task: Int = 0) {
        (self.recorder, self.task) = (recorder, task)
        firstObject = recorder.events.lazy.compactMap(\.object).max().map { $0 + 1 } ?? 0
    }

    /// The part of the next step, whose objects get higher numbers.
    package var next: LoadTrace { LoadTrace(recorder: recorder, task: task + 1) }
}

/// The answers and the cancel of a loading system that uses a URLProtocol.
public struct ProtocolProgram: Sendable, Equatable {
    /// The answers to redirects in order, the last one repeats; an answer may not cancel and answer, nor answer twice.
    ///
    /// Only a ``RedirectAnswering`` protocol is told of a refusal; any other URLProtocol continues (R51).
    public var onRedirect: [Assignment.RedirectAnswer] = [.follow]
    /// The answers to challenges in order, the last one repeats, as in ``Assignment/ChallengeAnswer``.
    ///
    /// Empty: default handling.
    public var onChallenge: [Assignment.ChallengeAnswer] = []
    /// The time between a question and its answer; nil: the next turn of the run loop.
    public var answerAfter: Duration?
    /// When the driver stops the object: at a call to its client, `before-resume` (never started) or `after-resume`.
    public var cancelAt: Assignment.Moment?
    /// The most redirects that it follows.
    public var redirectLimit = 20
    /// How long the client's run loop may be blocked before the trace has an event `blocked`.
    package var blockedThreshold: Duration = .milliseconds(100)
    /// How long after the last stop it records late calls of an object that still exists.
    package var settling: Duration = .milliseconds(250)

    /// The names of header fields that the trace contains for responses and redirects, as
    /// ``Assignment/Step/fieldNames``.
    package var fieldNames: [String] = []

    /// How long a stopped object is kept; less than ``settling``, after which the object counts as not released.
    package var keepsFor: Duration?
    /// Whether the class is asked about cache equivalence, which Foundation on Linux leaves to each class to implement.
    package var asksEquivalence = false
    /// Whether two threads call the class, and make and release objects, at the same time before the load.
    package var callsAtOnce = false
    /// A deliberate fault of the driver.
    package var fault: Fault?

    /// A deliberate fault, a duty of a loading system that the driver does not fulfil, by the label of its breakage.
    package enum Fault: String, Sendable, CaseIterable {
        case neverStops = "R49"
        case skipsCanonicalForm = "R52"
        case startsWhatWasDeclined = "R60"
        case asksBackwards = "classes-asked-backwards"
        case tellsUpload = "R24"
        case asksForTheStore = "R24b"
        case asksOfSpaces = "R24c"
    }

    /// Follows redirects, uses default handling for challenges and waits for the end.
    public init() {}

    /// Uses the answers of a step of a client program.
    package init(_ step: Assignment.Step) {
        onRedirect = step.onRedirect
        onChallenge = step.answersToCredentialQuestions
        answerAfter = step.answerAfter.map { .milliseconds($0) }
        cancelAt = step.cancelAt
        fieldNames = step.fieldNames
    }

    /// Uses the answers of a step, with limits for an exam on a busy machine.
    ///
    /// `blocked` needs 400 ms, and late calls are recorded until the object was released, or for two seconds.
    package init(examining step: Assignment.Step) {
        self.init(step)
        blockedThreshold = .milliseconds(400)
        settling = .seconds(2)
    }
}
