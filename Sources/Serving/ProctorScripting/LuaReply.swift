internal import ProctorHTTP
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorScript

extension CompiledProgram {
    /// What a script that makes a reply has come to; `call` is that which has waited, nil at its first step.
    func reply(_ outcome: ScriptState.Outcome, _ host: ScriptedRequest, behind call: LuaReplyCall?) -> ScriptedReply {
        switch outcome {
        case .failure(let failure): return .failure(failure.message)
        case .step(let step, let present):
            let waiting = call ?? LuaReplyCall(self, present, host)
            switch replyStep(step) {
            case .success(let step): return .step(step, waiting)
            case .failure(let failure):
                waiting.abandon()
                return .failure("\(name): \(failure.message)")
            }
        case .answer(.nothing):
            return call == nil ? .failure("\(name): the script returns nothing and has sent nothing") : .nothing
        case .answer(.flag):
            return .failure("\(name): the script returns true or false; a reply is a table")
        case .answer(.plain(let plain)):
            if host.request.takesShortReplies, let short = PlainReply.written(plain, to: host.request.view.head) {
                return .short(short)
            }
            return read(plain.table)
        case .answer(.table(let table)): return read(table)
        }
    }

    private func replyStep(_ step: ScriptStep) -> Result<ReplyStep, ScriptFailure> {
        switch step {
        case .read(let count): .success(.read(count))
        case .pause: .success(.pause)
        default: effect(of: step, "in a reply").map { .effect($0) }
        }
    }

    private func read(_ table: ScriptValue) -> ScriptedReply {
        do throws(ScriptFailure) {
            return .reply(try tables.reply(table))
        } catch {
            return .failure("\(name): \(error.message)")
        }
    }
}

/// A script that waits for a step of what it makes.
class LuaCall<Host>: WaitingCall {
    final let program: CompiledProgram
    final let call: ScriptCall
    final let host: Host
    private final var isOver = false

    init(_ program: CompiledProgram, _ call: ScriptCall, _ host: Host) {
        (self.program, self.call, self.host) = (program, call, host)
    }

    /// Goes on behind the step, to the next one or to the end of the script.
    final func outcome(behind result: StepResult) -> ScriptState.Outcome {
        let outcome = program.state.resume(call, returning: result)
        if case .step = outcome { return outcome }
        isOver = true
        return outcome
    }

    func abandon() {
        guard !isOver else { return }
        isOver = true
        program.state.abandon(call)
    }
}

final class LuaReplyCall: LuaCall<ScriptedRequest>, ReplyCall {
    func resume(with result: StepResult) -> ScriptedReply {
        program.reply(outcome(behind: result), host, behind: self)
    }
}

extension ScriptState {
    /// Goes on behind a step; the function that made the step returns what the result says.
    func resume(_ call: ScriptCall, returning result: StepResult) -> Outcome {
        switch result {
        case .nothing: return resume(call)
        case .flag(let flag): return resume(call, with: .flag(flag))
        case .bytes(let bytes): return resume(call, with: .text(bytes))
        case .message(let message, let channel):
            return resume(
                call, with: .text(message.content), [.text(message.kind.rawValue), channel.map { .text($0) } ?? .none])
        case .noMessage(let lack, nil): return resume(call, with: .none, [.text(lack.rawValue)])
        case .noMessage(let lack, let code?):
            return resume(call, with: .none, [.text(lack.rawValue), .none, .whole(Int64(code))])
        }
    }
}

extension ScriptAnswer.Plain {
    /// The reply as a Lua table.
    fileprivate var table: ScriptValue {
        var members: [ScriptValue.Member] = [
            .init(Array("status".utf8), .whole(Int64(status))),
            .init(
                Array("headers".utf8),
                .table(
                    (0..<fields.count).map { .init(Array(fields.name($0)), .text(Array(fields.value($0)))) })),
        ]
        // An empty body is none, so that a status without content can stand alone.
        if !body.isEmpty { members.append(.init(Array("body".utf8), .text(body))) }
        return .table(members)
    }
}

extension PlainReply {
    /// A script's reply; nil where a field or the status is about framing, codings, cookies or the connection,
    /// or the request is CONNECT, or the client said `close` and is told so.
    fileprivate static func written(_ plain: ScriptAnswer.Plain, to head: RequestHead) -> ShortReply? {
        guard head.form != .authority, isPlain(plain.status), !head.asksToClose || !Reply.leadsOn(plain.status) else {
            return nil
        }
        var fields = FieldSectionWriter(lineCount: plain.fields.count + 1, byteCount: 64 + 64 * plain.fields.count)
        for index in 0..<plain.fields.count {
            let name = plain.fields.name(index)
            guard !isSpecial(name.span) else { return nil }
            fields.add(name, plain.fields.value(index))
        }
        let reply = PlainReply(status: plain.status, statusLine: StatusLines.registered(plain.status))
        return reply.written(fields, content: plain.body, omitsContent: head.hasMethod("HEAD"))
    }
}
