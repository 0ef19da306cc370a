package import ProctorHTTP
internal import ProctorJournal
package import ProctorScenario
package import ProctorScript

/// What a script makes of a request.
package enum ScriptedReply {
    /// A plain reply.
    case short(ShortReply)
    /// No reply follows what the steps have sent.
    case nothing
    /// A table that is planned as a reply of the fixture is.
    indirect case reply(Reply)
    /// The script waits until the step is done.
    indirect case step(ScriptStep, ScriptCall, LoopScripts)
    /// With file and line.
    case failure(String)

    /// `former` is the fixture's word on the connection; `isFirst`: nothing was done yet; `isPlain`: no guard adds fields.
    package init(
        _ outcome: ScriptState.Outcome, of script: ReplyScript, in scripts: LoopScripts, _ former: Reply.Persistence,
        to head: RequestHead, isFirst: Bool, isPlain: Bool
    ) {
        switch outcome {
        case .failure(let failure): self = .failure(failure.message)
        case .step(let step, let call): self = .step(step, call, scripts)
        case .answer(.nothing) where isFirst:
            self = .failure("\(script.script.source.name): the script returns nothing and has sent nothing")
        case .answer(.nothing):
            self = .nothing
        case .answer(.flag):
            self = .failure("\(script.script.source.name): the script returns true or false; a reply is a table")
        case .answer(.plain(let plain)):
            if isPlain, let short = PlainReply.written(plain, to: head) {
                self = .short(short)
            } else {
                self = Self.read(plain.table, of: script, former)
            }
        case .answer(.table(let table)): self = Self.read(table, of: script, former)
        }
    }

    private static func read(_ table: ScriptValue, of script: ReplyScript, _ former: Reply.Persistence) -> ScriptedReply
    {
        do throws(ScriptFailure) {
            return .reply(try script.tables.reply(table, of: script.script).keeping(former))
        } catch {
            return .failure("\(script.script.source.name): \(error.message)")
        }
    }
}

extension Reply {
    /// The word of the fixture on the connection, unless the script says its own.
    fileprivate func keeping(_ former: Persistence) -> Reply {
        guard persistence == .usual, former != .usual else { return self }
        return Reply(
            message: message, effects: effects, rawSlicing: rawSlicing, rawTunnel: rawTunnel, persistence: former,
            opaque: opaque, sets: sets, location: location)
    }
}

extension ScriptAnswer.Plain {
    /// The same as a table.
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
    /// or the request is CONNECT.
    fileprivate static func written(_ plain: ScriptAnswer.Plain, to head: RequestHead) -> ShortReply? {
        guard head.form != .authority, isPlain(plain.status) else { return nil }
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
