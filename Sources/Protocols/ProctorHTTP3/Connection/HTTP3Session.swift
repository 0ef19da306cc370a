package import ProctorHTTP

/// A connection of QUIC, as HTTP/3 uses it.
package protocol HTTP3Carrier: AnyObject {
    /// Whether the connection is closed, so that nothing more is sent.
    var isOver: Bool { get }
    /// Opens a unidirectional stream; nil if the peer permits none.
    func openStream() -> UInt64?
    func send(_ bytes: [UInt8], on stream: UInt64, ends: Bool)
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

    private let settings: [HTTP3Setting]
    private let handle: (HTTP3Event, HTTP3Session) -> Void
    private var own: OwnStreams?

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
        handleAll(events)
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

    /// Sends HEADERS: a head or trailers.
    package func sendFields(_ fields: [HeaderField], on stream: UInt64, ends: Bool = false) {
        var bytes: [UInt8] = []
        HTTP3Frame(.headers, state.encode(fields, on: stream)).write(to: &bytes)
        carrier.send(bytes, on: stream, ends: ends)
    }

    /// Sends one DATA frame; no bytes make no frame.
    package func sendContent(_ content: [UInt8], on stream: UInt64, ends: Bool = false) {
        carrier.send(
            content.isEmpty ? [] : HTTP3Frame.dataHead(content.count) + content, on: stream, ends: ends)
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

    package func close(_ code: HTTP3Code, reason: String = "") { carrier.close(code: code.rawValue, reason: reason) }
}
