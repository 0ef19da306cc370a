internal import ProctorBase
import ProctorHTML
internal import ProctorHTTP
internal import ProctorScenario

/// The exchanges of a scenario as a conversation: what is asked for, and what is answered, with effects at their places.
struct ScenarioConversation {
    let scenario: Scenario
    /// Whether the page has the lines of the fixture, so that they are linked.
    let linksLines: Bool

    /// Bytes of a body that are shown.
    private static let previewByteCount = 240

    var html: HTML {
        let items = scenario.exchanges.reduce(into: "" as HTML) { $0 += item(about: $1) }
        return "<ol class=\"conversation\">\n\(items)</ol>\n"
    }

    private func item(about exchange: Exchange) -> HTML {
        var html: HTML =
            "<li><p class=\"asked\">→ <code>\(exchange.request.text)</code> \(link(to: exchange.location))</p>"
        var notes: [String] = []
        if scenario.origins.count > 1 { notes.append("at \(scenario.origins[exchange.origin].name)") }
        if !exchange.request.headers.isEmpty {
            notes.append("by its " + exchange.request.headers.map(\.name).joined(separator: ", "))
        }
        if let times = exchange.times { notes.append("answers \(Plural.count(times, "time"))") }
        if let least = exchange.leastTimes { notes.append("must be asked for \(Plural.count(least, "time"))") }
        if exchange.isOptional { notes.append("need not be asked for") }
        if exchange.request.script != nil { notes.append("a script looks at it") }
        for index in exchange.guards { notes.append("behind the guard \(scenario.guards[index].name)") }
        if exchange.request.body != nil { notes.append("its body is looked at") }
        if !notes.isEmpty { html += "<p class=\"soft\">\(notes.joined(separator: " · "))</p>" }
        let isTurned = exchange.replies.count > 1
        for (turn, reply) in exchange.replies.enumerated() {
            let number = isTurned ? "\(turn + 1). " : ""
            html +=
                "<div class=\"answered\"><p>← \(number)<strong>\(reply.title)</strong> \(link(to: reply.location))</p>"
            html += "\(content(of: reply))</div>"
        }
        return "\(html)</li>\n"
    }

    private func link(to location: SourceLocation) -> HTML {
        guard linksLines, location.file == scenario.location.file else { return "" }
        return "<a class=\"line\" href=\"#L\(location.line)\">line \(location.line)</a>"
    }

    private func content(of reply: Reply) -> HTML {
        var html: HTML = ""
        switch reply.message {
        case .structured(let message): html += block(Self.head(of: message) + Self.body(message.body))
        case .raw(let pieces): html += block(Self.body(pieces))
        case .forward: html += "<p class=\"soft\">a proxy sends it on to the origin that it names</p>"
        case .script, nil: break
        }
        guard !reply.effects.isEmpty || !reply.sets.isEmpty else { return html }
        html += "<ul class=\"effects\">"
        for effect in reply.effects {
            html += "<li>◆ \(effect.action.row.text) <span class=\"soft\">at \(effect.position.text)</span></li>"
        }
        for setting in reply.sets { html += "<li>◆ sets \(setting.name.shown)</li>" }
        return "\(html)</ul>"
    }

    private func block(_ lines: [String]) -> HTML {
        guard !lines.isEmpty else { return "" }
        return "<pre tabindex=\"0\">\(lines.joined(separator: "\n"))</pre>"
    }

    private static func head(of message: StructuredReply) -> [String] {
        var lines: [String] = []
        for piece in message.interim {
            switch piece {
            case .reply(let reply):
                lines.append(
                    "\(message.version) \(reply.status) \(reply.reason ?? StatusPhrase.registered(reply.status) ?? "")")
                lines += reply.headers.map(line)
                lines.append("")
            case .effect(let action): lines.append("◆ \(action.row.text)")
            }
        }
        let reason = message.reason ?? StatusPhrase.registered(message.status) ?? ""
        lines.append("\(message.version) \(message.status) \(reason)")
        lines += message.headers.map(line)
        switch message.framing {
        case .chunked: lines.append("Transfer-Encoding: chunked")
        case .close: lines.append("(the end of the connection ends the content)")
        case .none: lines.append("(no framing field)")
        case .unspecified, .length: break
        }
        if !message.body.isEmpty { lines.append("") }
        return lines
    }

    private static func line(_ field: ReplyField) -> String {
        "\(EscapedText.escape(field.name, limit: 100)): \(field.value.shown)"
    }

    private static func body(_ pieces: [BodyPiece]) -> [String] {
        pieces.map { piece in
            switch piece {
            case .effect(let action): "◆ \(action.row.text)"
            case .bytes(.literal(let bytes)): preview(bytes)
            case .bytes(.template(let template)): template.shown
            case .bytes(.file(let file)): "(\(Plural.count(file.byteCount, "byte")) of \(file.path))"
            case .bytes(.repeated(let unit, let count)):
                "(\(EscapedText.escape(unit, limit: 40)) again and again, \(Plural.count(count, "byte")))"
            case .bytes(.pattern(_, let count)): "(\(Plural.count(count, "byte")) of a pattern)"
            }
        }
    }

    private static func preview(_ bytes: [UInt8]) -> String {
        let isText = bytes.allSatisfy { $0 >= 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard isText, bytes.count <= previewByteCount else {
            let rest = bytes.count - previewByteCount
            let start = EscapedText.escape(bytes, limit: previewByteCount)
            return rest > 0 ? "\(start) (\(Plural.count(rest, "byte")) more)" : start
        }
        return String(decoding: bytes, as: UTF8.self).replacing(text: "\r", with: "␍")
    }
}
