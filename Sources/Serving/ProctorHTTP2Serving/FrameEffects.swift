internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorScenario
internal import ProctorServing

extension FrameShape {
    static let mostOverhead = 1 + Int(UInt8.max)
}

extension HTTP2Connection {
    /// The eight bytes of a PING.
    private static let pingBytes = Array("proctor!".utf8)

    func perform(_ frames: FrameAction) throws(ConnectionEnd) { try performFrames(frames, on: nil) }

    /// Plays an effect of frames; `stream` is that of the reply, nil before any request.
    ///
    /// Throws where the effect ends the stream. What changes the frames of a reply is its player's.
    func performFrames(_ action: FrameAction, on stream: MultiplexedStream?) throws(ConnectionEnd) {
        switch action {
        case .goAway(let code, let last): try goAway(code, last: last, on: stream)
        case .resetStream(let code, .this):
            guard let stream else { return }
            send(.resetStream(stream.id, ErrorCode(code)))
            throw .streamEnded
        case .resetStream, .stopSending, .closeConnection, .bytes:
            throw .unanswerable("its effect does what HTTP/2 has not")
        case .settings(let settings):
            expectAcknowledgement()
            send(.settings(settings))
        case .ping: send(.ping(Self.pingBytes))
        case .window(let increment, let isOfConnection):
            send(.windowUpdate(increment, on: isOfConnection ? 0 : stream?.id ?? 0))
        case .frame(let template): try sendTemplate(template, on: stream)
        case .push, .pad, .continuation: return
        }
    }

    /// The connection stays open: `close` is another effect.
    private func goAway(
        _ code: ErrorCode, last: FrameAction.LastStream, on stream: MultiplexedStream?
    ) throws(ConnectionEnd) {
        let own = stream?.id ?? 0
        let number =
            switch last {
            case .highest: state.lastStreamOfPeer
            case .this: own
            case .before: own > 2 ? own - 2 : 0
            case .most: UInt32.max >> 1
            case .number(let number): number
            }
        send(.goAway(lastStream: number, code))
        abandonStreams(above: number)
        if let stream, stream.id > number { throw .streamEnded }
    }

    private func sendTemplate(_ template: FrameTemplate, on stream: MultiplexedStream?) throws(ConnectionEnd) {
        guard let type = template.type.http2 else {
            throw .unanswerable("its effect sends \(template.type.text), which HTTP/2 has not")
        }
        let number =
            switch template.stream {
            case .this: stream?.id ?? 0
            case .connection, .critical: 0
            case .number(let number): number
            case .idle: nextStreamOfPeer
            } as UInt32
        let payload: [UInt8]
        var block: FieldBlockNote?
        switch template.content {
        case .payload(let bytes): payload = bytes
        case .fields(let fields, let promised):
            let fields = fields.map { HeaderField($0.name, $0.value.literalBytes ?? []) }
            let kind = promised == nil ? fields.kindOfReply : .promise
            let (bytes, note) = try blocks.write(fields, as: kind, on: number)
            payload = promised.map { Frame.pushPromise($0, bytes, on: 0).payload } ?? bytes
            block = note
        }
        send(
            Frame(
                type, flags: template.flags, stream: number, hasReservedBit: template.hasReservedBit,
                payload: payload), statedByteCount: template.statedByteCount)
        if let block { journalSentBlock(block) }
    }

    /// The lowest stream that the client can still open.
    private var nextStreamOfPeer: UInt32 {
        let last = state.lastStreamOfPeer
        return last == 0 ? 1 : min(last, UInt32.max >> 1 - 2) + 2
    }
}

extension ErrorCode {
    /// The code as HTTP/2 sends it: a number of HTTP/3 as it stands.
    fileprivate init(_ code: EndCode) {
        self =
            switch code {
            case .http2(let code): code
            case .http3, .number: ErrorCode(rawValue: UInt32(clamping: code.rawValue))
            }
    }
}

extension [HeaderField] {
    /// What a client takes the section for.
    fileprivate var kindOfReply: SectionKind {
        guard let status = first(where: { $0.name.elementsEqual(":status".utf8) })?.value else { return .trailers }
        return status.first == UInt8(ascii: "1") ? .interim : .response
    }
}
