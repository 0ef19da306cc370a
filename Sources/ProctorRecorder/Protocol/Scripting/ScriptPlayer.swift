internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Goes through a script, call by call, and waits between them without keeping a thread from its run loop.
final class ScriptPlayer: Sendable {
    let load: ScriptedLoad?
    private let state: Locked<ScriptPosition>
    private let objectNumber = Locked(0)

    /// A pause is over at the next of these moments.
    private static let interval = 0.005
    /// Where no run loop runs, a script that waits in vain is given up after so many of them: a minute.
    private static let mostTurns = 12_000

    init(_ load: ScriptedLoad?) {
        self.load = load
        state = Locked(ScriptPosition(load?.calls ?? []))
    }

    /// In the trace of the script's recorder.
    var number: Int {
        get { objectNumber.withLock { $0 } }
        set { objectNumber.withLock { $0 = newValue } }
    }

    func start(_ object: URLProtocol) {
        guard load != nil else {
            let error = ScriptedCall.failure("the script of \(object.request.line) is gone: keep its ScriptedLoad")
            object.client?.urlProtocol(object, didFailWithError: error)
            return
        }
        state.withLock { $0.isStopped = false }
        guard !play(object) else { return }
        let reference = WeakReference<URLProtocol>(object)
        if RunLoop.current.currentMode == nil {
            playElsewhere(reference)
        } else {
            let timer = Timer(timeInterval: Self.interval, repeats: true) { [self] timer in
                guard let object = reference.object, !play(object) else { return timer.invalidate() }
            }
            RunLoop.current.add(timer, forMode: .default)
        }
    }

    /// Calls that come after the stop on purpose need the object, which then lives until they are made.
    func stop(_ object: URLProtocol) {
        let kept = Handover(value: object)
        state.withLock { state in
            state.isStopped = true
            if state.goesOnAfterStop { state.kept = kept }
        }
    }

    /// The open challenge has its answer.
    func answered() { state.withLock { $0.isAnswered = true } }

    /// Plays as far as it gets; true at the end.
    private func play(_ object: URLProtocol) -> Bool {
        while true {
            switch state.withLock({ $0.next(at: MonotonicClock.nanoseconds) }) {
            case .call(let call):
                if call.isOnOtherThread {
                    performElsewhere(call, for: object)
                } else {
                    perform(call, for: object)
                }
            case .pause: return false
            case .end:
                state.withLock { $0.letGo() }
                return true
            }
        }
    }

    private func playElsewhere(_ reference: WeakReference<URLProtocol>) {
        Thread.detachNewThread { [self] in
            let never = DispatchSemaphore(value: 0)
            for _ in 0..<Self.mostTurns {
                guard let object = reference.object, !play(object) else { return }
                _ = never.wait(timeout: .now() + Self.interval)
            }
        }
    }

    private func performElsewhere(_ call: Assignment.ProtocolCall, for object: URLProtocol) {
        state.withLock { $0.waiting = .otherThread }
        let handed = Handover(value: object)
        Thread.detachNewThread { [self] in
            perform(call, for: handed.value)
            state.withLock { state in
                if case .otherThread = state.waiting { state.waiting = .nothing }
            }
        }
    }

    private func perform(_ call: Assignment.ProtocolCall, for object: URLProtocol) {
        let scripted = ScriptedCall(call, of: object, player: self)
        switch call.call {
        case "wait":
            let end = MonotonicClock.nanoseconds &+ scripted.nanoseconds
            state.withLock { $0.waiting = .until(end) }
        case "await-answer": state.withLock { $0.waiting = $0.isRedirecting ? .stop : .answer }
        case "await-stop": state.withLock { $0.waiting = .stop }
        case "block":
            Thread.sleep(forTimeInterval: Double(scripted.nanoseconds) / 1e9)
            if !call.isOnOtherThread { recordBlocked(scripted.nanoseconds) }
        default:
            switch scripted.meaning() {
            case .call(let made): make(made, for: object)
            case .nonsense(let reason):
                load?.recorder?.record(
                    TraceEvent(lane: .harness, task: load?.task ?? 0, name: .unimplemented, argument: reason))
                state.withLock { $0.giveUp() }
                make(.fail(ScriptedCall.failure(reason)), for: object)
            }
        }
    }

    /// A loader's own thread has nobody who sees that it stood still.
    private func recordBlocked(_ nanoseconds: UInt64) {
        load?.recorder?.record(
            TraceEvent(
                lane: .harness, task: load?.task ?? 0, object: number, name: .blocked,
                facts: [EventFact(.ms, .integer(Int(clamping: nanoseconds / 1_000_000)))]))
    }

    private func make(_ call: ProtocolClientCall, for object: URLProtocol) {
        guard let client = object.client else { return }
        let event = load?.recorder?.record(call.event(task: load?.task ?? 0, object: number))
        call.make(on: client, by: object)
        if let event { load?.recorder?.recordReturn(of: event) }
    }

    // MARK: For ScriptedCall

    /// Remembers the challenge that a later call withdraws.
    func open(_ challenge: URLAuthenticationChallenge) {
        let handed = Handover(value: challenge)
        state.withLock { state in
            state.isAnswered = false
            state.challenge = handed
            state.challengeCount += 1
        }
    }

    var challenge: URLAuthenticationChallenge? { state.withLock { $0.challenge }?.value }

    var challengeCount: Int { state.withLock { $0.challengeCount } }

    /// What another object has to play if this redirect is followed: all behind the next wait.
    func handOver() -> ArraySlice<Assignment.ProtocolCall>? { state.withLock { $0.handOver() } }
}
