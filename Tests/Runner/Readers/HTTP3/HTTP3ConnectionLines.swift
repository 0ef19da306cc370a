import ProctorBase
import ProctorHTTP
import ProctorHTTP3
import ProctorQUICWire
import ProctorTestSupport

/// One end of a connection of HTTP/3, played from steps between `; `, and what it says of what the other end sends.
///
/// A step is a stream and what comes on it: `2 control SETTINGS`, `0 HEADERS GET end`, `6 encoder insert a=b`, `0 end`,
/// `0 reset H3_NO_ERROR`, `0 stop H3_NO_ERROR`, `3 push 0 HEADERS [:status=200]`, `2 type 33 hex:00`. A stream may be `+`, the
/// next request; `~`, the next unidirectional stream of the peer from 400 on; or `=`, the same again. Or it is
/// `our goaway 4`, `our max-push 1`, `our request HEAD 0`, `our critical 3`, `our promise 0 [a=b]`, `our tunnel 0`, or
/// `send`: what the coders send. Words of the block: `server` or `client`, `events`, and our parameters as `capacity N`,
/// `blocked N`, `size N`, `connect`; and our bounds as `keeps N` (bytes behind a section that waits) and
/// `most N` (of a frame).
///
/// With the word `answers` a server's session is played, and tells what it sends: `lenient` answers no violation, `tells` adds the
/// requests that are handed on; a step
/// `our goaway 4` is then sent, `our fields 0 [a=b]` and `our content 0 text` too.
///
/// All steps are played whole, byte by byte, and with bytes changed at random both ways.
struct HTTP3ConnectionLines {
    private enum Act {
        case bytes(UInt64, [UInt8], ends: Bool)
        case reset(UInt64, HTTP3Code)
        case stop(UInt64, HTTP3Code)
        case our([String], [UInt8])
        case send
    }

    private let role: HTTP3State.Role
    private let settings: [HTTP3Setting]
    private let showsEvents: Bool
    private var answers: HTTP3Answers?
    private var bounds = HTTP3Bounds()

    static func read(_ text: [UInt8], _ block: Block) throws -> [String] {
        guard let role = HTTP3State.Role(rawValue: block.words.first ?? "") else {
            throw TextError("a connection needs the word client or server first")
        }
        var settings: [HTTP3Setting] = []
        for (word, identifier) in [
            ("capacity", HTTP3SettingIdentifier.maxTableCapacity), ("blocked", .blockedStreams),
            ("size", .maxFieldSectionSize),
        ] {
            if let value = try block.number(of: word) { settings.append(HTTP3Setting(identifier, UInt64(value))) }
        }
        if block.has("connect") { settings.append(HTTP3Setting(.enableConnectProtocol, 1)) }
        var reading = HTTP3ConnectionLines(role: role, settings: settings, showsEvents: block.has("events"))
        reading.bounds.waitingByteCount = try block.number(of: "keeps") ?? reading.bounds.waitingByteCount
        reading.bounds.frameByteCount = try block.number(of: "most") ?? reading.bounds.frameByteCount
        if block.has("answers") {
            reading.answers = HTTP3Answers(
                isLenient: block.has("lenient"), few: block.has("few"), tells: block.has("tells"))
        }
        let acts = try Self.acts(text.steps, role)
        var lines = try reading.play(acts, isSlow: false).counted
        guard acts.count < 300 else { return lines.isEmpty ? ["fine"] : lines }
        let slow = try reading.play(acts, isSlow: true).counted
        if slow != lines { lines.append("byte by byte other lines: \(slow)") }
        for seed in 0..<4 {
            var random = SeededGenerator(seed: UInt64(seed + acts.count))
            let changed = acts.map { Self.change($0, &random) }
            let whole = try reading.play(changed, isSlow: false)
            let slow = try reading.play(changed, isSlow: true)
            if whole != slow { lines.append("changed \(seed): \(whole), byte by byte \(slow)") }
            lines += whole.filter { $0.contains("not printable") || $0.contains("without its place") }
        }
        return lines.isEmpty ? ["fine"] : lines
    }

