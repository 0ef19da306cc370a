import ProctorBase
import ProctorHTTP
import ProctorHTTP2

/// A frame of HTTP/2 as words, lawful or not: `HEADERS 1 end GET`, `SETTINGS MAX_FRAME_SIZE=16384`, `PING 8*01 ack`.
///
/// The name of its type, or the number as `0x77`; its stream, 0 if none stands there; then words in any order:
/// - `end`, `ack`, `open` (without END_HEADERS), `reserved` (bit), `flags 24` (in place of those that the words make)
/// - `pad 9`; `depends 3 exclusive weight 7`; `promise 2`; `last 5`; `of 1`; `by 65535`; `CANCEL` or `0x2a`; `ENABLE_PUSH=0`
/// - content: `5` (that many letters a), `8*01`, `hex:8286`, `[:status=200|x=y]` (a block of literals), `GET` (a request),
///   `[GET|x=y]`
struct FrameText {
    static let request = ":method=GET|:scheme=https|:authority=a|:path=/"

    private var words: ArraySlice<[UInt8]>
    private var content: [UInt8] = []
    private var number: UInt32?
    private var code: ErrorCode?
    private var settings: [Setting] = []
    private var dependency: StreamDependency?
    private var padding: UInt8?
    private var ends = false
    private var isOpen = false
    private var flags: FrameFlags?
    private var isReserved = false

    /// The frame that words make.
    static func frame(_ text: [UInt8]) throws(TextError) -> Frame {
        var reading = FrameText(words: words(text)[...])
        return try reading.read()
    }

    private init(words: ArraySlice<[UInt8]>) { self.words = words }

    /// Words between blanks; blanks between brackets belong to the word.
    static func words(_ text: [UInt8]) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var word: [UInt8] = []
        var isOpen = false
        for byte in text {
            if byte == UInt8(ascii: "["), word.isEmpty { isOpen = true }
            if byte == UInt8(ascii: " "), !isOpen || word.last == UInt8(ascii: "]") {
                if !word.isEmpty { words.append(word) }
                (word, isOpen) = ([], false)
            } else {
                word.append(byte)
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    private mutating func read() throws(TextError) -> Frame {
        let name = text(words.popFirst() ?? [])
        let type: FrameType
        if let known = FrameType(named: name) {
            type = known
        } else if name.hasPrefix("0x"), let number = UInt8(name.dropFirst(2), radix: 16) {
            type = FrameType(rawValue: number)
        } else {
            throw TextError("unknown frame \"\(name)\"; write DATA, SETTINGS … or a number such as 0x77")
        }
        var stream: UInt32 = 0
        if let number = words.first.flatMap({ UInt32(text($0)) }) {
            stream = number
            words.removeFirst()
        }
        while let word = words.popFirst() { try take(word) }
        var frame = made(type, stream)
        if let flags { frame.flags = flags }
        frame.stream = stream
        frame.hasReservedBit = isReserved
        return frame
    }

    /// As the product makes it, where the words say what it must know; else from the bytes.
    private func made(_ type: FrameType, _ stream: UInt32) -> Frame {
        switch (type, number) {
        case (.data, _): .data(content, on: stream, endsStream: ends, padding: padding)
        case (.headers, _):
            .headers(
                content, on: stream, endsStream: ends, endsHeaders: !isOpen, dependency: dependency, padding: padding)
        case (.continuation, _): .continuation(content, on: stream, endsHeaders: !isOpen)
        case (.pushPromise, let number?):
            .pushPromise(number, content, on: stream, endsHeaders: !isOpen, padding: padding)
        case (.goAway, let number?): .goAway(lastStream: number, code ?? .noError, debug: content)
        case (.windowUpdate, let number?): .windowUpdate(number, on: stream)
        case (.priorityUpdate, let number?): .priorityUpdate(number, content)
        case (.settings, _) where content.isEmpty: ends ? .settingsAck : .settings(settings)
        case (.ping, _): .ping(content, isAck: ends)
        default:
            if let dependency {
                .priority(dependency, on: stream)
            } else if let code {
                .resetStream(stream, code)
            } else {
                Frame(type, flags: ends ? .endStream : [], stream: stream, payload: content)
            }
        }
    }

    private mutating func take(_ word: [UInt8]) throws(TextError) {
        switch text(word) {
        case "end", "ack": ends = true
        case "open": isOpen = true
        case "reserved": isReserved = true
        case "flags":
            guard let value = UInt8(text(words.popFirst() ?? []), radix: 16) else {
                throw TextError("flags need a number in hexadecimal")
            }
            flags = FrameFlags(rawValue: value)
        case "pad": padding = UInt8(truncatingIfNeeded: try takeNumber())
        case "depends": dependency = StreamDependency(on: try takeNumber())
        case "exclusive": dependency = dependency.map { StreamDependency(on: $0.stream, isExclusive: true) }
        case "weight":
            let weight = Int(try takeNumber())
            dependency = dependency.map {
                StreamDependency(on: $0.stream, isExclusive: $0.isExclusive, weight: weight)
            }
        case "promise", "last", "of", "by": number = try takeNumber()
        case "GET": content += Self.block(Array(Self.request.utf8))
        case let name where name.hasPrefix("hex:"): content += try ByteText.hexadecimal(name.dropFirst(4))
        case let name where name.hasPrefix("["):
            content += Self.block(Array(word.dropFirst().dropLast()))
        default: try takeValue(text(word))
        }
    }

    private mutating func takeValue(_ word: String) throws(TextError) {
        if let named = ErrorCode(named: word) {
            code = named
        } else if word.hasPrefix("0x"), let number = UInt32(word.dropFirst(2), radix: 16) {
            code = ErrorCode(rawValue: number)
        } else if let count = Int(word) {
            content += [UInt8](repeating: 0x61, count: count)
        } else if let star = word.firstIndex(of: "*"), let count = Int(word[..<star]),
            let byte = UInt8(word[word.index(after: star)...], radix: 16)
        {
            content += [UInt8](repeating: byte, count: count)
        } else if let sign = word.firstIndex(of: "="), let value = UInt32(word[word.index(after: sign)...]),
            let identifier = HTTP2SettingIdentifier(named: String(word[..<sign]))
                ?? UInt16(word[..<sign].dropFirst(2), radix: 16).map({ HTTP2SettingIdentifier(rawValue: $0) })
        {
            settings.append(Setting(identifier, value))
        } else {
            throw TextError("unknown word \"\(word)\" of a frame")
        }
    }

    private mutating func takeNumber() throws(TextError) -> UInt32 {
        let word = text(words.popFirst() ?? [])
        guard let number = UInt32(word) else { throw TextError("expected a number, found \"\(word)\"") }
        return number
    }

    private func text(_ word: [UInt8]) -> String { String(decoding: word, as: UTF8.self) }

    /// A field block of literals without indexing, from `name=value` separated by `|`.
    static func block(_ fields: [UInt8]) -> [UInt8] {
        var block = RawBlock()
        let isRequest = fields.starts(with: Array("GET|".utf8))
        let all = isRequest ? Array(request.utf8) + fields.dropFirst(3) : fields
        for field in all.split(separator: UInt8(ascii: "|")) {
            let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            block.literal(.without, name: Array(parts[0]), value: parts.count > 1 ? Array(parts[1]) : [])
        }
        return block.bytes
    }
}
