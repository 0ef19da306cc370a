internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorWebSocket

/// The turns of a conversation that are scripts.
extension WebSocketConversation {
    /// Does the next step of the script; a step of the conversation where that waits.
    func playStep(of script: TurnScript) throws(ConnectionEnd) -> Step? {
        if let step = flushBeforeLong() { return step }
        guard script.hasTurn else {
            script.beginTurn()
            return flush() ?? .yield
        }
        switch script.next() {
        case .step(.send(let message)): return try send(message, of: script)
        case .step(.close(let code, let reason)):
            if mayStillSend { sendClose(code.map { CloseCode(rawValue: $0) }, reason: reason) }
            script.answerStep(.nothing)
        case .step(.receive(let limit)):
            deadline = limit.map { Socket.deadline(within: $0.wholeNanoseconds) }
            // It may last for ever, so a server that stops does not wait for it.
            if limit == nil { received.isAtRest = true }
            phase = limit == nil ? .listening : .receiving
            if let deadline { script.setAlarm(at: deadline) }
        case .step(.wait(let duration)): return wait(duration, of: script)
        case .step(.pause):
            script.answerStep(.nothing)
            return flush() ?? .yield
        case .step(.effect(let action)):
            if let step = flush() {
                script.doAgain()
                return step
            }
            return .apart { () async throws(ConnectionEnd) in
                try await self.perform(action, at: "script")
                script.answerStep(.flag(true))
            }
        case .over:
            finishScript(script)
            endTurn()
        case .failed(let sentence):
            log.append(.replyFailed(FailedReply(sentence)))
            finishScript(script)
            fail(.internalError, "the script of this WebSocket failed", got: sentence)
        }
        return nil
    }

    private func finishScript(_ script: TurnScript) {
        script.finish(after: nil)
        running = nil
    }

    /// Whether a frame can follow (RFC 6455 §5.5.1: none follows a Close).
    private var mayStillSend: Bool { !hasSentClose && wire.isWritable }

    private func send(_ message: TurnMessage, of script: TurnScript) throws(ConnectionEnd) -> Step? {
        let maySend = mayStillSend && !input.hasClosed
        script.answerStep(.flag(maySend))
        guard maySend else { return nil }
        switch message.kind {
        case .ping: output.append(WebSocketFrame(.ping, payload: message.content), to: &written)
        case .pong: output.append(WebSocketFrame(.pong, payload: message.content), to: &written)
        case .text, .binary:
            let form = WebSocketMessage(.literal([]), isText: message.kind == .text)
            if output.isDeflatedInTurns(form, message.content) { return sendApart(form, message.content) }
            try output.append(form, content: message.content, to: &written)
        }
        return sendsAtOnce ? nil : flush()
    }

    /// Reads what comes meanwhile, so that a Close ends the wait.
    private func wait(_ duration: Duration, of script: TurnScript) -> Step? {
        guard !input.hasClosed else {
            script.answerStep(.flag(false))
            return nil
        }
        if let step = flush() {
            script.doAgain()
            return step
        }
        log.append(.effectPlayed(Effect.Action.wait(duration).row.played(at: "script")))
        let end = Socket.deadline(within: duration.wholeNanoseconds)
        deadline = end
        phase = .pausing
        script.setAlarm(at: end)
        return nil
    }

    /// Waits on while the script has as much as is kept for it.
    func waitWithoutReading(until end: UInt64) -> Step {
        .apart { () async throws(ConnectionEnd) in
            try await self.wire.pause(until: end)
            _ = self.endScriptsWait()
        }
    }

    /// Ends a wait of the script whose time is over; false where it has none.
    func endScriptsWait() -> Bool {
        guard let script = running else { return false }
        switch phase {
        case .receiving: script.answerStep(.noMessage(.timeout))
        case .pausing: script.answerStep(.flag(true))
        case .turn, .expecting, .echoing, .scripting, .listening, .resting: return false
        }
        phase = .scripting
        deadline = nil
        return true
    }

    /// Answers a script that waits for a message with what has come before.
    func answerByWhatIsKept(_ script: TurnScript) {
        guard phase == .receiving || phase == .listening, script.answerByKept(hasClosed: input.hasClosed) else {
            return
        }
        phase = .scripting
    }

    /// Gives the script what has come, or keeps it until the script asks for it.
    func giveToScript(_ arrival: WebSocketArrival) {
        guard let script = running else { return }
        switch arrival {
        case .message(let content, let isText):
            let message = TurnMessage(isText ? .text : .binary, content)
            if phase != .pausing {
                script.answerStep(.message(message, channel: nil))
                phase = .scripting
            } else {
                script.keepMessage(message)
            }
        case .close(let code, _):
            script.noteClose(code)
            guard phase == .pausing else { return }
            script.answerStep(.flag(false))
            phase = .scripting
        case .control: break
        }
    }
}
