import Foundation
import ProctorBase
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

/// How a block `ask` or `call` is meant.
private struct AskForm {
    let isCall: Bool
    /// Each line has a connection of its own, and the client sends FIN behind it.
    let isAnew: Bool
    let host: String
    let prefix: String
    let shows: [String]
    let picks: [String]
    let place: String?
    /// What chance has made is shown as it is.
    let isPlain: Bool

    init(_ block: Block) {
        isCall = block.name == "call"
        isAnew = isCall ? !block.has("on") : block.has("anew")
        host = block.value(of: "host") ?? (isCall ? "127.0.0.1" : "a")
        prefix = isCall ? "/__proctor" : ""
        place = block.value(of: "to") ?? (isCall ? "server" : nil)
        isPlain = block.has("plain")
        shows = block.value(of: "show")?.split(separator: ",").map(String.init) ?? []
        picks = block.value(of: "pick")?.split(separator: ",").map(String.init) ?? []
    }
}

extension Conversation {
    /// Requests of one line each, and what comes of them; a block `call` asks the control API.
    mutating func ask(_ block: Block, _ check: inout Check) async throws {
        let form = AskForm(block)
        for (index, line) in block.lines.enumerated() where !line.isEmpty {
            let number = block.line + index + 1
            if try await isAct(line, at: number) { continue }
            let (given, wanted) = line.cut(at: " => ")
            guard wanted != nil || check.isRecording else { throw RowError(number, "expected REQUEST => REPLY") }
            var got = ""
            for _ in 0..<(try AskedLine(given, line: number).times) {
                got = try await answer(check.fill(given), form, block, check, at: number)
            }
            let shown = Self.unfill(got, check.names)
            if let found = LinePattern(check.fill(wanted ?? "")).captures(of: got)
                ?? LinePattern(check.fill(wanted ?? "")).captures(of: shown)
            {
                check.names.merge(found) { _, last in last }
                check.expect(block, line: index, given: given, wanted: "…", got: shown)
            } else {
                check.expect(block, line: index, given: given, wanted: wanted ?? "", got: shown)
            }
        }
    }

    /// `reset run` and `pause 5ms` stand between requests.
    private func isAct(_ line: String, at number: Int) async throws -> Bool {
        if line == "reset run" {
            run.reset()
        } else if line.hasPrefix("pause ") {
            try await Task.sleep(for: LimitWords.duration(String(line.dropFirst(6)), at: number))
        } else {
            return false
        }
        return true
    }

    private mutating func answer(
        _ text: String, _ form: AskForm, _ block: Block, _ check: Check, at number: Int
    ) async throws -> String {
        var asked = try AskedLine(text, line: number)
        // Among calls may stand requests to a run.
        let other = form.isCall ? asked.takePlace() : nil
        let line = asked
        let name = line.connection ?? block.value(of: "on") ?? "1"
        let wire: Wire
        if form.isAnew {
            let base = try place(other ?? form.place.map(check.fill), at: number)
            do {
                wire = try await onThread { try Wire(to: base) }
            } catch let failure as WireFailure where failure.code == ECONNREFUSED {
                return "<refused>"
            }
        } else {
            wire = try talker(
                Block(
                    info: "ask on \(name)" + (form.place.map { " to \(check.fill($0))" } ?? ""), text: "", line: number)
            ).wire
        }
        let more = try credentials.fields(for: line, on: name, at: number)
        let head = try line.head(
            prefix: other == nil ? form.prefix : "", host: other == nil ? check.fill(form.host) : "a", more: more,
            line: number)
        let reply = try await onThread { () throws -> AskedReply in
            var reply = AskedReply()
            let content = line.framedContent
            try wire.send(line.expectsContinue ? head : head + content)
            if form.isAnew, !line.expectsContinue { wire.finish() }
            try reply.readHead(wire)
            if line.expectsContinue, reply.isInterim { try wire.send(content) }
            while reply.isInterim { try reply.readHead(wire) }
            try reply.readContent(wire, method: line.method, toEnd: form.isAnew && !line.expectsContinue)
            // What was announced may still be sent; the next request stands behind it.
            if line.expectsContinue, reply.heads.count == 1, reply.ending == nil { try wire.send(content) }
            if form.isAnew { wire.close() }
            return reply
        }
        credentials.receive(reply, on: name)
        let told = told(reply, line, form, isCall: form.isCall && other == nil)
        return form.isPlain ? told : credentials.hide(told)
    }

    private mutating func told(_ reply: AskedReply, _ line: AskedLine, _ form: AskForm, isCall: Bool) -> String {
        var parts = [reply.statuses]
        for name in line.shows.isEmpty ? (isCall || !form.isCall ? form.shows : []) : line.shows {
            switch name {
            case "body": if !reply.content.isEmpty { parts.append(ByteText.inLine(reply.content)) }
            case "head": parts += reply.lines.map { form.isPlain ? $0 : credentials.note($0) }
            case "end": if let ending = reply.ending { parts.append("<\(ending)>") }
            case "error": parts.append(reply.error ?? ByteText.inLine(reply.content))
            default:
                parts += reply.values(name).map {
                    "\(name): \(form.isPlain ? ByteText.inLine($0.utf8) : credentials.note(ByteText.inLine($0.utf8)))"
                }
            }
        }
        let picks = line.picks.isEmpty ? form.picks : line.picks
        if !isCall, form.isCall, line.picks.isEmpty {
            if line.shows.isEmpty, !reply.content.isEmpty { parts.append(ByteText.inLine(reply.content)) }
        } else if let error = reply.error {
            if isCall || !picks.isEmpty { parts.append(ByteText.inLine(error.utf8)) }
        } else if !picks.isEmpty {
            parts += picks.map { "\($0)=\(reply.pick($0))" }
        } else if form.isCall, line.shows.isEmpty, form.shows.isEmpty, !reply.content.isEmpty {
            parts.append(ByteText.inLine(reply.content))
        }
        return parts.joined(separator: " | ")
    }

    /// Where `to ORIGIN` or `to HOST:PORT` leads; without it, the run's base.
    ///
    /// What speaks TLS there is sent bytes as they are.
    func place(_ name: String?, at line: Int) throws(RowError) -> String {
        if name == nil, givenRun == nil {
            throw RowError(line, "say where to: `to server`, or put a line \"run\" into the block server")
        }
        let name = name ?? "base"
        if name.hasPrefix("http://") { return name }
        if name == "draft" {
            guard let draftBase else { throw RowError(line, "no block \"draft\" stands before") }
            return draftBase
        }
        let names = Self.names(of: givenRun, server)
        guard let url = names["origin.\(name)"] ?? names["place.\(name)"] ?? names[name] else {
            throw RowError(line, "there is no origin \"\(name)\"")
        }
        let (scheme, rest) = url.cut(at: "://")
        guard let rest else { return "http://\(url)" }
        let port = scheme == "https" ? 443 : 80
        let place = names["place.\(rest.contains(":") ? rest : "\(rest):\(port)")"]
        return "http://\(place ?? rest)"
    }
}
