import ProctorBase
import ProctorWebSocket
import Testing

/// Feeds a reader whole, byte by byte, cut in two at every place, between empty pieces and before other bytes.
struct Verifier: Sendable {
    var role = WebSocketRole.server
    var limits = WebSocketLimits()
    var compression: DeflateDirection?
    var permittedBits: ReservedBits = []

    /// The events, of which neighbouring content is one, and what is wrong where the bytes end.
    struct Reading: Equatable {
        var events: [WebSocketEvent] = []
        var end: WebSocketViolation?
    }

    func read(_ pieces: [[UInt8]], sourceLocation: Testing.SourceLocation = #_sourceLocation) -> Reading {
        var reader = WebSocketReader(
            role: role, limits: limits, compression: compression, permittedBits: permittedBits)
        var reading = Reading()
        for piece in pieces {
            var position = 0
            while let event = reader.next(piece.span, at: &position) {
                if case .content(let more) = event, case .content(let before)? = reading.events.last {
                    reading.events[reading.events.count - 1] = .content(before + more)
                } else {
                    reading.events.append(event)
                }
            }
            #expect(position == piece.count, "all input is consumed before nil", sourceLocation: sourceLocation)
        }
        reading.end = reader.finish()
        return reading
    }

    func events(
        of input: [UInt8], sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> [WebSocketEvent] { reading(of: input, sourceLocation: sourceLocation).events }

    func reading(of input: [UInt8], sourceLocation: Testing.SourceLocation = #_sourceLocation) -> Reading {
        let whole = read([input])
        if input.count < 2_000 {
            #expect(read(input.map { [$0] }) == whole, "byte by byte", sourceLocation: sourceLocation)
        }
        // Every place of a short input, and some of a long one.
        for cut in stride(from: 0, through: input.count, by: input.count < 500 ? 1 : input.count / 9) {
            let parts = read([Array(input[..<cut]), Array(input[cut...])], sourceLocation: sourceLocation)
            #expect(parts == whole, "cut at \(cut)", sourceLocation: sourceLocation)
            guard parts == whole else { break }
        }
        #expect(read([[], input, []]) == whole, "between empty pieces", sourceLocation: sourceLocation)
        for trailing: [UInt8] in [[0], [0xFF, 0xFF, 0xFF], Array("GET / HTTP/1.1\r\n\r\n".utf8)] {
            expect(read([input + trailing]).events, beginsWith: whole.events, sourceLocation)
        }
        return whole
    }

    /// More bytes may lengthen the last content.
    private func expect(
        _ longer: [WebSocketEvent], beginsWith events: [WebSocketEvent], _ sourceLocation: Testing.SourceLocation
    ) {
        guard case .content(let last)? = events.last else {
            #expect(Array(longer.prefix(events.count)) == events, "with trailing bytes", sourceLocation: sourceLocation)
            return
        }
        #expect(Array(longer.prefix(events.count - 1)) == events.dropLast(), sourceLocation: sourceLocation)
        guard longer.count >= events.count, case .content(let more) = longer[events.count - 1] else {
            Issue.record("the content is gone: \(longer)", sourceLocation: sourceLocation)
            return
        }
        #expect(more.starts(with: last), sourceLocation: sourceLocation)
    }
}

extension [WebSocketEvent] {
    var violations: [WebSocketViolation] {
        compactMap { event -> WebSocketViolation? in
            if case .violation(let violation) = event { violation } else { nil }
        }
    }

    /// Messages, control frames and violations in a line each: `text Hello`, `ping 01`, `bad-utf8`; a message without
    /// its end has dots.
    var summaries: [String] {
        var lines: [String] = []
        var open: (kind: String, content: [UInt8])?
        for event in self {
            switch event {
            case .frame, .frameEnded: break
            case .messageBegan(let kind, _):
                if let open { lines.append("\(open.kind) \(Self.shown(open.content))…") }
                open = (kind.rawValue, [])
            case .content(let bytes): open?.content += bytes
            case .messageEnded:
                if let done = open { lines.append("\(done.kind) \(Self.shown(done.content))") }
                open = nil
            case .ping(let payload): lines.append("ping \(Self.shown(payload))")
            case .pong(let payload): lines.append("pong \(Self.shown(payload))")
            case .close(let code, let reason):
                lines.append("close \(code.map { String($0.rawValue) } ?? "-") \(Self.shown(reason))")
            case .violation(let violation): lines.append(violation.kind.rawValue)
            }
        }
        if let open { lines.append("\(open.kind) \(Self.shown(open.content))…") }
        return lines
    }

    /// Short text as it stands, other bytes in hexadecimal, long ones as their number.
    static func shown(_ bytes: [UInt8]) -> String {
        if bytes.count > 200 { return "(\(bytes.count))" }
        if let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) {
            return text
        }
        return bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined(separator: " ")
    }
}
