package import ProctorHTTP

/// A connection of QUIC, as HTTP/3 uses it.
package protocol HTTP3Carrier: AnyObject {
    /// Whether the connection is closed, so that nothing more is sent.
    var isOver: Bool { get }
    /// Opens a unidirectional stream; nil if the peer permits none.
    func openStream() -> UInt64?
    func send(_ bytes: [UInt8], on stream: UInt64, ends: Bool)
    /// Lets the peer send as many bytes more: those of the stream that were read.
    func credit(_ byteCount: Int, on stream: UInt64)
    /// Sends RESET_STREAM.
    func reset(_ stream: UInt64, code: UInt64)
    /// Sends STOP_SENDING.
    func stop(_ stream: UInt64, code: UInt64)
    /// Sends CONNECTION_CLOSE with a code of HTTP/3.
    func close(code: UInt64, reason: String)
}

/// The server's end of HTTP/3 over one connection: it opens the streams that each connection has, reads what comes, and
/// answers violations as RFC 9114 §8 says.
package final class HTTP3Session {
    package let carrier: any HTTP3Carrier
    /// What the client has told, and what is open.
    package private(set) var state: HTTP3State
    /// Whether a violation ends its stream or the connection; without it, everything goes on as if nothing were wrong.
    package var answersViolations = true

    /// Whether content is read as soon as it comes; without it the owner gives the window of content back.
    package var readsContent = true

    private let settings: [HTTP3Setting]
    private let handle: (HTTP3Event, HTTP3Session) -> Void
    private var own: OwnStreams?
    /// Bytes that came on streams whose field section waits for the table.
    private var withheld: [UInt64: Int] = [:]

    /// Streams of ours that stay open.
    private struct OwnStreams {
        let control: UInt64
        let encoder: UInt64
        let decoder: UInt64
    }

    /// The parameters of a server, unless it says others: a table of 4 KiB, and 16 streams that wait.
    package static let usualSettings = [
        HTTP3Setting(.maxTableCapacity, 4_096), HTTP3Setting(.blockedStreams, 16),
        HTTP3Setting(.maxFieldSectionSize, 64 << 10),
    ]

    /// `handle` is called with each event in order, before a violation is answered.
    package init(
        over carrier: any HTTP3Carrier, settings: [HTTP3Setting] = usualSettings,
        handle: @escaping (HTTP3Event, HTTP3Session) -> Void
    ) {
        self.carrier = carrier
        self.settings = settings
        self.handle = handle
        state = HTTP3State(role: .server, settings: settings)
    }

    /// Opens our streams and sends SETTINGS; called once the handshake is over.
    package func open() {
        // A client permits three at least (RFC 9114 §6.2); one that does not is told so.
        guard let control = carrier.openStream(), let encoder = carrier.openStream(),
            let decoder = carrier.openStream()
        else { return close(.streamCreationError, reason: "three unidirectional streams are needed (RFC 9114 §6.2)") }
        own = OwnStreams(control: control, encoder: encoder, decoder: decoder)
        for stream in [control, encoder, decoder] { state.openedCritical(stream) }
        var bytes: [UInt8] = []
        VariableInteger.append(HTTP3StreamType.control.rawValue, to: &bytes)
        HTTP3Frame.settings(settings).write(to: &bytes)
        carrier.send(bytes, on: control, ends: false)
        carrier.send([UInt8(HTTP3StreamType.encoder.rawValue)], on: encoder, ends: false)
        carrier.send([UInt8(HTTP3StreamType.decoder.rawValue)], on: decoder, ends: false)
    }

    // MARK: What comes

    package func receive(_ bytes: borrowing Span<UInt8>, on stream: UInt64, ends: Bool) {
        var events: [HTTP3Event] = []
        state.receive(bytes, on: stream, ends: ends, into: &events)
        giveBack(bytes.count, on: stream, events)
        handleAll(events)
    }

    /// Gives the window back of all that is read: not of content that the owner reads, nor of what waits for the table.
    private func giveBack(_ byteCount: Int, on stream: UInt64, _ events: [HTTP3Event]) {
        withheld[stream, default: 0] += byteCount
        if !readsContent {
            for case .content(let stream, let bytes) in events { withheld[stream, default: 0] -= bytes.count }
        }
        for (stream, count) in withheld where !state.isWaiting(stream) {
            withheld[stream] = nil
            if count > 0 { carrier.credit(count, on: stream) }
        }
    }

    package func receiveReset(_ stream: UInt64, _ code: HTTP3Code) {
        var events: [HTTP3Event] = []
        state.receiveReset(stream, code, into: &events)
        handleAll(events)
    }

    package func receiveStop(_ stream: UInt64, _ code: HTTP3Code) {
        var events: [HTTP3Event] = []
        state.receiveStop(stream, code, into: &events)
        handleAll(events)
    }

    private func handleAll(_ events: [HTTP3Event]) {
        var ended: Set<UInt64> = []
        for event in events where !carrier.isOver {
            handle(event, self)
            switch event {
            case .violation(let violation) where answersViolations:
                // Of several faults of a stream the first one is answered.
                if violation.scope != .stream || ended.insert(violation.stream).inserted { answerViolation(violation) }
            // RFC 9114 §5.2: what came behind our GOAWAY is not processed.
            case .refused(let stream): endStream(stream, .requestRejected)
            // RFC 9114 §6.2: the bytes of a stream of an unknown type are not read.
            case .opened(let stream, let type) where type.rawValue > HTTP3StreamType.decoder.rawValue:
                carrier.stop(stream, code: HTTP3Code.streamCreationError.rawValue)
            default: break
            }
        }
        sendInstructions()
    }

    private func answerViolation(_ violation: HTTP3Violation) {
        guard let code = violation.code, !carrier.isOver else { return }
        switch violation.scope {
        case .none: break
        case .stream: endStream(violation.stream, code)
        case .connection: close(code, reason: "\(violation.sentence) (\(violation.section))")
        }
    }

    // MARK: What is sent

    /// Sends what the coders have for the client; called by who has sent a field section outside of an event.
    package func sendInstructions() {
        guard let own, !carrier.isOver else { return }
        let instructions = state.takeInstructions()
        if !instructions.encoder.isEmpty { carrier.send(instructions.encoder, on: own.encoder, ends: false) }
        if !instructions.decoder.isEmpty { carrier.send(instructions.decoder, on: own.decoder, ends: false) }
    }

    /// Sends HEADERS: a head or trailers; returns the bytes of the frame.
    @discardableResult
    package func sendFields(_ fields: [HeaderField], on stream: UInt64, ends: Bool = false) -> Int {
        var bytes: [UInt8] = []
        HTTP3Frame(.headers, state.encode(fields, on: stream)).write(to: &bytes)
        carrier.send(bytes, on: stream, ends: ends)
        return bytes.count
    }

    /// Sends one DATA frame, and returns its bytes; no bytes make no frame.
    @discardableResult
    package func sendContent(_ content: some Collection<UInt8>, on stream: UInt64, ends: Bool = false) -> Int {
        let bytes = content.isEmpty ? [] : HTTP3Frame.dataHead(content.count) + content
        carrier.send(bytes, on: stream, ends: ends)
        return bytes.count
    }

    /// Sends bytes as they stand on our control stream, lawful frames or not.
    package func sendControl(_ bytes: [UInt8]) {
        guard let own else { return }
        carrier.send(bytes, on: own.control, ends: false)
    }

    /// Tells the client which requests are still answered: those below the stream (RFC 9114 §5.2).
    package func goAway(from stream: UInt64) {
        state.sentGoAway(stream)
        var bytes: [UInt8] = []
        HTTP3Frame.number(.goAway, stream).write(to: &bytes)
        sendControl(bytes)
    }

    /// Ends both directions of a stream with this code; a unidirectional one of the client is stopped.
    package func endStream(_ stream: UInt64, _ code: HTTP3Code) {
        state.abandon(stream)
        if stream & 2 == 0 { carrier.reset(stream, code: code.rawValue) }
        carrier.stop(stream, code: code.rawValue)
    }

    /// Asks the client to send no more of a request that is answered (RFC 9114 §4.1).
    package func stopReading(_ stream: UInt64) {
        state.abandon(stream)
        carrier.stop(stream, code: HTTP3Code.noError.rawValue)
    }

    package func close(_ code: HTTP3Code, reason: String = "") { carrier.close(code: code.rawValue, reason: reason) }
}
