internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorWebSocket

/// A script that is a turn of a WebSocket: what it does next, and what its steps return; on the loop's thread only.
final class TurnScript {
    private let script: ReplyScript
    private let request: ConversationRequest
    private let log: RequestLog
    private let waiter: SyncWaiter
    private var alarm: InputAlarm?
    /// The call that waits for its step; nil before the script begins and when it is over.
    private var call: (any TurnCall)?
    private var step: TurnStep?
    /// What the step returns; nil while it is not done.
    private var result: StepResult?
    /// Messages of the client that came while the script waited.
    private var kept: [TurnMessage] = []
    private var keptByteCount = 0
    private var closeCode: CloseCode?
    /// Steps since others had their turn.
    private var stepCount = 0

    enum Act {
        case step(TurnStep)
        case over
        /// With file and line.
        case failed(String)
    }

    /// nil where the scenario has no scripts.
    init?(_ script: ReplyScript, of request: ConversationRequest, _ log: RequestLog) {
        guard request.stage.scripts != nil else { return nil }
        let waiter = SyncWaiter(request.wire)
        (self.script, self.request, self.log, self.waiter) = (script, request, log, waiter)
    }

    // MARK: Steps

    /// So many steps are done before others have their turn.
    private static var turnStepLimit: Int { 64 }

    var hasTurn: Bool { stepCount < Self.turnStepLimit }

    func beginTurn() { stepCount = 0 }

    /// Lets the script go on to its next step.
    func next() -> Act {
        stepCount += 1
        if let step, result == nil { return .step(step) }
        request.noteWork()
        switch resume() {
        case .step(let step, let call):
            (self.step, self.call) = (step, call)
            return .step(step)
        case .failure(let sentence):
            abandon()
            return .failed(sentence)
        case .over:
            call = nil
            return .over
        }
    }

    /// The last step was not done, and is the next one again.
    func doAgain() { stepCount -= 1 }

    private func resume() -> ScriptedTurn {
        let result = result.take() ?? .nothing
        step = nil
        if let call {
            request.noteScript()
            return call.resume(with: result)
        }
        do throws(ScriptFault) {
            guard let all = request.stage.scripts else { throw ScriptFault("the scenario has no scripts") }
            let scripts = try all.scripts(on: request.wire.loop) { request.noteLibraries() }
            request.noteScript()
            return scripts.turn(by: script, request.scriptRequest) { [waiter] in waiter.wake() }
        } catch {
            return .failure(error.message)
        }
    }

    private func abandon() {
        call?.abandon()
        (call, step) = (nil, nil)
    }

    // MARK: Results

    /// What the present step returns.
    func answerStep(_ result: StepResult) {
        alarm.take()?.cancelAlarm()
        if case .message = result { call?.beginPart() }
        self.result = result
    }

    func noteClose(_ code: CloseCode?) { closeCode = code }

    /// Answers a wait for a message with what came before: of the client, then of channels, then its Close.
    func answerByKept(hasClosed: Bool) -> Bool {
        if !kept.isEmpty {
            let message = kept.removeFirst()
            keptByteCount -= message.content.count
            answerStep(.message(message, channel: nil))
        } else if hasClosed {
            answerStep(.noMessage(.close, closeCode: closeCode?.rawValue))
        } else if let arrival = call?.takeArrival() {
            answerStep(arrival)
        } else {
            return false
        }
        return true
    }

    /// With so many messages, or bytes of them, nothing more is read while the script waits.
    private static var keptLimit: (count: Int, byteCount: Int) { (1_000, 1 << 20) }

    /// Whether no more is to be read before the wait is over.
    var isFull: Bool { kept.count >= Self.keptLimit.count || keptByteCount >= Self.keptLimit.byteCount }

    /// Keeps a message of the client until the script asks for it.
    func keepMessage(_ message: TurnMessage) {
        kept.append(message)
        keptByteCount += message.content.count
    }

    /// Wakes the conversation at that moment, since waits for input end late.
    func setAlarm(at moment: UInt64) {
        alarm?.cancelAlarm()
        alarm = InputAlarm(waiter, at: moment, on: request.wire.loop)
    }

    // MARK: Its end

    /// The conversation is over: a script that is not learns so by each step, and runs to its end; nil: the script has ended.
    func finish(after end: ConnectionEnd?) {
        alarm.take()?.cancelAlarm()
        if let end { runToEnd(after: end) }
        abandon()
        waiter.close()
    }

    private func runToEnd(after end: ConnectionEnd) {
        if case .stopped = end { return }
        for _ in 0..<StepResult.countAfterEnd {
            guard let step else { return }
            if result == nil {
                guard let after = step.resultAfterEnd else { return }
                result = after
            }
            switch next() {
            case .over: return
            case .failed(let sentence): return log.append(.replyFailed(FailedReply(sentence)))
            case .step: break
            }
        }
    }
}

/// Ends a wait for input at a moment; the loop's own end of such waits is up to 50 ms late.
final class InputAlarm {
    private let state: LoopBound<State>

    private final class State {
        let pause: LoopPause
        var isOver = false

        init(on loop: EventLoop) { pause = LoopPause(on: loop) }
    }

    /// On the loop's thread; the moment is one of MonotonicClock, in nanoseconds.
    init(_ waiter: SyncWaiter, at moment: UInt64, on loop: EventLoop) {
        let state = LoopBound(State(on: loop), on: loop)
        self.state = state
        // Ended by its owner at the latest when the conversation ends.
        Task(executorPreference: loop) {
            guard !state.value.isOver else { return }
            if await !state.value.pause.wait(until: moment) { waiter.wake() }
        }
    }

    func cancelAlarm() {
        state.value.isOver = true
        state.value.pause.resume()
    }
}
