import ProctorWebSocket
import Testing

/// Frames of a connection, with what a reader makes of them: one behaviour.
struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let frames: [WebSocketFrame]
    /// As `summaries` says it; a violation with its place: `kind frame` and the byte of the head, or `p` and the byte
    /// of the payload.
    let expected: [String]
    var verifier = Verifier()

    var testDescription: String { name }

    init(
        _ name: String, _ frames: [WebSocketFrame], _ expected: [String], limits: WebSocketLimits? = nil,
        compression: DeflateDirection? = nil, bits: ReservedBits = []
    ) {
        self.name = name
        self.frames = frames
        self.expected = expected
        if let limits { verifier.limits = limits }
        verifier.compression = compression
        verifier.permittedBits = bits
    }

    /// The frames as that end receives them; each has a key of its own for a server.
    func frames(to role: WebSocketRole) -> [WebSocketFrame] {
        frames.enumerated().map { index, frame in
            var frame = frame
            frame.maskingKey =
                role == .server ? MaskingKey(0xA1B2_C3D4 &* UInt32(truncatingIfNeeded: index &+ 1)) : nil
            return frame
        }
    }

    /// What is expected, with the offset of each violation in bytes.
    func wanted(to role: WebSocketRole) -> [String] {
        let sizes = frames(to: role).map { frame in
            (head: frame.bytes.count - frame.payload.count, all: frame.bytes.count)
        }
        return expected.map { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard WebSocketViolation.Kind(rawValue: String(words[0])) != nil else { return line }
            guard words.count == 3, let frame = Int(words[1]) else { return "no place in \(line)" }
            let start = sizes[..<frame].reduce(0) { $0 + $1.all }
            let place =
                words[2].hasPrefix("p") ? sizes[frame].head + (Int(words[2].dropFirst()) ?? 0) : Int(words[2]) ?? 0
            return "\(words[0]) at \(start + place)"
        }
    }

    /// What the reader says.
    func found(by role: WebSocketRole) -> [String] {
        let events = events(to: role)
        var violations = events.violations[...]
        return events.summaries.map { line in
            guard WebSocketViolation.Kind(rawValue: line) != nil, let violation = violations.popFirst() else {
                return line
            }
            return "\(line) at \(violation.offset)"
        }
    }

    func events(to role: WebSocketRole) -> [WebSocketEvent] {
        var verifier = verifier
        verifier.role = role
        return verifier.events(of: frames(to: role).flatMap(\.bytes))
    }
}

extension WebSocketFrame {
    static func text(_ text: String, isFinal: Bool = true) -> Self {
        Self(.text, isFinal: isFinal, payload: Array(text.utf8))
    }

    static func text(bytes: [UInt8], isFinal: Bool = true) -> Self { Self(.text, isFinal: isFinal, payload: bytes) }

    static func binary(_ bytes: [UInt8], isFinal: Bool = true) -> Self {
        Self(.binary, isFinal: isFinal, payload: bytes)
    }

    static func more(_ text: String, isFinal: Bool = true) -> Self { more(bytes: Array(text.utf8), isFinal: isFinal) }

    static func more(bytes: [UInt8], isFinal: Bool = true) -> Self {
        Self(.continuation, isFinal: isFinal, payload: bytes)
    }

    static func ping(_ bytes: [UInt8] = [], isFinal: Bool = true) -> Self {
        Self(.ping, isFinal: isFinal, payload: bytes)
    }

    static func ping(_ text: String) -> Self { ping(Array(text.utf8)) }

    static func pong(_ text: String = "", isFinal: Bool = true) -> Self {
        Self(.pong, isFinal: isFinal, payload: Array(text.utf8))
    }

    static func close(_ code: UInt16, _ reason: String = "") -> Self {
        .close(CloseCode(rawValue: code), reason: Array(reason.utf8))
    }

    func with(_ bits: ReservedBits) -> Self {
        var copy = self
        copy.reserved = bits
        return copy
    }

    func departing(_ change: (inout Departures) -> Void) -> Self {
        var copy = self
        change(&copy.departures)
        return copy
    }
}

func repeated(_ count: Int, _ byte: UInt8 = 0x2A) -> [UInt8] { [UInt8](repeating: byte, count: count) }
