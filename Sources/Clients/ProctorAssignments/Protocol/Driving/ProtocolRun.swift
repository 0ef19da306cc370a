internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The state that the threads of one run share: trace, program and waiting caller.
final class ProtocolRun: Sendable {
    let recorder: TraceRecorder
    let task: Int
    let makers: [ProtocolMaker]
    let program: ProtocolProgram
    let cachedResponse: Handover<CachedURLResponse?>
    private let activity: RunLoopActivity
    let client: ClientThread<ProtocolLoad>
    private let watch: RunLoopWatch
    private let deadline: Duration
    private let state: Locked<State>

    private struct State {
        var nextObject = 0
        /// The current object; calls of other objects are late.
        var object = 0
        /// The object that was started or stopped last and may block the client thread.
        var busyObject = 0
        /// The number of events so far at which the program may cancel.
        var moments = 0
        var withdrawn: [ObjectIdentifier: Handover<URLAuthenticationChallenge>] = [:]
        var isClosed = false
        var caller: CheckedContinuation<[TraceEvent], Never>?
    }

    init(
        _ makers: [ProtocolMaker], program: ProtocolProgram, cachedResponse: CachedURLResponse?,
        deadline: Duration, place: LoadTrace = LoadTrace()
    ) {
        recorder = place.recorder
        task = place.task
        state = Locked(State(nextObject: place.firstObject, object: place.firstObject, busyObject: place.firstObject))
        (self.makers, self.program) = (makers, program)
        self.cachedResponse = Handover(value: cachedResponse)
        self.deadline = deadline
        activity = RunLoopActivity(threshold: program.blockedThreshold)
        client = ClientThread(activity) { $0.lookRound() }
        watch = RunLoopWatch(of: activity, deadline: deadline)
    }

    /// Returns at once; the continuation is resumed exactly once, at the deadline at the latest.
    func start(_ request: URLRequest, for caller: CheckedContinuation<[TraceEvent], Never>) {
        let isTooLate = state.withLock { state in
            if !state.isClosed { state.caller = caller }
            return state.isClosed
        }
        if isTooLate { return caller.resume(returning: events) }
        client.start { ProtocolLoad(self) }
        watch.start { [self] in
            recordBlocked($0)
        } late: { [self] in
            giveUp()
        }
        client.post { $0.startObject(request) }
    }

    /// Ends the trace for the caller; the object is stopped afterwards.
    func giveUp(_ reason: String? = nil) {
        var facts: EventFacts = [EventFact(.message, .text(reason ?? "no end within \(deadline)"))]
        facts.add(.ms, reason == nil ? Int(clamping: deadline.wholeNanoseconds / 1_000_000) : nil)
        close(result: facts)
        client.post { $0.abandon() }
    }

    /// Ends the trace with the result; only the first call has an effect.
    func close(result facts: EventFacts) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        for milliseconds in activity.finish() { recordBlocked(milliseconds) }
        recorder.close(with: event(.harness, .result, facts: facts))
        let events = events
        watch.stop()
        state.withLock { state in
            defer { state.caller = nil }
            return state.caller
        }?.resume(returning: events)
    }

    private var events: [TraceEvent] { recorder.events.filter { $0.task == task } }

    func makeObject() -> Int {
        state.withLock { state in
            state.object = state.nextObject
            state.nextObject += 1
            return state.object
        }
    }

    var object: Int { state.withLock { $0.object } }

    /// Records which object the client thread runs next.
    func giveThread(to object: Int) { state.withLock { $0.busyObject = object } }

    /// Withdraws a challenge at once, also when its answer was already posted.
    func withdraw(_ challenge: URLAuthenticationChallenge) {
        // Kept until the end, so that no other challenge gets the same address.
        let handed = Handover(value: challenge)
        state.withLock { $0.withdrawn[ObjectIdentifier(handed.value)] = handed }
    }

    func isWithdrawn(_ challenge: URLAuthenticationChallenge) -> Bool {
        let identity = ObjectIdentifier(challenge)
        return state.withLock { $0.withdrawn[identity] != nil }
    }

    @discardableResult
    func record(
        _ lane: Lane, _ name: EventName, argument: String? = nil, object: Int? = nil, facts: EventFacts = []
    ) -> TraceEvent {
        recorder.record(event(lane, name, argument: argument, object: object, facts: facts))
    }

    private func event(
        _ lane: Lane, _ name: EventName, argument: String? = nil, object: Int? = nil, facts: EventFacts
    ) -> TraceEvent {
        // A result belongs to the step, not to an object.
        let own = lane == .harness && name != .result ? self.object : nil
        return TraceEvent(
            lane: lane, task: task, object: object ?? own, name: name, argument: argument,
            family: lane == .proto ? .proto : nil, facts: facts)
    }

    func recordAnswer(_ answer: String, to question: EventName, of object: Int) {
        record(.harness, .answer, argument: answer, object: object, facts: [EventFact(.to, .text(question.rawValue))])
    }

    private func recordBlocked(_ milliseconds: Int) {
        record(
            .harness, .blocked, object: state.withLock { $0.busyObject },
            facts: [EventFact(.ms, .integer(milliseconds))])
    }

    /// Whether the program cancels at this moment, which is then recorded here.
    ///
    /// The count in `moment` is ignored: events are counted here.
    func isCancelled(at moment: Assignment.Moment, of object: Int) -> Bool {
        guard let wanted = program.cancelAt, wanted.word == moment.word else { return false }
        let wantedCount = if case .event(_, let count) = wanted { max(1, count) } else { 1 }
        let isNow = state.withLock { state in
            guard state.object == object else { return false }
            state.moments += 1
            return state.moments == wantedCount
        }
        if isNow { record(.harness, .cancel, object: object) }
        return isNow
    }
}

