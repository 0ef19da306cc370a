import ProctorBase
import ProctorCoding
import ProctorTestSupport
import ProctorTestWire
import ProctorWebSocket

/// An open WebSocket.
final class WebSocketTalker: @unchecked Sendable {
    let wire: Wire
    private var deflater: MessageDeflater?
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    init(_ wire: Wire) { self.wire = wire }

    /// Opens with the usual fields, others in place of those of the same name; `- ` before a name leaves it out.
    func open(_ path: String, _ lines: [String]) throws -> [String] {
        let usual = [
            "Host: a", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: \(Self.key)",
            "Sec-WebSocket-Version: 13",
        ]
        let names = lines.map { $0.prefix { $0 != ":" } }
        let kept = usual.filter { line in !names.contains { line.hasPrefix("\($0):") } }
        let all = kept + lines.filter { !$0.hasSuffix(": -") }
        try wire.send("GET \(path) HTTP/1.1\r\n\(all.map { "\($0)\r\n" }.joined())\r\n")
        let head = try wire.readHead()
        return head.split(separator: "\r\n").map(String.init)
    }

    /// `text hello`, `close 1000 bye`, `ping nofin rsv1 p`, `unmasked text a`, `compressed text b`.
    func frame(_ words: Block) throws -> [UInt8] {
        var rest = words.words[...]
        var key: MaskingKey? = MaskingKey(0x01F2_03A4)
        var isFinal = true
        var reserved: ReservedBits = []
        var isCompressed = false
        var stated: UInt64?
        var opcode: Opcode?
        while opcode == nil || ["nofin", "rsv1", "rsv2", "rsv3"].contains(rest.first), let word = rest.popFirst() {
            switch word {
            case "unmasked": key = nil
            case "nofin": isFinal = false
            case "rsv1": reserved.insert(.rsv1)
            case "rsv2": reserved.insert(.rsv2)
            case "rsv3": reserved.insert(.rsv3)
            case "compressed": isCompressed = true
            case "stated": stated = rest.popFirst().flatMap { UInt64($0) }
            default:
                guard let known = Opcode(named: word) ?? UInt8(word).map({ Opcode(rawValue: $0) }) else {
                    throw RowError(
                        words.line,
                        "unknown frame \"\(word)\"; frames are text, binary, close, ping, pong, continuation, 3")
                }
                opcode = known
            }
        }
        var payload = try ByteText.bytes(inLine: rest.joined(separator: " "), line: words.line)
        if opcode == .close, let code = rest.first.flatMap({ UInt16($0) }) {
            let reason = rest.dropFirst().joined(separator: " ")
            payload = [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8)
        }
        if isCompressed {
            let deflater = try deflater ?? MessageDeflater()
            self.deflater = deflater
            payload = deflater.deflate(payload.span)
            reserved.insert(.rsv1)
        }
        var frame = WebSocketFrame(
            opcode ?? .text, isFinal: isFinal, reserved: reserved, maskingKey: key, payload: payload)
        frame.departures.statedByteCount = stated
        return frame.bytes
    }

    /// The next frame in words, or the end.
    func next() throws -> String {
        let start = try wire.read(2)
        guard start.count == 2 else {
            let last = try wire.readToEnd().ending
            return "<\(wire.ending ?? last)>"
        }
        var length = UInt64(start[1] & 0x7F)
        if length >= 126 { length = try wire.read(length == 126 ? 2 : 8).reduce(0) { $0 << 8 | UInt64($1) } }
        let payload = length == 0 ? [] : try wire.read(Int(length))
        let opcode = Opcode(rawValue: start[0])
        let reserved = ReservedBits(rawValue: start[0] >> 4)
        var words = ["\(opcode)"]
        if start[0] & 0x80 == 0 { words.append("nofin") }
        for (bit, name) in [(ReservedBits.rsv1, "rsv1"), (.rsv2, "rsv2"), (.rsv3, "rsv3")] where reserved.contains(bit)
        {
            words.append(name)
        }
        if opcode == .close, payload.count >= 2 {
            words.append("\(Int(payload[0]) << 8 | Int(payload[1]))")
            words.append(ByteText.inLine(payload[2...]))
        } else {
            words.append(ByteText.inLine(payload))
        }
        return words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension Conversation {
    /// Frames of a WebSocket: lines with `>` go to the server, lines with `<` are what came; the first line may be `> open PATH`.
    mutating func webSocket(_ block: Block, _ check: inout Check) async throws {
        let name = block.value(of: "on") ?? "1"
        let made = webSockets[name]
        let place = try place(block.value(of: "to"), at: block.line)
        let isRecording = check.isRecording
        let lines = check.fill(block.text).split(separator: "\n").map(String.init)
        let (talker, got) = try await onThread {
            let talker = try made ?? WebSocketTalker(Wire(to: place))
            if made == nil, lines.first?.hasPrefix("> open") != true { _ = try talker.open("/", ["Origin: x"]) }
            return (talker, try Self.play(lines, talker, isRecording, block))
        }
        webSockets[name] = talker
        check.expect(block, got: Self.unfill(got, check.names))
    }

    private static func play(
        _ lines: [String], _ talker: WebSocketTalker, _ isRecording: Bool, _ block: Block
    ) throws -> String {
        var got: [String] = []
        var bytes: [UInt8] = []
        func flush() throws {
            if !bytes.isEmpty { try talker.wire.send(bytes) }
            bytes = []
        }
        var index = 0
        loop: while index < lines.count {
            let (text, number) = (lines[index], block.line + index + 1)
            var fields: [String] = []
            while index + 1 < lines.count, lines[index + 1].hasPrefix("    ") {
                index += 1
                fields.append(String(lines[index].dropFirst(4)))
            }
            index += 1
            if text.hasPrefix("> ") {
                got +=
                    [text]
                    + (text.hasPrefix("> open") ? fields.filter { !$0.hasPrefix("< ") } : fields).map { "    " + $0 }
                // Not by its first word, which may be a language of blocks: text.
                let words = Block(info: "frame " + text.dropFirst(2), text: "", line: number)
                switch words.words.first {
                case "open":
                    let head = try talker.open(words.words.dropFirst().first ?? "/", fields)
                    if block.has("head") { got += head.map { "< " + $0 } }
                case "FIN":
                    try flush()
                    talker.wire.finish()
                case "RST":
                    try flush()
                    talker.wire.reset()
                case "bytes":
                    bytes += try ByteText.bytes(inLine: words.words.dropFirst().joined(separator: " "), line: number)
                case "times":
                    let frame = try talker.frame(
                        Block(info: "frame " + words.words.dropFirst(2).joined(separator: " "), text: "", line: number))
                    for _ in 0..<(words.words.dropFirst().first.flatMap { Int($0) } ?? 1) { bytes += frame }
                default: bytes += try talker.frame(words)
                }
                continue
            }
            try flush()
            switch text {
            case "<":
                guard isRecording else { throw RowError(number, "`<` alone is for --record") }
                while !talker.wire.isSilent(milliseconds: 300) {
                    got.append("< " + (try talker.next()))
                    if got.last?.hasPrefix("< <") == true { break loop }
                }
            case "< silence": got.append(talker.wire.isSilent(milliseconds: 50) ? text : "< no silence")
            case _ where text.hasPrefix("< HTTP/") || (block.has("head") && text.contains(": ")): continue
            default:
                got.append("< " + (try talker.next()))
                if got.last?.hasPrefix("< <") == true { break loop }
            }
        }
        try flush()
        return got.map { $0 + "\n" }.joined()
    }
}
