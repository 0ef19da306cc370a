internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorScript

// Replies of scripts; each step of a script is done on the connection's loop.
extension StageRequest {
    /// Runs a script to its answer or its first step.
    func run(_ script: ReplyScript, _ part: PlayedPart, for view: RequestView) -> ScriptedReply {
        guard let all = stage.scripts else { return .failure("the scenario has no scripts") }
        do throws(ScriptFailure) {
            noteWork(view.head)
            let scripts = try all.scripts(on: wire.loop) { wire.noteStep(.libraries) }
            wire.noteStep(.script, exchange: part.exchange)
            let request = ScriptedRequest(
                stage, view, stage.compiled.exchanges[part.exchange], numbers, memory: memory, log: log,
                place: script.script.location)
            return ScriptedReply(
                scripts.start(script.script, for: request), of: script, in: scripts, persistence(of: part),
                to: view.head, isFirst: true, isPlain: isPlain(part) && Carrier.writesBytes)
        } catch {
            return .failure(error.message)
        }
    }

    /// Does the steps of a script until it has answered; `begun` is what it has come to already.
    func finish(
        _ script: ReplyScript, _ begun: ScriptedReply?, _ part: PlayedPart, for view: RequestView,
        _ cursor: inout ReplyCursor
    ) async throws(ConnectionEnd) -> ScriptedReply {
        var scripted = begun ?? run(script, part, for: view)
        var replies = SteppedReplies(to: Array(view.head.methodBytes))
        var content = ContentPieces(of: self, part, for: view.head)
        /// How the client has left, once a step has told the script so.
        var toldEnd: ConnectionEnd?
        var countAfterEnd = 0
        while case .step(let step, let call, let scripts) = scripted {
            var result = ScriptValue.none
            do throws(ConnectionEnd) {
                if let toldEnd { throw toldEnd }
                if let action = try action(of: step, script) {
                    log.append(.effectPlayed(action.row.played(at: "script")))
                    for reply in replies.begun(by: action) { log.append(.replyBegun(reply)) }
                    try await cursor.perform(action, on: wire)
                    if step.resultsAfterEnd != nil { result = .flag(true) }
                } else if case .read(let count) = step {
                    result = try await content.next(upTo: count, isAnswered: cursor.sentByteCount > 0)
                    log.append(.effectPlayed(result.played))
                }
            } catch {
                guard error.isOfPeer, countAfterEnd < ScriptStep.countAfterEnd, let after = step.resultsAfterEnd else {
                    scripts.state.abandon(call)
                    throw error
                }
                // The script goes on, so that a loop which asks whether the client is there comes to its end.
                countAfterEnd += 1
                (toldEnd, result) = (error, after[0])
            }
            noteWork(view.head)
            wire.noteStep(.script, exchange: part.exchange)
            scripted = ScriptedReply(
                scripts.state.resume(call, with: result), of: script, in: scripts, persistence(of: part), to: view.head,
                isFirst: false, isPlain: isPlain(part) && Carrier.writesBytes)
        }
        for reply in replies.rest() { log.append(.replyBegun(reply)) }
        if let toldEnd { throw toldEnd }
        return scripted
    }

    /// The fixture's word on the connection.
    func persistence(of part: PlayedPart) -> Reply.Persistence {
        guard case .turn(let turn) = part.reply else { return .usual }
        return stage.compiled.replies[stage.compiled.firstReplyNumber[part.exchange] + turn].persistence
    }

    /// Whether nothing but the script decides about the bytes.
    private func isPlain(_ part: PlayedPart) -> Bool { !part.hasInfos && stage.reslice == nil }

    /// Nil for a step that is no effect.
    private func action(of step: ScriptStep, _ script: ReplyScript) throws(ConnectionEnd) -> Effect.Action? {
        do throws(ScriptFailure) {
            return try script.tables.action(of: step, of: script.script)
        } catch {
            throw .unanswerable("\(script.script.source.name): \(error.message)")
        }
    }
}

extension Wire {
    /// Runs the script of an exchange, which must answer at once with true or false.
    func scriptAsker(
        _ view: RequestView, of stage: Stage
    ) -> (Exchange, FixtureScript) -> Result<Bool, ScriptFailure> {
        { [unowned self] exchange, script in
            let numbers = RequestNumbers(
                seed: stage.seed, clock: stage.clock, connection: journals.attachment(to: stage)?.number ?? 0,
                request: 0, source: self)
            let request = ScriptedRequest(
                stage, view, stage.compiled.exchanges[exchange.index], numbers,
                memory: journals.attachment(to: stage)?.memory, log: nil, place: script.location)
            do throws(ScriptFailure) {
                guard let all = stage.scripts else { return .success(false) }
                let scripts = try all.scripts(on: loop) { noteStep(.libraries) }
                noteStep(.condition, exchange: exchange.index)
                switch scripts.start(script, for: request) {
                case .answer(.flag(let flag)): return .success(flag)
                case .answer(.nothing): return .success(false)
                case .answer:
                    throw ScriptFailure("\(script.source.name): the script of a request returns true or false")
                case .step(_, let call):
                    scripts.state.abandon(call)
                    throw ScriptFailure("\(script.source.name): the script of a request neither sends nor waits")
                case .failure(let failure): throw failure
                }
            } catch {
                return .failure(error)
            }
        }
    }
}