/// The class calls before the start of an object, and its making.
struct ProtocolPreparation {
    let run: ProtocolRun
    let number: Int

    enum Outcome {
        case refused(String)
        case made(Handover<URLProtocol>)
    }

    /// Asks the classes in turn (R60), then the one that accepts as R52 requires.
    ///
    /// Asks for the canonical form several times, to see whether the result is always the same.
    func prepare(_ request: URLRequest) -> Outcome {
        let makers = run.program.fault == .asksBackwards ? run.makers.reversed() : run.makers
        guard let maker = makers.first(where: { accepts(request, $0) }) else {
            let names = makers.map { $0.name ?? "\($0.protocolClass)" }.joined(separator: ", ")
            return .refused("\(names) \(makers.count == 1 ? "does" : "do") not take \(request.line)")
        }
        let canonical = run.program.fault == .skipsCanonicalForm ? request : canonicalForm(of: request, by: maker)
        if run.program.asksEquivalence { askEquivalence(of: request, canonical, by: maker) }
        if run.program.callsAtOnce { ProtocolHammer(run: run, maker: maker).call(with: request) }
        let number = number
        let client = ProtocolClientRecorder(
            recorder: run.recorder, object: number, task: run.task, fieldNames: run.program.fieldNames
        ) { [run] call in
            let isCancelled = run.isCancelled(at: .event(call.name.rawValue, count: 1), of: number)
            if case .cancelChallenge(let challenge) = call { run.withdraw(challenge) }
            let handed = Handover(value: call)
            run.client.post { $0.hear(handed.value, from: number, isCancelled: isCancelled) }
        }
        let event = run.record(
            .proto, .pInit, argument: maker.name, object: number, facts: [EventFact(.request, .text(canonical.line))])
        let object = maker.make(canonical, run.cachedResponse.value, client)
        run.recorder.recordReturn(of: event)
        return .made(Handover(value: object))
    }

    /// Asks about a request of the same form, and about one of another form.
    private func askEquivalence(of request: URLRequest, _ canonical: URLRequest, by maker: ProtocolMaker) {
        var others = [canonical]
        if let other = request.another {
            _ = canonicalForm(of: other, by: maker, expecting: nil)
            others.append(other)
        }
        for other in others {
            let isEquivalent = maker.protocolClass.requestIsCacheEquivalent(request, to: other)
            run.record(
                .proto, .pCacheEquivalent,
                facts: [
                    EventFact(.request, .text(request.line)), EventFact(.proposed, .text(other.line)),
                    EventFact(.accepts, .flag(isEquivalent)),
                ])
        }
    }

    private func accepts(_ request: URLRequest, _ maker: ProtocolMaker) -> Bool {
        let accepts = maker.protocolClass.canInit(with: request)
        run.record(
            .proto, .pCanInit, argument: maker.name,
            facts: [EventFact(.request, .text(request.line)), EventFact(.accepts, .flag(accepts))])
        return accepts || run.program.fault == .startsWhatWasDeclined
    }

