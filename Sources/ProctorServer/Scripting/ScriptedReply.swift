internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario
internal import ProctorScript

/// What a script makes of a request.
enum ScriptedReply {
    case plan(ReplyPlan)
    /// A table that is planned as a reply of the fixture is.
    case reply(Reply)
    /// The script waits until the step is done.
    case step(ScriptStep, ScriptCall, LoopScripts)
    /// With file and line.
    case failure(String)

    /// `former` is the reply of the fixture, which says what becomes of the connection.
    ///
    /// `isFirst`: nothing was done yet; `isPlain`: no guard adds fields.
    init(
        _ outcome: ScriptState.Outcome, of script: ReplyScript, in scripts: LoopScripts, _ former: Reply,
        to head: RequestHead, isFirst: Bool, isPlain: Bool
    ) {
        switch outcome {
        case .failure(let failure): self = .failure(failure.message)
        case .step(let step, let call): self = .step(step, call, scripts)
        case .answer(.nothing) where isFirst:
            self = .failure("\(script.script.source.name): the script returns nothing and has sent nothing")
        case .answer(.nothing):
            self = .plan(ReplyPlan(steps: [], opaque: nil, persistence: former.persistence))
        case .answer(.flag):
            self = .failure("\(script.script.source.name): the script returns true or false; a reply is a table")
        case .answer(.plain(let plain)):
            if isPlain, let plan = ReplyPlan(plain, former.persistence, to: head) {
                self = .plan(plan)
            } else {
                self = Self.read(plain.table, of: script, former)
            }
        case .answer(.table(let table)): self = Self.read(table, of: script, former)
        }
    }

    private static func read(_ table: ScriptValue, of script: ReplyScript, _ former: Reply) -> ScriptedReply {
        do throws(ScriptFailure) {
            return .reply(try script.tables.reply(table, of: script.script).keeping(former.persistence))
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
            .init(Array("headers".utf8), .table(fields.map { .init($0.name, .text($0.value)) })),
        ]
        // An empty body is none, so that a status without content can stand alone.
        if !body.isEmpty { members.append(.init(Array("body".utf8), .text(body))) }
        return .table(members)
    }
}

extension ReplyPlan {
    /// The plan of a reply with the usual fields, written without a draft; nil where a field or the status is about
    /// framing, codings, cookies or the connection, or the request is CONNECT.
    fileprivate convenience init?(_ plain: ScriptAnswer.Plain, _ persistence: Reply.Persistence, to head: RequestHead) {
        guard head.form != .authority, plain.status >= 200, !ReplyHead.hasNoContent(plain.status),
            !plain.fields.contains(where: { Self.isSpecial($0.name) })
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            64 + plain.body.count + plain.fields.reduce(0) { $0 + $1.name.count + $1.value.count + 4 })
        let reason = Array((StatusPhrase.registered(plain.status) ?? "").utf8)
        ReplyWriter.statusLine(version: .http11, status: plain.status, reason: reason, into: &bytes)
        for field in plain.fields { ReplyWriter.fieldLine(name: field.name, value: field.value, into: &bytes) }
        let length = Array(String(plain.body.count).utf8)
        ReplyWriter.fieldLine(name: Self.contentLength, value: length, into: &bytes)
        ReplyWriter.lineEnd(into: &bytes)
        let headByteCount = bytes.count
        let omitsContent = head.hasMethod("HEAD")
        if !omitsContent { bytes += plain.body }
        let fields = plain.fields.map { ($0.name, $0.value) } + [(Self.contentLength, length)]
        let sent = SentReply(
            status: plain.status, fields: FieldSection(fields), headByteCount: headByteCount,
            content: omitsContent ? .empty : SentContent(reading: [ContentPiece(plain.body)]))
        self.init(
            steps: [.send(bytes)], status: plain.status, begun: [BegunReply(offset: 0, sent)], opaque: nil,
            persistence: persistence)
    }

    private static let contentLength = Array("Content-Length".utf8)

    /// By the length first, so that most names cost nothing.
    private static func isSpecial(_ name: [UInt8]) -> Bool {
        switch name.count {
        case 10: name.isNamed("connection") || name.isNamed("set-cookie")
        case 14: name.isNamed("content-length")
        case 16: name.isNamed("content-encoding")
        case 17: name.isNamed("transfer-encoding")
        default: false
        }
    }
}
