import Foundation
import ProctorBase
import ProctorHTTP
import ProctorHTTP2
import ProctorTestSupport
import ProctorTestWire

extension Conversation {
    /// Frames of HTTP/2: lines with `>` go to the server, lines with `<` are what came.
    ///
    /// Lines `>` that follow each other go out in one write. `<` alone stands, while recording, for all that comes.
    mutating func frames(_ block: Block, _ check: inout Check) async throws {
        let name = block.value(of: "on") ?? "1"
        let made = frameTalkers[name]
        let place = try place(block.value(of: "to"), at: block.line)
        let isRecording = check.isRecording
        let lines = check.fill(block.text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let written = block.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let settings = try FrameWords.settings(block.words, line: block.line)
        let (talker, got) = try await onThread {
            let talker = try made ?? FrameTalker(Wire(to: place))
            talker.habits = FrameTalker.Habits(
                acknowledges: !block.has("unacknowledged"), givesWindows: !block.has("no-windows"),
                showsSettings: block.has("settings"), showsWindows: block.has("windows"),
                hashesContent: block.has("hashes"))
            if made == nil, !block.has("raw") { try talker.begin(settings) }
            return (talker, try FrameTalk(talker, isRecording, block.line).play(lines, written: written))
        }
        frameTalkers[name] = talker
        expectFilled(block, got: got, &check)
    }
}

extension Conversation {
    /// Compares by what is meant: the addresses of the run stand in what came, and their names in the page.
    func expectFilled(_ block: Block, got: String, _ check: inout Check) {
        // What the client says stays as the page has it.
        var isSaid = false
        let shown = got.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("> ") || line.hasPrefix("<") { isSaid = line.hasPrefix("> ") }
            return isSaid ? String(line) : Self.unfill(String(line), check.names)
        }.joined(separator: "\n")
        if let found = TextPattern(check.fill(block.text)).captures(of: check.fill(got)) {
            check.names.merge(found) { _, last in last }
            check.expect(Block(info: block.name, text: shown, line: block.line), got: shown)
        } else {
            check.expect(block, got: shown)
        }
    }
}

/// Plays the lines of one block.
private struct FrameTalk {
    let talker: FrameTalker
    let isRecording: Bool
    let line: Int
    private var got: [String] = []
    private var written: [String] = []
    /// Frames that go out in one write.
    private var unsent: [Frame] = []
    private var next: UInt32 = 1

    init(_ talker: FrameTalker, _ isRecording: Bool, _ line: Int) {
        (self.talker, self.isRecording, self.line) = (talker, isRecording, line)
    }

    /// `written` are the lines as the page has them.
    func play(_ lines: [String], written: [String]) throws -> String {
        var talk = self
        talk.written = written
        try talk.run(lines)
        return talk.got.map { $0 + "\n" }.joined()
    }

    private mutating func run(_ lines: [String]) throws {
        var index = 0
        while index < lines.count {
            let text = lines[index]
            let first = index
            let number = line + index + 1
            var fields: [String] = []
            while index + 1 < lines.count, lines[index + 1].hasPrefix("    ") {
                index += 1
                fields.append(String(lines[index].dropFirst(4)))
            }
            index += 1
            if text.isEmpty { continue }
            if text.hasPrefix("> ") {
                got += written[first..<index]
                try say(Block(info: String(text.dropFirst(2)), text: "", line: number), fields)
            } else if text.hasPrefix("<") {
                try flush()
                guard try hear(String(text.dropFirst().drop { $0 == " " })) else { return }
            } else {
                throw RowError(number, "a line of frames begins with > or <, and its fields with four blanks")
            }
        }
        try flush()
    }

    private mutating func flush() throws {
        if !unsent.isEmpty { try talker.send(unsent) }
        unsent = []
    }

    private mutating func say(_ words: Block, _ fields: [String]) throws {
        switch words.name {
        case "FIN":
            try flush()
            talker.wire.finish()
        case "RST":
            try flush()
            talker.wire.reset()
        case "bytes":
            try flush()
            try talker.wire.send(ByteText.bytes(inLine: words.words.joined(separator: " "), line: words.line))
        case "pause":
            try flush()
            usleep(UInt32(try LimitWords.duration(words.words.first ?? "", at: words.line) / .microseconds(1)))
        default: unsent.append(try FrameWords.frame(words, fields, talker))
        }
    }