    private func canonicalForm(of request: URLRequest, by maker: ProtocolMaker) -> URLRequest {
        let canonical = canonicalForm(of: request, by: maker, expecting: nil)
        _ = canonicalForm(of: request, by: maker, expecting: canonical)
        _ = canonicalForm(of: canonical, by: maker, expecting: canonical)
        return canonical
    }

    /// `expected` is the result of a pure and idempotent function.
    ///
    /// When neither method nor URL differs, the recorded line also names the part that differs.
    private func canonicalForm(
        of request: URLRequest, by maker: ProtocolMaker, expecting expected: URLRequest?
    ) -> URLRequest {
        let form = maker.protocolClass.canonicalRequest(for: request)
        let difference = expected.flatMap { form.line == $0.line ? form.difference(from: $0) : nil }
        run.record(
            .proto, .pCanonical,
            facts: [
                EventFact(.request, .text(request.line)),
                EventFact(.proposed, .text(form.line + (difference.map { ", \($0)" } ?? ""))),
            ])
        return form
    }
}

/// Calls a class from two threads at the same time, and makes and releases its objects, as any thread may (R48).
///
/// The threads begin each round together; otherwise, on a busy machine, the first thread may end before the second
/// begins. Each different answer is recorded once, after the threads have ended, so that R52 finds one that depends on
/// the thread.
struct ProtocolHammer: Sendable {
    let run: ProtocolRun
    let maker: ProtocolMaker

    private static let roundCount = 50
    /// A class that blocks its callers for this time is not waited for any longer.
    private static let longestWait = DispatchTimeInterval.seconds(10)

    private struct Answers {
        var accepts: Set<Bool> = []
        /// Canonical forms by request, both as lines.
        var forms: [String: Set<String>] = [:]
    }

    func call(with request: URLRequest) {
        let requests = Handover(value: [request, request.another ?? request])
        let answers = Locked(Answers())
        let group = DispatchGroup()
        let first = DispatchSemaphore(value: 0)
        let second = DispatchSemaphore(value: 0)
        for (number, (own, other)) in [(first, second), (second, first)].enumerated() {
            group.enter()
            Thread.detachNewThread {
                for round in 0..<Self.roundCount {
                    other.signal()
                    // A thread that the class blocks holds up the other one no longer than the whole call.
                    guard own.wait(timeout: .now() + Self.longestWait) == .success else { break }
                    call(requests.value[(number + round) % 2], into: answers)
                }
                group.leave()
            }
        }
        guard group.wait(timeout: .now() + Self.longestWait) == .success else {
            run.record(
                .harness, .blocked, facts: [EventFact(.message, .text("class calls from two threads do not return"))])
            return
        }
        record(answers.withLock { $0 }, of: request)
    }

    /// The object is never started, so nothing stops it.
    private func call(_ request: URLRequest, into answers: Locked<Answers>) {
        let type = maker.protocolClass
        let accepts = type.canInit(with: request)
        let form = type.canonicalRequest(for: request)
        if run.program.asksEquivalence { _ = type.requestIsCacheEquivalent(request, to: form) }
        answers.withLock { answers in
            answers.accepts.insert(accepts)
            answers.forms[request.line, default: []].insert(form.line)
        }
        let client = ProtocolClientRecorder(recorder: run.recorder, object: -1, task: run.task) { _ in }
        _ = maker.make(form, nil, client)
    }

    private func record(_ answers: Answers, of request: URLRequest) {
        for accepts in answers.accepts.sorted(by: { $0 && !$1 }) {
            run.record(
                .proto, .pCanInit, argument: maker.name,
                facts: [EventFact(.request, .text(request.line)), EventFact(.accepts, .flag(accepts))])
        }
        for (line, forms) in answers.forms.sorted(by: { $0.key < $1.key }) {
            for form in forms.sorted() {
                run.record(
                    .proto, .pCanonical,
                    facts: [EventFact(.request, .text(line)), EventFact(.proposed, .text(form))])
            }
        }
    }
}

extension URLRequest {
    /// The request with another query, and so for another resource; nil when its URL can't be read.
    var another: URLRequest? {
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        parts.percentEncodedQuery = (parts.percentEncodedQuery.map { $0 + "&" } ?? "") + "proctor=another"
        guard let changed = parts.url else { return nil }
        var request = self
        request.url = changed
        return request
    }
}
