internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What the threads of one run share: the trace, the program and the caller who waits.
final class ProtocolRun: Sendable {
    let recorder: TraceRecorder
    /// The step in whose name it loads.
    let task: Int
    let maker: ProtocolMaker
    let program: ProtocolProgram
    let cachedResponse: Handover<CachedURLResponse?>
    let heart: Heart
    let client: ClientThread<ProtocolLoad>
    private let onlooker: Onlooker
    private let deadline: Duration
    private let state: Locked<State>

    private struct State {
        var nextObject = 0
        /// The one whose word counts.
        var object = 0
        /// The one that was started or stopped last, which has the client thread.
        var busyObject = 0
        /// Events of the program's moment so far.
        var moments = 0
        /// Challenges that need no answer any more.
        var withdrawn: [ObjectIdentifier: Handover<URLAuthenticationChallenge>] = [:]
        var isClosed = false
        var caller: CheckedContinuation<[TraceEvent], Never>?
    }

    init(
        _ maker: ProtocolMaker, program: ProtocolProgram, cachedResponse: CachedURLResponse?,
        deadline: Duration, place: TracePlace = TracePlace()
    ) {
        recorder = place.recorder
        task = place.task
        state = Locked(State(nextObject: place.firstObject, object: place.firstObject, busyObject: place.firstObject))
        self.maker = maker
        self.program = program
        self.cachedResponse = Handover(value: cachedResponse)
        self.deadline = deadline
        heart = Heart(threshold: program.blockedThreshold)
        client = ClientThread(heart: heart) { $0.lookRound() }
        onlooker = Onlooker(heart: heart, deadline: deadline)
    }

    /// Returns at once; the continuation is resumed exactly once, at the deadline if not before.
    func start(_ request: URLRequest, for caller: CheckedContinuation<[TraceEvent], Never>) {
        let isTooLate = state.withLock { state in
            if !state.isClosed { state.caller = caller }
            return state.isClosed
        }
        if isTooLate { return caller.resume(returning: events) }
        client.start { ProtocolLoad(self) }
        onlooker.start { [self] in
            recordBlocked($0)
        } late: { [self] in
            giveUp()
        }
        client.post { $0.begin(request) }
    }

    /// The caller waits no longer: the trace ends here, and the object is stopped behind its end.
    func giveUp(_ reason: String? = nil) {
        var facts: EventFacts = [EventFact(.message, .text(reason ?? "no end within \(deadline)"))]
        facts.add(.ms, reason == nil ? Int(clamping: deadline.wholeNanoseconds / 1_000_000) : nil)
        close(result: facts)
        client.post { $0.abandon() }
    }

    /// Ends the trace with what came of the load; the first one who closes it decides.
    func close(result facts: EventFacts) {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        for milliseconds in heart.finish() { recordBlocked(milliseconds) }
        recorder.close(with: event(.harness, .result, facts: facts))
        let events = events
        onlooker.end()
        state.withLock { state in
            defer { state.caller = nil }
            return state.caller
        }?.resume(returning: events)
    }

    /// Of this load.
    private var events: [TraceEvent] { recorder.events.filter { $0.task == task } }

    /// Another object takes the load over.
    func makeObject() -> Int {
        state.withLock { state in
            state.object = state.nextObject
            state.nextObject += 1
            return state.object
        }
    }

    var object: Int { state.withLock { $0.object } }

    /// The client thread is about to be an object's.
    func giveThread(to object: Int) { state.withLock { $0.busyObject = object } }

    /// Holds from this very moment, even if the answer is on its way already.
    func withdraw(_ challenge: URLAuthenticationChallenge) {
        // Kept until the end, so that no other challenge gets its address.
        let handed = Handover(value: challenge)
        state.withLock { $0.withdrawn[ObjectIdentifier(handed.value)] = handed }
    }

    func isWithdrawn(_ challenge: URLAuthenticationChallenge) -> Bool {
        let identity = ObjectIdentifier(challenge)
        return state.withLock { $0.withdrawn[identity] != nil }
    }

    @discardableResult
    func record(
        _ lane: Lane, _ name: EventName, _ argument: String? = nil, object: Int? = nil, facts: EventFacts = []
    ) -> TraceEvent {
        recorder.record(event(lane, name, argument, object: object, facts: facts))
    }

    private func event(
        _ lane: Lane, _ name: EventName, _ argument: String? = nil, object: Int? = nil, facts: EventFacts
    ) -> TraceEvent {
        // A result is the step's, and no object's.
        let own = lane == .harness && name != .result ? self.object : nil
        return TraceEvent(
            lane: lane, task: task, object: object ?? own, name: name, argument: argument,
            family: lane == .proto ? .proto : nil, facts: facts)
    }

    func answer(_ answer: String, to question: EventName, of object: Int) {
        record(.harness, .answer, answer, object: object, facts: [EventFact(.to, .text(question.rawValue))])
    }

    private func recordBlocked(_ milliseconds: Int) {
        record(
            .harness, .blocked, object: state.withLock { $0.busyObject },
            facts: [EventFact(.ms, .integer(milliseconds))])
    }

    /// Whether this is the moment at which the program cancels; written down here and now, if it is.
    func isCancelled(at event: String, of object: Int) -> Bool {
        guard let moment = program.cancelAt, moment.event == event else { return false }
        let isNow = state.withLock { state in
            guard state.object == object else { return false }
            state.moments += 1
            return state.moments == max(1, moment.count)
        }
        if isNow { record(.harness, .cancel, object: object) }
        return isNow
    }
}
