import ProctorHTTP
import ProctorHTTP2
import ProctorTestSupport

/// One end of a connection of HTTP/2, played from steps between `; `, and what it says of the other end's frames.
///
/// A step is a frame of the peer, `our` and a frame, `method HEAD 1`, `tunnel 1`, `show 1` (the windows of a stream), or
/// `new interval` for the counts of floods. A stream may be `+`, the next one of the same end, or `=`, the same again.
struct ConnectionLines: ~Copyable {
    private var state: ConnectionState
    private var reader = FrameReader(expectsPreface: false)
    /// Given the same bytes one by one.
    private var slowReader = FrameReader(expectsPreface: false)
    private let showsEvents: Bool
    private var lines: [String] = []
    private var lastStream = -1
    /// Steps of a flood repeat.
    private var frames: [[UInt8]: Frame] = [:]
    /// Set where bytes are changed.
    private var generator: SeededGenerator?

    static func read(_ text: [UInt8], _ block: Block) throws -> [String] {
        guard let role = ConnectionState.Role(rawValue: block.words.first ?? ""),
            let state = ConnectionState(role: role)
        else { throw TextError("a connection needs the word client or server first") }
        var reading = ConnectionLines(state: state, showsEvents: block.has("events"))
        if !block.has("bare") { try reading.receive(Frame.settings([]), isTold: false) }
        let steps = text.steps
        for step in steps { try reading.take(step) }
        if steps.count < 30 { try reading.changeBytes(of: steps, role) }
        return reading.lines.isEmpty ? ["fine"] : reading.lines.counted
    }

    /// The same steps with bytes that are changed at random, always the same ones: nothing traps, and what the peer can
    /// make us remember stays bounded.
    private mutating func changeBytes(of steps: [[UInt8]], _ role: ConnectionState.Role) throws {
        for seed in 0..<2 {
            guard let state = ConnectionState(role: role) else { continue }
            var changed = ConnectionLines(state: state, showsEvents: false)
            changed.generator = SeededGenerator(seed: UInt64(seed + steps.count))
            for step in steps + steps { try changed.take(step) }
            lines += changed.lines.filter { $0.contains("not printable") || $0.contains("without its place") }
            if changed.state.streamCount > changed.state.bounds.streams {
                lines.append("\(changed.state.streamCount) streams")
            }
        }
    }

    private init(state: consuming ConnectionState, showsEvents: Bool) {
        self.state = state
        self.showsEvents = showsEvents
    }

    private mutating func take(_ step: [UInt8]) throws {
        if let frame = frames[step] { return try receive(frame) }
        var words = String(decoding: step, as: UTF8.self).split(separator: " ").map(String.init)
        switch words[0] {
        case "our": state.willSend(try FrameText.frame(Array(step.dropFirst(4))))
        case "method": state.sentRequest(Array(words[1].utf8), on: UInt32(words[2]) ?? 0)
        case "tunnel": state.acceptedTunnel(on: UInt32(words[1]) ?? 0)
        case "new": state.clearFloods()
        case "show":
            let stream = UInt32(words[1]) ?? 0
            lines.append(
                "send \(state.sendWindow(of: stream).map { "\($0.size)" } ?? "-") of \(state.sendWindow.size), "
                    + "receive \(state.receiveWindow(of: stream).map { "\($0.size)" } ?? "-") of "
                    + "\(state.receiveWindow.size)")
        default:
            if words.count > 1, words[1] == "+" || words[1] == "=" {
                if words[1] == "+" { lastStream += 2 }
                words[1] = String(lastStream)
                try receive(try FrameText.frame(Array(words.joined(separator: " ").utf8)))
            } else {
                let frame = try FrameText.frame(step)
                frames[step] = frame
                try receive(frame)
            }
        }
    }

    private mutating func receive(_ frame: Frame, isTold: Bool = true) throws {
        var bytes: [UInt8] = []
        FrameWriter.append(frame, to: &bytes)
        if generator != nil { change(&bytes) }
        var parts: [FrameReader.Part] = []
        var position = 0
        while let part = reader.next(bytes.span, at: &position) { parts.append(part) }
        if bytes.count < 300, generator == nil {
            var slowParts: [FrameReader.Part] = []
            for byte in bytes {
                position = 0
                while let part = slowReader.next([byte].span, at: &position) { slowParts.append(part) }
            }
            if slowParts != parts { lines.append("byte by byte other frames: \(slowParts)") }
        } else {
            slowReader = reader
        }
        var events: [ConnectionEvent] = []
        for case .frame(let read) in parts {
            state.receive(read, into: &events)
            for event in events where isTold { add(event, read) }
            events = []
        }
    }

    /// The length is seldom changed, since what follows would be lost in a long frame.
    private mutating func change(_ bytes: inout [UInt8]) {
        guard var generator else { return }
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let first = Int.random(in: 0..<8, using: &generator) == 0 ? 0 : 3
            bytes[Int.random(in: first..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        self.generator = generator
    }

    private mutating func add(_ event: ConnectionEvent, _ read: ReadFrame) {
        if case .violation(let violation) = event {
            lines.append(HTTP2Lines.violation(violation))
        } else if showsEvents {
            lines.append(HTTP2Lines.event(event, of: read.frame))
        }
    }
}
