internal import ProctorReplies
internal import ProctorScenario
internal import ProctorScript

extension CompiledProgram {
    /// What a script that is a turn of a WebSocket has come to; `call` is that which has waited, nil at its first step.
    func turn(_ outcome: ScriptState.Outcome, on socket: ScriptedSocket, behind call: LuaTurnCall?) -> ScriptedTurn {
        switch outcome {
        case .step(let step, let present):
            switch turnStep(step) {
            case .success(let step): return .step(step, call ?? LuaTurnCall(self, present, socket))
            case .failure(let failure):
                state.abandon(present)
                socket.leaveChannels()
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
        default: return effect(of: step, "on a WebSocket").map { .effect($0) }
        }
    }
}

/// A script that is a turn of a WebSocket and waits for a step of it.
final class LuaTurnCall: TurnCall {
    private let program: CompiledProgram
    private let call: ScriptCall
    private let socket: ScriptedSocket
    private var isOver = false

    init(_ program: CompiledProgram, _ call: ScriptCall, _ socket: ScriptedSocket) {
        (self.program, self.call, self.socket) = (program, call, socket)
    }

    func resume(with result: StepResult) -> ScriptedTurn {
        let scripted = program.turn(program.state.resume(call, returning: result), on: socket, behind: self)
        if case .step = scripted { return scripted }
        isOver = true
        return scripted
    }

    func abandon() {
        guard !isOver else { return }
        isOver = true
        program.state.abandon(call)
        socket.leaveChannels()
    }

    func beginPart() { program.state.beginPart(of: call) }

    func takeArrival() -> StepResult? {
        socket.takeArrival().map { .message(TurnMessage($0.message), channel: $0.channel) }
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

extension ScriptMessage.Kind {
    init(_ kind: TurnMessage.Kind) {
        self =
            switch kind {
            case .text: .text
            case .binary: .binary
            case .ping: .ping
            case .pong: .pong
            }
    }
}
