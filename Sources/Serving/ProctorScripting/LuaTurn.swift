internal import ProctorReplies
internal import ProctorScenario
internal import ProctorScript

extension CompiledProgram {
    /// What a script that is a turn of a WebSocket has come to; `call` is that which has waited, nil at its first step.
    func turn(_ outcome: ScriptState.Outcome, on socket: ScriptedSocket, behind call: LuaTurnCall?) -> ScriptedTurn {
        switch outcome {
        case .step(let step, let present):
            let waiting = call ?? LuaTurnCall(self, present, socket)
            switch turnStep(step) {
            case .success(let step): return .step(step, waiting)
            case .failure(let failure):
                waiting.abandon()
                return .failure("\(name): \(failure.message)")
            }
        case .failure(let failure):
            socket.leaveChannels()
            return .failure(failure.message)
        case .answer(let answer):
            socket.leaveChannels()
            if case .nothing = answer { return .over }
            return .failure("\(name): the script of a turn returns a value, which nothing takes; it sends with send")
        }
    }

    private func turnStep(_ step: ScriptStep) -> Result<TurnStep, ScriptFailure> {
        switch step {
        case .sendMessage(let message): return .success(.send(TurnMessage(message)))
        case .sendClose(let code, let reason): return .success(.close(code: code, reason: reason))
        case .receive(let limit): return .success(.receive(within: limit))
        case .wait(let duration): return .success(.wait(duration))
        case .pause: return .success(.pause)
        default: return effect(of: step, "on a WebSocket").map { .effect($0) }
        }
    }
}

final class LuaTurnCall: LuaCall<ScriptedSocket>, TurnCall {
    func resume(with result: StepResult) -> ScriptedTurn {
        program.turn(outcome(behind: result), on: host, behind: self)
    }

    override func abandon() {
        super.abandon()
        host.leaveChannels()
    }

    func beginPart() { program.state.beginPart(of: call) }

    func takeArrival() -> StepResult? {
        host.takeArrival().map { .message(TurnMessage($0.message), channel: $0.channel) }
    }
}

extension TurnMessage {
    fileprivate init(_ message: ScriptMessage) {
        let kind: Kind =
            switch message.kind {
            case .text: .text
            case .binary: .binary
            case .ping: .ping
            case .pong: .pong
            }
        self.init(kind, message.content)
    }
}