    // MARK: Steps

    private static func acts(_ steps: [[UInt8]], _ role: HTTP3State.Role) throws -> [Act] {
        var requests: UInt64 = 0
        var others: UInt64 = role == .server ? 402 : 403
        var last: UInt64 = 0
        return try steps.map { step in
            let words = FrameText.words(step)
            let first = String(decoding: words[0], as: UTF8.self)
            switch first {
            case "send": return .send
            case "our": return .our(words.dropFirst().map { String(decoding: $0, as: UTF8.self) }, words.last ?? [])
            case "+":
                last = requests
                requests += 4
            case "~":
                last = others
                others += 4
            case "=": break
            default:
                guard let number = UInt64(first) else { throw TextError("expected a stream, found \"\(first)\"") }
                last = number
            }
            return try act(words.dropFirst(), on: last)
        }
    }

    private static func act(_ words: ArraySlice<[UInt8]>, on stream: UInt64) throws -> Act {
        var words = words
        var bytes: [UInt8] = []
        let texts = words.map { String(decoding: $0, as: UTF8.self) }
        if texts.count == 2, texts[0] == "reset" || texts[0] == "stop" {
            guard let code = HTTP3Code(named: texts[1]) else { throw TextError("unknown code \"\(texts[1])\"") }
            return texts[0] == "reset" ? .reset(stream, code) : .stop(stream, code)
        }
        let ends = texts.last == "end"
        if ends { words.removeLast() }
        if let type = texts.first.flatMap({ HTTP3StreamType(named: $0) }), stream & 2 != 0 {
            VariableInteger.append(type.rawValue, to: &bytes)
            words.removeFirst()
            if type == .push, texts.count > 1, let id = UInt64(texts[1]) {
                VariableInteger.append(id, to: &bytes)
                words.removeFirst()
            }
        } else if texts.first == "type", texts.count > 1, let number = UInt64(texts[1]) {
            VariableInteger.append(number, to: &bytes)
            words = words.dropFirst(2)
        }
        if !words.isEmpty { bytes += try HTTP3FrameText.bytes(words) }
        return .bytes(stream, bytes, ends: ends)
    }

    private static func change(_ act: Act, _ random: inout SeededGenerator) -> Act {
        guard case .bytes(let stream, var bytes, let ends) = act, !bytes.isEmpty else { return act }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        return .bytes(stream, bytes, ends: ends)
    }

    // MARK: Playing

    private func play(_ acts: [Act], isSlow: Bool) throws -> [String] {
        if let answers { return try play(acts, isSlow, answers) }
        var state = HTTP3State(role: role, settings: settings)
        state.bounds = bounds
        var lines: [String] = []
        for act in acts {
            var events: [HTTP3Event] = []
            switch act {
            case .bytes(let stream, let bytes, let ends):
                let pieces = isSlow && !bytes.isEmpty ? bytes.map { [$0] } : [bytes]
                for (index, piece) in pieces.enumerated() {
                    state.receive(
                        piece.span, on: stream, ends: ends && index == pieces.count - 1, into: &events)
                }
            case .reset(let stream, let code): state.receiveReset(stream, code, into: &events)
            case .stop(let stream, let code): state.receiveStop(stream, code, into: &events)
            case .our(let words, let fields): try tell(&state, words, fields)
            case .send:
                let sent = state.takeInstructions()
                lines.append("encoder \(sent.encoder.hexadecimal), decoder \(sent.decoder.hexadecimal)")
            }
            lines += joined(events).compactMap(line)
        }
        return lines
    }

