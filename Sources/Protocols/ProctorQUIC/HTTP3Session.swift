package import ProctorHTTP
package import ProctorHTTP3

/// What happens on a connection of HTTP/3 that its owner may act on; violations have been answered already.
package enum HTTP3SessionEvent: Sendable, Equatable {
    /// The handshake is over, and our SETTINGS are on their way; nil: the client named no server.
    case opened(serverName: String?)
    case http(HTTP3Event)
    /// The client has acknowledged bytes of a stream.
    case acknowledged(stream: UInt64)
    /// Both directions of a stream are over.
    case streamClosed(stream: UInt64)
    case ended(QUICEnd)
}

/// The server's end of HTTP/3 over one connection of QUIC: it opens the streams that each connection has, reads what comes,
/// and answers violations as RFC 9114 §8 says; loop thread only.
///
/// What it is told to send goes out with the next ``flush()``, or once the present event is handled.
package final class HTTP3Session: QUICConnectionHandler {
    package let connection: QUICConnection
    /// What the client has told, and what is open.
    package private(set) var state: HTTP3State
    /// Whether a violation ends its stream or the connection; without it, everything goes on as if nothing were wrong.
    package var answersViolations = true

    private let settings: [HTTP3Setting]
    private let handle: (HTTP3SessionEvent, HTTP3Session) -> Void
    private var own: OwnStreams?

    /// Streams of ours that stay open.
    private struct OwnStreams {
        let control: UInt64
        let encoder: UInt64
        let decoder: UInt64
    }

    /// The parameters of a server of ours, unless it says others: a table of 4 KiB, and 16 streams that wait.
    package static let usualSettings = [
        HTTP3Setting(.maxTableCapacity, 4_096), HTTP3Setting(.blockedStreams, 16),
        HTTP3Setting(.maxFieldSectionSize, 64 << 10),
    ]

    /// `handle` is called with each event in order; the connection keeps this object until it has ended.
    package init(
        _ connection: QUICConnection, settings: [HTTP3Setting] = usualSettings,
        handle: @escaping (HTTP3SessionEvent, HTTP3Session) -> Void
    ) {
        self.connection = connection
        self.settings = settings
        self.handle = handle
        state = HTTP3State(role: .server, settings: settings)
    }

    // MARK: What comes

    package func receive(_ event: QUICEvent, on connection: QUICConnection) {
        var events: [HTTP3Event] = []
        switch event {
        case .handshakeCompleted(_, let serverName):
            openStreams()
            handle(.opened(serverName: serverName), self)
        case .received(let stream, let bytes, let ends):
            state.receive(bytes.span, on: stream, ends: ends, into: &events)
        case .reset(let stream, let code):
            state.receiveReset(stream, HTTP3Code(rawValue: code), into: &events)
        case .stopped(let stream, let code): state.receiveStop(stream, HTTP3Code(rawValue: code), into: &events)
        case .acknowledged(let stream): handle(.acknowledged(stream: stream), self)
        case .streamClosed(let stream): handle(.streamClosed(stream: stream), self)
        case .ended(let end): handle(.ended(end), self)
        }
        for event in events where connection.end == nil { receive(event) }
        sendInstructions()
    }

    private func receive(_ event: HTTP3Event) {
        handle(.http(event), self)
        switch event {
        case .violation(let violation): if answersViolations { answerViolation(violation) }
        // RFC 9114 §5.2: what came behind our GOAWAY is not processed.
        case .refused(let stream): endStream(stream, .requestRejected)
        // RFC 9114 §6.2: nobody reads what we do not know.
        case .opened(let stream, let type) where type.rawValue > HTTP3StreamType.decoder.rawValue:
            connection.stop(stream, code: HTTP3Code.streamCreationError.rawValue)
        default: break
        }
    }

    private func answerViolation(_ violation: HTTP3Violation) {
        guard let code = violation.code else { return }
        switch violation.scope {
        case .none: break
        case .stream: endStream(violation.stream, code)
        case .connection: close(code, reason: violation.sentence)
        }
    }

    private func openStreams() {
        // A client permits three at least (RFC 9114 §6.2); one that does not is told so.
        guard let control = connection.openStream(), let encoder = connection.openStream(),
            let decoder = connection.openStream()
        else { return close(.streamCreationError, reason: "three unidirectional streams are needed") }
        own = OwnStreams(control: control, encoder: encoder, decoder: decoder)
        for stream in [control, encoder, decoder] { state.openedCritical(stream) }
        var bytes: [UInt8] = []
        VariableInteger.append(HTTP3StreamType.control.rawValue, to: &bytes)
        HTTP3Frame.settings(settings).write(to: &bytes)
        connection.send(bytes, on: control)
        connection.send([UInt8(HTTP3StreamType.encoder.rawValue)], on: encoder)
        connection.send([UInt8(HTTP3StreamType.decoder.rawValue)], on: decoder)
    }

    private func sendInstructions() {
        guard let own, connection.end == nil else { return }
        let instructions = state.takeInstructions()
        if !instructions.encoder.isEmpty { connection.send(instructions.encoder, on: own.encoder) }
        if !instructions.decoder.isEmpty { connection.send(instructions.decoder, on: own.decoder) }
    }

    // MARK: What is sent

    /// Sends HEADERS: a head or trailers.
    package func sendFields(_ fields: [HeaderField], on stream: UInt64, ends: Bool = false) {
        var bytes: [UInt8] = []
        HTTP3Frame(.headers, state.encode(fields, on: stream)).write(to: &bytes)
        connection.send(bytes, on: stream, ends: ends)
    }

    /// Sends one DATA frame; no bytes make no frame, but for FIN.
    package func sendContent(_ content: [UInt8], on stream: UInt64, ends: Bool = false) {
        connection.send(content.isEmpty ? [] : HTTP3Frame.dataHead(content.count) + content, on: stream, ends: ends)
    }

    /// Sends bytes as they stand on a stream of a request; a lawful frame or not.
    package func sendBytes(_ bytes: [UInt8], on stream: UInt64, ends: Bool = false) {
        connection.send(bytes, on: stream, ends: ends)
    }

    /// Sends bytes as they stand on our control stream.
    package func sendControl(_ bytes: [UInt8]) {
        guard let own else { return }
        connection.send(bytes, on: own.control)
    }

    /// Tells the client which requests are answered still: those below the stream (RFC 9114 §5.2).
    package func goAway(from stream: UInt64) {
        state.sentGoAway(stream)
        var bytes: [UInt8] = []
        HTTP3Frame.number(.goAway, stream).write(to: &bytes)
        sendControl(bytes)
    }

    /// Ends both directions of a stream with this code.
    package func endStream(_ stream: UInt64, _ code: HTTP3Code) {
        state.abandon(stream)
        connection.reset(stream, code: code.rawValue)
        connection.stop(stream, code: code.rawValue)
    }

    package func close(_ code: HTTP3Code, reason: String = "") {
        connection.close(.application(code.rawValue, reason: reason))
    }

    /// Sends what is queued; called by who sends outside of an event.
    package func flush() {
        sendInstructions()
        connection.flush()
    }
}
