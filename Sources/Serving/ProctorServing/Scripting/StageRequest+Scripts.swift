internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

// Replies of scripts; each step of a script is done on the connection's loop.
extension StageRequest {
    /// Runs a script to its answer or its first step.
    func run(_ script: ReplyScript, _ part: PlayedPart, for view: RequestView) -> ScriptedReply {
        // What a module plays by itself has no text, which is asked first since a cast costs more.
        if script.script.text.isEmpty, let program = script.script.program as? any ReplyProgram {
            noteWork(view.head)
            let request = ScriptRequest(stage, view, exchange: part.exchange, numbers, memory: memory, log: log)
            return program.reply(to: request).keeping(persistence(of: part))
        }
        guard let all = stage.scripts else { return .failure("the scenario has no scripts") }
        do throws(ScriptFault) {
            noteWork(view.head)
            let scripts = try all.scripts(on: wire.loop) { wire.noteStep(.libraries) }
            wire.noteStep(.script, exchange: part.exchange)
            let request = ScriptRequest(
                stage, view, exchange: part.exchange, numbers, memory: memory, log: log,
                takesShortReplies: isPlain(part) && Carrier.writesBytes)
            return scripts.reply(by: script, request).keeping(persistence(of: part))
        } catch {
            return .failure(error.message)
        }
    }

    /// Does the steps of a script until it has answered; `begun` is what it has come to already.
    ///
    /// `sections` is given on a stream, where what the script sends is read as a reply.
    func finish(
        _ script: ReplyScript, _ begun: ScriptedReply?, _ part: PlayedPart, for view: RequestView,
        _ cursor: inout ReplyCursor, _ sections: inout SteppedSections?
    ) async throws(ConnectionEnd) -> ScriptedReply {
        var scripted = begun ?? run(script, part, for: view)
        var replies = SteppedReplies(to: Array(view.head.methodBytes))
        var content = ContentPieces(of: self, part, for: view.head)
        /// How the client has left, once a step has told the script so.
        var toldEnd: ConnectionEnd?
        var countAfterEnd = 0
        while case .step(let step, let call) = scripted {
            var result = StepResult.nothing
            do throws(ConnectionEnd) {
                if let toldEnd { throw toldEnd }
                switch step {
                case .effect(let action):
                    log.append(.effectPlayed(action.row.played(at: "script")))
                    if let reply = try sections?.reply(of: action) {
                        cursor.beginPlan(reply)
                        try await cursor.playToEnd(on: wire)
                    } else {
                        if sections == nil {
                            for reply in replies.begun(by: action) { log.append(.replyBegun(reply)) }
                        }
                        try await cursor.perform(action, on: wire)
                    }
                    if action.outlivesClient { result = .flag(true) }
                case .read(let count):
                    result = try await content.next(upTo: count, isAnswered: cursor.sentByteCount > 0)
                    log.append(.effectPlayed(result.played))
                case .pause:
                    await wire.loop.yieldToOthers()
                    try wire.requireOpen()
                }
            } catch {
                guard error.isOfPeer, countAfterEnd < StepResult.countAfterEnd, let after = step.resultAfterEnd else {
                    call.abandon()
                    throw error
                }
                // The script goes on, so that a loop which asks whether the client is there comes to its end.
                countAfterEnd += 1
                (toldEnd, result) = (error, after)
            }
            noteWork(view.head)
            wire.noteStep(.script, exchange: part.exchange)
            scripted = call.resume(with: result).keeping(persistence(of: part))
        }
        if sections == nil { for reply in replies.rest() { log.append(.replyBegun(reply)) } }
        if let toldEnd { throw toldEnd }
        return scripted
    }

    /// The fixture's word on the connection.
    func persistence(of part: PlayedPart) -> Reply.Persistence {
        guard case .turn(let turn) = part.reply else { return .usual }
        return stage.compiled.replies[stage.compiled.firstReplyNumber[part.exchange] + turn].persistence
    }

    /// Whether nothing but the script decides about the bytes.
    private func isPlain(_ part: PlayedPart) -> Bool { !part.hasInfos && stage.recutting == nil }
}

extension ScriptedReply {
    /// The word of the fixture on the connection, unless the script says its own.
    fileprivate func keeping(_ former: Reply.Persistence) -> ScriptedReply {
        guard former != .usual, case .reply(let reply) = self, reply.persistence == .usual else { return self }
        return .reply(
            Reply(
                message: reply.message, effects: reply.effects, rawSlicing: reply.rawSlicing,
                rawTunnel: reply.rawTunnel, persistence: former, opaque: reply.opaque, sets: reply.sets,
                location: reply.location))
    }
}

extension Wire {
    /// Runs the script of an exchange, which must answer at once with true or false.
    func scriptAsker(
        _ view: RequestView, of stage: Stage
    ) -> (Exchange, FixtureScript) -> Result<Bool, ScriptFault> {
        { [unowned self] exchange, script in
            let numbers = RequestNumbers(
                seed: stage.seed, clock: stage.clock, connection: journals.attachment(to: stage)?.number ?? 0,
                request: 0, source: self)
            let request = ScriptRequest(
                stage, view, exchange: exchange.index, numbers, memory: journals.attachment(to: stage)?.memory,
                log: nil)
            do throws(ScriptFault) {
                guard let all = stage.scripts else { return .success(false) }
                let scripts = try all.scripts(on: loop) { noteStep(.libraries) }
                noteStep(.condition, exchange: exchange.index)
                return scripts.isWanted(by: script, request)
            } catch {
                return .failure(error)
            }
        }
    }
}
