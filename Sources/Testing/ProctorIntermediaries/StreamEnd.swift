internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorProgram

/// The client's end of a connection with streams (RFC 9113): it sends the frames that it is told to.
///
/// By itself it acknowledges SETTINGS and PING, and gives back the windows as content comes; nothing else.
final class StreamEnd {
    private let encoder: HeaderEncoder
    private var state: ConnectionState
    private var reader = FrameReader(expectsPreface: false)
    /// The stream that was opened last; 0 before the first.
    private var last: UInt32 = 0

    typealias Part = DownstreamNote.Part

    /// nil without memory.
    init?() {
        guard let encoder = HeaderEncoder(), let state = ConnectionState(role: .client) else { return nil }
        self.encoder = encoder
        self.state = state
    }

    /// What the connection begins with: the preface, and SETTINGS by which no stream is promised.
    func preface() -> [UInt8] { FrameReader.preface + bytes(of: .settings([Setting(.enablePush, 0)])) }

    /// The bytes of a frame with `fill` in its values, and what it says; nil without memory.
    func write(_ frame: ByteAct.Frame, fill: ([UInt8]) -> [UInt8]) -> (bytes: [UInt8], part: Part)? {
        let content = StreamFrame(frame, fill: fill)
        if let stream = frame.stream {
            last = max(last, UInt32(clamping: stream))
        } else if content.method != nil {
            last = last == 0 ? 1 : min(last, UInt32.max >> 1 - 2) + 2
        }
        let stream = frame.stream.map { UInt32(clamping: $0) } ?? last
        var payload = content.payload
        if frame.fields != nil {
            guard let block = encoder.encode(content.fields) else { return nil }
            payload = block.bytes
        }
        let written = bytes(
            of: Frame(
                FrameType(rawValue: frame.type), flags: FrameFlags(rawValue: frame.flags), stream: stream,
                payload: payload))
        if let method = content.method { state.sentRequest(method, on: stream) }
        return (written, content.part(on: stream) { $0.description })
    }

    /// What came, and the bytes that answer it by themselves.
    func read(_ bytes: [UInt8]) -> (parts: [Part], answer: [UInt8]) {
        var parts: [Part] = []
        var answer: [UInt8] = []
        var position = 0
        while let item = reader.next(bytes.span, at: &position) {
            guard case .frame(let frame) = item else { continue }
            var events: [ConnectionEvent] = []
            state.receive(frame, into: &events)
            for event in events { read(event, frame.frame.payload, &parts, &answer) }
        }
        return (parts, answer)
    }

    private func read(_ event: ConnectionEvent, _ payload: [UInt8], _ parts: inout [Part], _ answer: inout [UInt8]) {
        func add(_ what: Part.What, _ stream: UInt32, _ block: ConnectionEvent.FieldBlock) {
            parts.append(
                Part(by: .server, what, on: stream, fields: block.section.fields, endsStream: block.endsStream))
        }
        switch event {
        case .head(let stream, let block): add(.head, stream, block)
        case .trailers(let stream, let block): add(.trailers, stream, block)
        case .data(let stream, let range, let flow, let ends):
            parts.append(Part(by: .server, .content, on: stream, bytes: Array(payload[range]), endsStream: ends))
            guard flow > 0 else { return }
            answer += self.bytes(of: .windowUpdate(UInt32(clamping: flow)))
            if !ends { answer += self.bytes(of: .windowUpdate(UInt32(clamping: flow), on: stream)) }
        case .reset(let stream, let code): parts.append(Part(by: .server, .reset, on: stream, code: code.description))
        case .goAway(_, let code, let debug):
            parts.append(Part(by: .server, .goaway, on: 0, bytes: Array(payload[debug]), code: code.description))
        case .settings(let settings):
            parts.append(Part(by: .server, .settings, on: 0))
            encoder.follow(settings)
            answer += self.bytes(of: .settingsAck)
        case .ping(let opaque): answer += self.bytes(of: .ping(opaque, isAck: true))
        case .violation(let violation):
            let words = Array("\(violation.sentence) (\(violation.section))".utf8)
            parts.append(
                Part(by: .server, .violation, on: violation.stream, bytes: words, code: violation.kind.rawValue))
        case .settingsAcknowledged, .pingAcknowledged, .window, .priority, .priorityUpdate, .push, .unknown: return
        }
    }

    private func bytes(of frame: Frame) -> [UInt8] {
        state.willSend(frame)
        var bytes: [UInt8] = []
        FrameWriter.append(frame, to: &bytes)
        return bytes
    }
}

/// What a frame of a case says, whichever protocol carries it.
struct StreamFrame {
    let kind: Kind
    /// Whether nothing of the client follows on its stream.
    let endsStream: Bool
    let fields: [HeaderField]
    /// nil: the fields are no head of a request.
    let method: [UInt8]?
    let payload: [UInt8]

    enum Kind {
        case fields, content, reset, goAway
        /// A frame of another type, by its name.
        case other(String)
    }

    /// `fill` puts values into the text of fields and of the payload.
    init(_ frame: ByteAct.Frame, fill: ([UInt8]) -> [UInt8]) {
        let type = FrameType(rawValue: frame.type)
        kind =
            switch type {
            case .headers: .fields
            case .data: .content
            case .resetStream: .reset
            case .goAway: .goAway
            default: .other(type.description)
            }
        endsStream = (type == .data || type == .headers) && FrameFlags(rawValue: frame.flags).contains(.endStream)
        fields = (frame.fields ?? []).map { pair in
            HeaderField(Array((pair.first ?? "").utf8), fill(Array((pair.last ?? "").utf8)))
        }
        method = fields.first { $0.name == Array(":method".utf8) }?.value
        payload = fill(frame.payload.literal)
    }

    /// For the journal; `codeName` gives the error code its name.
    func part(on stream: UInt32, codeName: (ErrorCode) -> String) -> StreamEnd.Part {
        func code(_ bytes: ArraySlice<UInt8>) -> String? { Self.errorCode(in: bytes).map(codeName) }
        return switch kind {
        case .fields:
            StreamEnd.Part(
                by: .client, method == nil ? .trailers : .head, on: stream, fields: fields, endsStream: endsStream)
        case .content: StreamEnd.Part(by: .client, .content, on: stream, bytes: payload, endsStream: endsStream)
        case .reset: StreamEnd.Part(by: .client, .reset, on: stream, code: code(payload[...]))
        case .goAway: StreamEnd.Part(by: .client, .goaway, on: stream, code: code(payload.dropFirst(4)))
        case .other(let name): StreamEnd.Part(by: .client, .frame, on: stream, bytes: payload, code: name)
        }
    }

    /// The error code that four bytes are; nil where they are fewer.
    static func errorCode(in payload: ArraySlice<UInt8>) -> ErrorCode? {
        guard payload.count >= 4 else { return nil }
        return ErrorCode(rawValue: payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
}
