import Testing

@testable import ProctorHTTP2

/// Frames of a connection, and what is wrong with them.
struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let role: ConnectionState.Role
    let steps: [Step]
    /// `kind code scope section`, in their order; the code by its initials.
    let expected: [String]
    /// Whether SETTINGS of the peer come first.
    var begins = true

    var testDescription: String { "\(role): \(name)" }

    init(_ name: String, _ role: ConnectionState.Role, _ steps: [Step], _ expected: [String] = [], begins: Bool = true)
    {
        self.name = name
        self.role = role
        self.steps = steps
        self.expected = expected
        self.begins = begins
    }

    enum Step: Sendable {
        /// From the peer.
        case peer(Frame)
        /// The same with any bytes.
        case raw([UInt8])
        case ours(Frame)
        case method(String, UInt32)
        case tunnel(UInt32)
    }
}

extension Row {
    /// What the connection says, after the bytes went through the shared verifier.
    func events() throws -> [ConnectionEvent] {
        var state = try ConnectionState.make(role)
        var events: [ConnectionEvent] = []
        var reader = FrameReader(expectsPreface: false)
        for step in (begins ? [Step.peer(.settings([]))] : []) + steps {
            switch step {
            case .peer(let frame): try take(frame.bytes, &reader, &state, &events)
            case .raw(let bytes): try take(bytes, &reader, &state, &events)
            case .ours(let frame): state.willSend(frame)
            case .method(let method, let stream): state.sentRequest(Array(method.utf8), on: stream)
            case .tunnel(let stream): state.acceptedTunnel(on: stream)
            }
        }
        return events
    }

    private func take(
        _ bytes: [UInt8], _ reader: inout FrameReader, _ state: inout ConnectionState, _ events: inout [ConnectionEvent]
    ) throws {
        if bytes.count < 300 { _ = Verifier.parts(of: bytes) }
        var position = 0
        while let part = reader.next(bytes.span, at: &position) {
            guard case .frame(let frame) = part else { throw Verifier.Missing() }
            state.receive(frame, into: &events)
        }
    }
}

extension [ConnectionEvent] {
    var violations: [HTTP2Violation] {
        compactMap { event -> HTTP2Violation? in if case .violation(let violation) = event { violation } else { nil } }
    }
}

extension HTTP2Violation {
    /// `frame-on-idle-stream P connection 9113 §5.1`.
    var summary: String {
        let code =
            switch errorCode {
            case .protocolError?: "P"
            case .frameSizeError?: "FS"
            case .flowControlError?: "FC"
            case .compressionError?: "C"
            case .streamClosed?: "SC"
            case .refusedStream?: "RS"
            case .enhanceYourCalm?: "CALM"
            case nil: "-"
            case let other?: "\(other)"
            }
        return "\(kind.rawValue) \(code) \(scope.rawValue) \(section.dropFirst(4))"
    }
}

extension Row.Step {
    static let request = ":method=GET|:scheme=https|:authority=a|:path=/"

    /// HEADERS of the peer.
    static func head(
        _ stream: UInt32, _ fields: String = request, ends: Bool = true, endsHeaders: Bool = true
    ) -> Self {
        .peer(.headers(block(fields), on: stream, endsStream: ends, endsHeaders: endsHeaders))
    }

    /// Our own request or response.
    static func ourHead(_ stream: UInt32, ends: Bool = true) -> Self {
        .ours(.headers(block(":status=200"), on: stream, endsStream: ends))
    }

    static func data(_ stream: UInt32, _ count: Int = 1, ends: Bool = false, padding: UInt8? = nil) -> Self {
        .peer(.data([UInt8](repeating: 0x61, count: count), on: stream, endsStream: ends, padding: padding))
    }

    static func frame(_ type: UInt8, _ flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) -> Self {
        .peer(
            Frame(
                FrameType(rawValue: type), flags: FrameFlags(rawValue: flags), stream: stream, payload: payload))
    }

    static func set(_ identifier: Setting.Identifier, _ value: UInt32) -> Self {
        .peer(.settings([Setting(identifier, value)]))
    }

    /// Ours, acknowledged.
    static func ourSet(_ identifier: Setting.Identifier, _ value: UInt32) -> [Self] {
        [.ours(.settings([Setting(identifier, value)])), .peer(.settingsAck)]
    }

    static func window(_ increment: UInt32, _ stream: UInt32 = 0) -> Self {
        .peer(.windowUpdate(increment, on: stream))
    }

    static func reset(_ stream: UInt32) -> Self { .peer(.resetStream(stream, .cancel)) }
}

extension ConnectionState {
    /// `#require` takes no value that cannot be copied.
    static func make(_ role: Role) throws -> ConnectionState {
        guard let state = ConnectionState(role: role) else { throw Verifier.Missing() }
        return state
    }
}