    /// What a session sends.
    private func play(_ acts: [Act], _ isSlow: Bool, _ answers: HTTP3Answers) throws -> [String] {
        let carrier = CarrierLines(few: answers.few)
        let session = HTTP3Session(over: carrier, settings: settings) { event, _ in
            if answers.tells, case .head(let stream, _) = event { carrier.lines.append("head \(stream)") }
        }
        if answers.isLenient { session.code = { _ in nil } }
        session.open()
        for act in acts {
            switch act {
            case .bytes(let stream, let bytes, let ends):
                let pieces = isSlow && !bytes.isEmpty ? bytes.map { [$0] } : [bytes]
                for (index, piece) in pieces.enumerated() where !carrier.isOver {
                    session.receive(piece.span, on: stream, ends: ends && index == pieces.count - 1)
                }
            case .reset(let stream, let code): session.receiveReset(stream, code)
            case .stop(let stream, let code): session.receiveStop(stream, code)
            case .our(let words, let fields):
                let stream = words.count > 1 ? UInt64(words[1]) ?? 0 : 0
                switch words[0] {
                case "goaway": session.goAway(from: stream)
                case "fields": session.sendFields(EncoderLines.fields(fields), on: stream)
                case "content": session.sendContent(fields[...], on: stream, ends: true)
                default: throw TextError("unknown step \"our \(words[0])\" of a session")
                }
            case .send: break
            }
        }
        return carrier.lines
    }

    private func tell(_ state: inout HTTP3State, _ words: [String], _ fields: [UInt8]) throws {
        let number = words.count > 1 ? UInt64(words[1]) ?? 0 : 0
        switch words[0] {
        case "goaway": state.sentGoAway(number)
        case "max-push": state.sentMaxPushID(number)
        case "critical": state.openedCritical(number)
        case "tunnel": state.acceptedTunnel(on: number)
        case "promise": state.sentPromise(number, EncoderLines.fields(fields))
        case "request": state.sentRequest(Array(words[1].utf8), on: words.count > 2 ? UInt64(words[2]) ?? 0 : 0)
        default: throw TextError("unknown step \"our \(words[0])\"")
        }
    }

    /// Content that came in pieces as one event.
    private func joined(_ events: [HTTP3Event]) -> [HTTP3Event] {
        var joined: [HTTP3Event] = []
        for event in events {
            if case .content(let stream, let more) = event, case .content(stream, let before)? = joined.last {
                joined[joined.count - 1] = .content(stream: stream, before + more)
            } else {
                joined.append(event)
            }
        }
        return joined
    }

    private func line(_ event: HTTP3Event) -> String? {
        if case .violation(let violation) = event { return HTTP3Lines.violation(violation) }
        return showsEvents ? HTTP3Lines.event(event) : nil
    }
}

/// How a session is played.
struct HTTP3Answers {
    let isLenient: Bool
    /// Whether the client permits no streams of ours.
    let few: Bool
    /// Whether requests that are handed on are told too.
    let tells: Bool
}

/// A connection of QUIC that writes down what it is to send.
private final class CarrierLines: HTTP3Carrier {
    var lines: [String] = []
    private(set) var isOver = false
    private var next: UInt64 = 3
    private let few: Bool

    init(few: Bool) { self.few = few }

    func openStream() -> UInt64? {
        guard !few else { return nil }
        defer { next += 4 }
        return next
    }

    func send(_ bytes: [UInt8], on stream: UInt64, ends: Bool) {
        lines.append("\(stream) sends \(bytes.hexadecimal)" + (ends ? " end" : ""))
    }

    func credit(_ byteCount: Int, on stream: UInt64) {}

    func reset(_ stream: UInt64, code: UInt64) { lines.append("reset \(stream) \(HTTP3Code(rawValue: code))") }

    func stop(_ stream: UInt64, code: UInt64) { lines.append("stop \(stream) \(HTTP3Code(rawValue: code))") }

    func close(code: UInt64, reason: String) {
        guard !isOver else { return }
        isOver = true
        lines.append("close \(HTTP3Code(rawValue: code)): \(reason)")
    }
}
