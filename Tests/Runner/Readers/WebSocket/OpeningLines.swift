import ProctorBase
import ProctorHTTP
import ProctorWebSocket

/// Opening handshakes, given by what differs from the usual one, in lines.
///
/// `Name: value` stands in place of the line of that name, `-Name` takes it out, `+Name: value` is one more. A line of
/// another form stands in place of the first one.
enum OpeningLines {
    private static func head(_ usual: [String], changed input: [UInt8]) -> String {
        var lines = usual
        for change in String(decoding: input, as: UTF8.self).split(separator: "\r\n").map(String.init)
        where !change.hasPrefix("> ") {
            if change.hasPrefix("+") {
                lines.append(String(change.dropFirst()))
            } else if change.hasPrefix("-") {
                lines.removeAll { $0.hasPrefix(change.dropFirst() + ":") }
            } else if let colon = change.firstIndex(of: ":"), !change[..<colon].contains(" ") {
                lines = lines.map { $0.hasPrefix(change[...colon]) ? change : $0 }
            } else if !change.isEmpty {
                lines[0] = change
            }
        }
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// `key-twice at AAAA== (RFC 6455 §4.1)`, with what stands there up to the end of the line.
    private static func violation(_ violation: HandshakeViolation, _ head: [UInt8]) -> String {
        let rest = violation.offset <= head.count ? head[violation.offset...].prefix { $0 != 0x0D } : []
        let isWhole = violation.description.contains("at byte \(violation.offset)") && !violation.sentence.isEmpty
        return "\(violation.kind.rawValue) at \(ByteText.inLine(rest)) (\(violation.section))"
            + (isWhole ? "" : " without its place")
    }

    // MARK: Requests

    private static let request = [
        "GET /chat HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
    ]

    /// Words: `offer` tells what is offered too, `stream` makes it one of RFC 8441: the first line is its method and protocol.
    static func request(_ input: [UInt8], _ block: Block) throws -> [String] {
        let request: OpeningRequest
        var bytes: [UInt8] = []
        if block.has("stream") {
            let lines = head(["CONNECT websocket", "sec-websocket-version: 13"], changed: input)
                .split(separator: "\r\n")
            let first = lines[0].split(separator: " ")
            let control = RequestHead.ControlData(
                method: Array(first[0].utf8), path: Array("/chat".utf8), authority: Array("a".utf8),
                protocolName: first.count > 1 ? Array(first[1].utf8) : nil, endsStream: false, contentLength: nil)
            request = OpeningRequest(judging: RequestHead(control, fields: fields(lines.dropFirst())))
        } else {
            bytes = Array(head(Self.request, changed: input).utf8)
            request = OpeningRequest(judging: try RequestHead(parsing: bytes))
        }
        var lines = request.violations.map { violation($0, bytes) }
        if lines.isEmpty { lines = ["fine"] }
        guard block.has("offer") else { return lines }
        let offer = request.offer
        lines.append("accept \(request.accept ?? "-"), key \(offer.key.map { ByteText.inLine($0) } ?? "-")")
        lines.append("version \(request.version.map { ByteText.inLine($0) } ?? "-")")
        lines.append("origin \(request.origin.map { ByteText.inLine($0) } ?? "-")\(offer.isStream ? ", stream" : "")")
        lines += offer.protocols.map { "protocol \($0)" } + offer.extensions.map { "extension \($0)" }
        return lines
    }

    private static func fields(_ lines: some Sequence<Substring>) -> [(name: [UInt8], value: [UInt8])] {
        lines.map { line in
            let name = line.prefix { $0 != ":" }
            return (Array(name.utf8), Array(line.dropFirst(name.count + 1).drop { $0 == " " }.utf8))
        }
    }

    // MARK: Replies

    private static let reply = [
        "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
    ]

    /// A line `> a; b` is an extension that was offered, beside the protocols chat and mqtt.
    ///
    /// Words: `agreed` tells what was agreed on, `stream` makes it one of RFC 8441.
    static func reply(_ input: [UInt8], _ block: Block) throws -> [String] {
        let offered = String(decoding: input, as: UTF8.self).split(separator: "\r\n").filter { $0.hasPrefix("> ") }
        let isStream = block.has("stream")
        let offer = OpeningOffer(
            key: isStream ? nil : Array("dGhlIHNhbXBsZSBub25jZQ==".utf8),
            protocols: isStream ? ["chat"] : ["chat", "mqtt"],
            extensions: WebSocketExtension.elements(
                of: Array(offered.map { $0.dropFirst(2) }.joined(separator: ", ").utf8)), isStream: isStream)
        let text = head(isStream ? ["200"] : Self.reply, changed: input)
        let lines = text.split(separator: "\r\n")
        let parsed: ReplyHead
        var bytes: [UInt8] = []
        if isStream {
            parsed = ReplyHead(
                status: Int(lines[0]) ?? 0, fields: fields(lines.dropFirst()), contentLength: nil, hasNoContent: false)
        } else if text.contains("\r\nUpgrade:") || text.contains("\r\nupgrade:") {
            bytes = Array(text.utf8)
            parsed = try ReplyHead(parsing: bytes)
        } else {
            // The reader of replies refuses 101 without Upgrade.
            parsed = ReplyHead(
                status: 101, fields: fields(lines.dropFirst()), contentLength: nil, hasNoContent: true)
        }
        let judged = OpeningReply(judging: parsed, to: offer)
        var found = judged.violations.map { violation($0, bytes) }
        if found.isEmpty { found = ["fine"] }
        guard block.has("agreed") else { return found }
        found.append("protocol \(judged.protocolName ?? "-")")
        for role in WebSocketRole.allCases {
            guard let direction = judged.compression?.direction(from: role) else { continue }
            found.append("from \(role): window \(direction.windowBits)" + (direction.takesContextOver ? "" : ", alone"))
        }
        return found
    }
}
