internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorImport

/// A reply of HTTP/2 on the only stream of a connection (RFC 9113).
///
/// ``ConnectionState`` knows windows, states and rules; what is read here goes on to the client before more is read.
final class StreamReader: UpstreamReader {
    private var frames: ConnectionState
    private let encoder: HeaderEncoder
    private var reader = FrameReader(expectsPreface: false)
    private var output = FrameReader.preface
    private let isHead: Bool
    /// Content of the request that no window has had room for yet.
    private var unsent: ArraySlice<UInt8>
    private var events: [UpstreamEvent] = []
    private var failure: UpstreamFailure?
    private var hasEnded = false
    private var hasHead = false

    private static let number: UInt32 = 1

    /// nil without memory.
    init?(_ request: HandedRequest) {
        guard let frames = ConnectionState(role: .client), let encoder = HeaderEncoder(),
            let block = encoder.encode(request.sectionFields)
        else { return nil }
        self.frames = frames
        self.encoder = encoder
        isHead = request.method == Array("HEAD".utf8)
        unsent = request.content[...]
        send(.settings([Setting(.enablePush, 0), Setting(.maxHeaderListSize, UInt32(ReplyLimits().headByteCount))]))
        let heads = Frame.headers(
            dividing: block.bytes, on: Self.number, endsStream: unsent.isEmpty, most: FrameLimits.smallestMaximum)
        for frame in heads { send(frame) }
        self.frames.sentRequest(request.method, on: Self.number)
        sendContent()
    }

    private func send(_ frame: Frame) {
        frames.willSend(frame)
        FrameWriter.append(frame, to: &output)
    }

    /// Sends content as far as the windows permit (RFC 9113 §5.2).
    private func sendContent() {
        while !unsent.isEmpty, frames.canSend(on: Self.number), let window = frames.sendWindow(of: Self.number) {
            let room = min(window.size, frames.sendWindow.size, Int(frames.peers.maxFrameSize))
            guard room > 0 else { return }
            let piece = unsent.prefix(room)
            unsent = unsent.dropFirst(piece.count)
            frames.willSendData(ofByteCount: piece.count, on: Self.number, endsStream: unsent.isEmpty)
            FrameWriter.appendData(piece, on: Self.number, endsStream: unsent.isEmpty, to: &output)
        }
    }

    func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    func receive(_ bytes: borrowing Span<UInt8>) {
        var position = 0
        var connectionEvents: [ConnectionEvent] = []
        while failure == nil, let piece = reader.next(bytes, at: &position) {
            guard case .frame(let frame) = piece else { continue }
            connectionEvents.removeAll(keepingCapacity: true)
            frames.receive(frame, into: &connectionEvents)
            for event in connectionEvents where failure == nil { handle(event, frame.frame.payload) }
        }
        credit()
        sendContent()
    }

    /// `payload` is that of the frame, of which some events have a range.
    private func handle(_ event: ConnectionEvent, _ payload: [UInt8]) {
        switch event {
        case .head(Self.number, let block): receiveHead(block)
        case .data(Self.number, let range, _, let endsStream):
            if !range.isEmpty { events.append(.content(Array(payload[range]))) }
            if endsStream { hasEnded = true }
        case .trailers(Self.number, let block):
            guard block.endsStream else { break }
            hasEnded = true
            let fields = block.section.fields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) }
            if !fields.isEmpty { events.append(.trailers(fields)) }
        // After a complete reply it means that the rest of the request is not wanted (RFC 9113 §8.1).
        case .reset(Self.number, let code) where !hasEnded:
            failure = UpstreamFailure("it reset the stream (RST_STREAM \(code))", .reset)
            failure?.needsHTTP1 = code == .http11Required && !hasHead
        case .settings(let settings):
            encoder.follow(settings)
            send(.settingsAck)
        case .ping(let opaque): send(.ping(opaque, isAck: true))
        case .goAway(let last, let code, _) where last < Self.number:
            failure = UpstreamFailure("it sent GOAWAY \(code) before the request was processed", .close)
        case .push(_, let promised, _): send(.resetStream(promised, .refusedStream))
        case .violation(let violation): judge(violation)
        default: break
        }
    }

    private func receiveHead(_ block: ConnectionEvent.FieldBlock) {
        guard let status = block.check.status else { return }
        if block.endsStream { hasEnded = true }
        guard !ReplyHead.isInterim(status) else { return }
        hasHead = true
        let fields = block.section.fields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) }
        let length = block.check.contentLength
        let head = ReplyHead(
            status: status, fields: fields, contentLength: length,
            hasNoContent: isHead || block.endsStream && length ?? 0 == 0)
        events.append(.head(head))
    }

    /// A violation that ends the stream or the connection ends the reply (RFC 9113 §5.4); content that is too short is cut.
    private func judge(_ violation: HTTP2Violation) {
        guard violation.code != nil, violation.scope != .none else { return }
        let isShort = violation.kind == .contentLengthDiffers && hasHead && frames.isOpen(Self.number) == false
        failure = UpstreamFailure("it breaks HTTP/2: \(violation)", isShort ? .close : nil)
    }

    /// Gives back what was read, once a quarter of a window is missing (RFC 9113 §6.9).
    private func credit() {
        let least = Int(FlowWindow.usual / 4)
        let missing = Int(FlowWindow.usual) - frames.receiveWindow.size
        if missing >= least { send(.windowUpdate(UInt32(missing))) }
        guard !hasEnded, let window = frames.receiveWindow(of: Self.number) else { return }
        let ofStream = Int(FlowWindow.usual) - window.size
        if ofStream >= least { send(.windowUpdate(UInt32(ofStream), on: Self.number)) }
    }

    func receiveEnd() {
        if !hasEnded, failure == nil { failure = UpstreamFailure("its connection ended before the reply did", .close) }
    }

    func next() throws(UpstreamFailure) -> UpstreamStep {
        if !events.isEmpty { return .event(events.removeFirst()) }
        if let failure { throw failure }
        return hasEnded ? .end : .more
    }

    /// Frames behind the end of a stream are those of the connection.
    var surplus: [UInt8] { [] }
}

extension HandedRequest {
    /// The field section of its stream, with names in lower case (RFC 9113 §8.2.1, §8.3.1).
    fileprivate var sectionFields: [HeaderField] {
        [
            HeaderField(Array(":method".utf8), method), HeaderField(":scheme", "https"),
            HeaderField(":authority", upstream.authority), HeaderField(Array(":path".utf8), target),
        ] + fields.map { HeaderField($0.name.map(\.asciiLowercased), $0.value) }
    }
}