    /// One wanted line; false: nothing more can come.
    private mutating func hear(_ wanted: String) throws -> Bool {
        if wanted.isEmpty {
            guard isRecording else { throw RowError(line, "`<` alone is for --record") }
            return try hearAll()
        }
        let words = wanted.split(separator: " ").map(String.init)
        if words[0] == "silence" {
            got.append(talker.wire.isSilent(milliseconds: 50) ? "< silence" : "< no silence")
            return true
        }
        if words[0] == "reply", words.count > 1, let stream = UInt32(words[1].filter { $0 != ":" }) {
            let isOpen = words.count > 3 && ["until", "has"].contains(words[2])
            let until = isOpen ? words[3].replacing("\\n", with: "\n") : nil
            let head = isOpen ? "< reply \(stream) \(words[2]) \(words[3]) : " : "< reply \(stream): "
            got.append(head + (try talker.reply(on: stream, until: until, anywhere: isOpen && words[2] == "has")))
            return true
        }
        while true {
            guard let lines = try talker.nextLines() else { continue }
            got += ["< " + lines[0]] + lines.dropFirst()
            return !lines[0].hasPrefix("<")
        }
    }

    private mutating func hearAll() throws -> Bool {
        while !talker.wire.isSilent(milliseconds: 300) {
            guard let lines = try talker.nextLines() else { continue }
            got += ["< " + lines[0]] + lines.dropFirst()
            if lines[0].hasPrefix("<") { return false }
        }
        return true
    }
}

/// Frames from words.
enum FrameWords {
    /// `INITIAL_WINDOW_SIZE=100`.
    static func settings(_ words: [String], line: Int) throws(RowError) -> [ProctorHTTP.Setting] {
        var settings: [ProctorHTTP.Setting] = []
        for word in words where word.contains("=") {
            let (name, value) = word.cut(at: "=")
            guard let identifier = HTTP2SettingIdentifier(named: name),
                let number = value.flatMap({ UInt32($0) })
            else {
                throw RowError(line, "unknown setting \"\(word)\"; write it as INITIAL_WINDOW_SIZE=100")
            }
            settings.append(ProctorHTTP.Setting(identifier, number))
        }
        return settings
    }

    /// `GET /a on 3`, `HEADERS 1 end`, `DATA 1 end TEXT`, `PING 0102…`, `RST_STREAM 1 CANCEL`, `WINDOW_UPDATE 1 9`, `SETTINGS …`.
    static func frame(_ block: Block, _ fields: [String], _ talker: FrameTalker) throws -> Frame {
        let words = block.words
        let stream = try UInt32(clamping: block.number(of: "on") ?? words.first.flatMap { Int($0) } ?? 1)
        let pairs = fields.map { field in
            let colon = field.dropFirst().firstIndex(of: ":") ?? field.endIndex
            return (String(field[..<colon]), String(field[colon...].dropFirst(2)))
        }
        let ends = block.has("end")
        switch block.name {
        case "HEADERS": return .headers(talker.block(pairs), on: stream, endsStream: ends)
        case "DATA":
            let rest = words.dropFirst(ends ? 2 : 1).joined(separator: " ")
            return .data(try ByteText.bytes(inLine: rest, line: block.line), on: stream, endsStream: ends)
        case "SETTINGS":
            return words == ["ack"] ? .settingsAck : .settings(try settings(words, line: block.line))
        case "PING":
            let digits = words.last ?? ""
            let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
                UInt8(digits.dropFirst($0).prefix(2), radix: 16)
            }
            return .ping(bytes, isAck: block.has("ack"))
        case "GOAWAY": return .goAway(lastStream: 0, ErrorCode(named: words.last ?? "") ?? .noError, debug: [])
        case "RST_STREAM": return .resetStream(stream, ErrorCode(named: words.last ?? "") ?? .noError)
        case "WINDOW_UPDATE": return .windowUpdate(UInt32(words.last ?? "") ?? 0, on: stream)
        case "CONNECT":
            let own =
                words[0].hasPrefix("/")
                ? [(":scheme", "http"), (":authority", "a"), (":path", words[0])] : [(":authority", words[0])]
            return .headers(talker.block([(":method", "CONNECT")] + own + pairs), on: try on(block), endsStream: ends)
        case let method where words.first?.hasPrefix("/") == true || words.first == "*":
            let own = pairs.map(\.0)
            let usual = [(":method", method), (":scheme", "http"), (":authority", "a"), (":path", words[0])]
                .filter { !own.contains($0.0) }
            let pseudo = pairs.filter { $0.0.hasPrefix(":") && $0.1 != "-" }
            let rest = pairs.filter { !$0.0.hasPrefix(":") }
            return .headers(
                talker.block(usual + pseudo + rest), on: try on(block), endsStream: !block.has("open"))
        default:
            throw RowError(
                block.line,
                "unknown frame \"\(block.name)\"; frames are GET /a on 1, HEADERS, DATA, SETTINGS, PING, GOAWAY, RST_STREAM, "
                    + "WINDOW_UPDATE, CONNECT, FIN, RST, bytes, pause")
        }
    }

    private static func on(_ block: Block) throws(RowError) -> UInt32 { UInt32(try block.number(of: "on") ?? 1) }
}
