internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorScript
internal import ProctorServing
internal import ProctorWebSocket

/// A script that is a turn of a WebSocket: what it does next, and what its steps return; on the loop's thread only.
final class TurnScript {
    private let script: ReplyScript
    private let request: ConversationRequest
    private let log: RequestLog
    private let socket: ScriptedSocket
    private let waiter: SyncWaiter
    private var alarm: InputAlarm?
    private var scripts: LoopScripts?
    /// The call that waits for its step; nil before the script begins and when it is over.
    private var call: ScriptCall?
    private var step: ScriptStep?
    /// What the step returns; nil while it is not done.
    private var results: [ScriptValue]?
    /// Messages of the client that came while the script waited.
    private var kept: [ScriptMessage] = []
    private var keptByteCount = 0
    private var closeCode: CloseCode?
    /// Steps since others had their turn.
    private var stepCount = 0

    enum Act {
        case send(ScriptMessage)
        case close(CloseCode?, reason: [UInt8])
        case receive(within: Duration?)
        case wait(Duration)
        case effect(Effect.Action)
        case over
        /// With file and line.
        case failed(String)
    }

    /// nil where the scenario has no scripts.
    init?(_ script: ReplyScript, of request: ConversationRequest, _ log: RequestLog) {
        guard let channels = request.stage.channels else { return nil }
        let waiter = SyncWaiter(request.wire)
        (self.script, self.request, self.log, self.waiter) = (script, request, log, waiter)
        socket = ScriptedSocket(channels) { waiter.wake() }
    }

    // MARK: Steps

    /// So many steps are done before others have their turn.
    private static var turnStepLimit: Int { 64 }

    var hasTurn: Bool { stepCount < Self.turnStepLimit }

    func beginTurn() { stepCount = 0 }

    /// Lets the script go on to its next step.
    func next() -> Act {
        stepCount += 1
        if let step, results == nil { return act(of: step) }
        request.noteWork()
        switch resume() {
        case .step(let step, let call):
            (self.step, self.call) = (step, call)
            return act(of: step)
        case .failure(let failure): return fail(failure.message)
        case .answer(.nothing):
            call = nil
            return .over
        case .answer:
            return fail(
                "\(script.script.source.name): the script of a turn returns a value, which nothing takes; it sends with send"
            )
        }
    }

    /// The last step was not done, and is the next one again.
    func doAgain() { stepCount -= 1 }

    private func resume() -> ScriptState.Outcome {
        let results = results.take() ?? []
        step = nil
        if let call, let scripts {
            request.noteScript()
            return scripts.state.resume(call, with: results.first ?? .none, Array(results.dropFirst()))
        }
        do throws(ScriptFailure) {
            guard let all = request.stage.scripts else { throw ScriptFailure("the scenario has no scripts") }
            let scripts = try all.scripts(on: request.wire.loop) { request.noteLibraries() }
            self.scripts = scripts
            request.noteScript()
            return scripts.start(script.script, for: request.host(of: script.script.location, on: socket))
        } catch {
            return .failure(error)
        }
    }

    private func act(of step: ScriptStep) -> Act {
        switch step {
        case .sendMessage(let message): return .send(message)
        case .sendClose(let code, let reason): return .close(code.map { CloseCode(rawValue: $0) }, reason: reason)
        case .receive(let limit): return .receive(within: limit)
        case .wait(let duration): return .wait(duration)
        default:
            do throws(ScriptFailure) {
                guard let action = try script.tables.action(of: step, of: script.script) else {
                    return fail("\(script.script.source.name): the step has no meaning on a WebSocket")
                }
                return .effect(action)
            } catch {
                return fail("\(script.script.source.name): \(error.message)")
            }
        }
    }

    private func fail(_ sentence: String) -> Act {
        abandon()
        return .failed(sentence)
    }

    private func abandon() {
        if let call { scripts?.state.abandon(call) }
        (call, step) = (nil, nil)
    }

    // MARK: Results

    /// What the present step returns.
    func answerStep(_ results: ScriptValue...) {
        alarm.take()?.cancelAlarm()
        self.results = results
    }

    /// `channel`: that of the message; nil: it is the client's.
    func answerStep(_ message: ScriptMessage, from channel: [UInt8]?) {
        if let call, let scripts { scripts.state.beginPart(of: call) }
        answerStep(.text(message.content), .text(message.kind.rawValue), channel.map { .text($0) } ?? ScriptValue.none)
    }

    func noteClose(_ code: CloseCode?) { closeCode = code }

    /// Answers a wait for a message with what came before: of the client, then of channels, then its Close.
    func answerByKept(hasClosed: Bool) -> Bool {
        if !kept.isEmpty {
            let message = kept.removeFirst()
            keptByteCount -= message.content.count
            answerStep(message, from: nil)
        } else if hasClosed {
            answerStep(.none, .text("close"), .none, closeCode.map { .whole(Int64($0.rawValue)) } ?? ScriptValue.none)
        } else if let arrival = socket.takeArrival() {
            answerStep(arrival.message, from: arrival.channel)
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
    func keepMessage(_ message: ScriptMessage) {
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
        socket.leaveChannels()
        waiter.close()
    }

    private func runToEnd(after end: ConnectionEnd) {
        if case .stopped = end { return }
        for _ in 0..<ScriptStep.countAfterEnd {
            guard let step else { return }
            if results == nil {
                guard let after = step.resultsAfterEnd else { return }
                results = after
            }
            switch next() {
            case .over: return
            case .failed(let sentence): return log.append(.replyFailed(FailedReply(sentence)))
            case .send, .close, .receive, .wait, .effect: break
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
